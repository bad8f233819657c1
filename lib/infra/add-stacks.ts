/** Composes an app: one shared stack, and two for each pipeline. */
import { join, resolve } from 'node:path';
import { DefaultStackSynthesizer, RemovalPolicy, Tags } from 'aws-cdk-lib';
import type { App, IStackSynthesizer, Stack } from 'aws-cdk-lib';
import type { LoadedPipeline } from '#config/load-pipelines';
import { pipelineNames, stageNames } from '#config/resource-names';
import { bundle } from './bundle.ts';
import { functionEntries } from './function-entries.ts';
import { DataStack } from './stacks/data-stack.ts';
import { RunStack } from './stacks/run-stack.ts';
import { SharedStack } from './stacks/shared-stack.ts';

export interface AppSettings {
  readonly stage: string;
  readonly pipelines: readonly LoadedPipeline[];
  /** Where settings' values are looked for; what is not found is asked for when deploying. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly reserveConcurrency: boolean;
  /** Data goes with its stack; kept otherwise. */
  readonly throwAway: boolean;
  /** Is sent the stage's alarms, once it has agreed. */
  readonly alarmEmail?: string | undefined;
  /** Holds a `handler.ts` for each verb: `poll`, `consume` and `handle`. */
  readonly functionsDirectory?: string;
}

const ROOT = resolve(import.meta.dirname, '../..');

/** Bundle the functions and add every stack to `app`. */
export async function addStacks(app: App, settings: AppSettings): Promise<void> {
  const { stage, pipelines } = settings;
  const functionsDirectory = resolve(settings.functionsDirectory ?? join(ROOT, 'functions'));
  const bundles = await bundle({
    entries: pipelines.flatMap((pipeline) =>
      functionEntries({ stage, pipeline, functionsDirectory }),
    ),
    directory: join(app.outdir, '.bundles'),
    root: ROOT,
  });
  // The CDK's command line checks the bootstrap version itself; the templates hold only what is ours.
  const synthesizer = new DefaultStackSynthesizer({
    generateBootstrapVersionRule: false,
  }) as IStackSynthesizer; // Its own types do not meet under exactOptionalPropertyTypes.

  const dataRemoval = settings.throwAway ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN;
  const { sharedStack, stateTable, alarmTopic } = stageNames(stage);
  const shared = new SharedStack(app, sharedStack, {
    description: `Penstock ${stage}: state that all pipelines share.`,
    stateTableName: stateTable,
    alarmTopicName: alarmTopic,
    alarmEmail: settings.alarmEmail,
    dataRemoval,
    synthesizer,
  });
  tag(shared, { stage });
  for (const { settings: pipeline } of pipelines) {
    const names = pipelineNames(stage, pipeline.name);
    const data = new DataStack(app, names.dataStack, {
      description: `Penstock ${stage}: stream, tables and quarantine of ${pipeline.name}.`,
      stage,
      settings: pipeline,
      dataRemoval,
      synthesizer,
    });
    const run = new RunStack(app, names.runStack, {
      description: `Penstock ${stage}: functions, schedule and mappings of ${pipeline.name}.`,
      stage,
      settings: pipeline,
      bundles,
      environment: settings.environment,
      reserveConcurrency: settings.reserveConcurrency,
      synthesizer,
    });
    run.addStackDependency(shared);
    run.addStackDependency(data);
    for (const stack of [data, run]) tag(stack, { stage, pipeline: pipeline.name });
  }
}

/** By these a bill is split and a resource found. */
function tag(stack: Stack, tags: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries({ app: 'penstock', ...tags })) {
    Tags.of(stack).add(name, value);
  }
}
