/** CDK entry: context and environment in, stacks out. */
import { App } from 'aws-cdk-lib';
import { loadPipelines } from '#config/load-pipelines';
import { addStacks } from '#infra/add-stacks';

const environment = process.env;
// Takes as long as all the rest, and changes nothing: `.ci/run` asks for it.
environment['CDK_VALIDATION'] ??= 'false';
const app = new App({ autoSynth: false });
const context = (name: string, otherwise: string): string =>
  String(app.node.tryGetContext(name) ?? otherwise);

const stage = context('stage', 'dev');
const loaded = await loadPipelines({ directory: context('pipelines', 'pipelines'), stage });

if (loaded.kind === 'faulty') {
  for (const fault of loaded.faults) console.error(fault);
  process.exitCode = 1;
} else {
  await addStacks(app, {
    stage,
    pipelines: loaded.pipelines,
    environment,
    reserveConcurrency: context('reserveConcurrency', 'true') === 'true',
    throwAway: context('throwAway', 'false') === 'true',
    alarmEmail: context('alarmEmail', '') || undefined,
  });
  app.synth();
}
