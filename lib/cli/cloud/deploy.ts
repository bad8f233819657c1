/** Brings pipelines up in a LocalStack that runs: synthesize, `cdk deploy`, give the secrets their values. */
import { rm } from 'node:fs/promises';
import { connect } from '#cli/connection';
import { PROJECT_ROOT, SCRATCH_DIRECTORY } from '#cli/project';
import { pipelineNames } from '#config/resource-names';
import { deploy } from '#localstack/cdk';
import { pollOnAndOn } from './poll-on-and-on.ts';
import { giveSecrets } from './put-secrets.ts';
import type { PipelinesAsk, RunningCloud } from './running-cloud.ts';
import { scratchFolder } from './scratch.ts';
import { refuseUnfit, secretValues } from './settings.ts';
import { synthesize } from './synthesize.ts';

/** One request at a time is answered there, and functions ask as well. */
const TIMEOUT_MS = 60_000;

export interface DeployAsk extends PipelinesAsk {
  /** Where it answers; it must be bootstrapped. */
  readonly endpoint: string;
  /** What it says; the last lines are kept when the app cannot be deployed. */
  readonly logFile?: string;
  readonly onStep?: (sentence: string) => void;
}

/**
 * Deploy them. What is deployed stays when the cloud is stopped: the container's end is its end.
 *
 * @throws {CliError} when a variable is missing or the app cannot be synthesized.
 * @throws {LocalStackError} when it cannot be deployed.
 */
export async function deployPipelines(ask: DeployAsk): Promise<RunningCloud> {
  const { endpoint, logFile, stage, pipelines, env, signal, onStep = () => undefined } = ask;
  refuseUnfit(pipelines, env);
  const cdkOut = ask.cdkOut ?? (await scratchFolder(SCRATCH_DIRECTORY));
  try {
    if (ask.cdkOut === undefined) {
      await synthesize({ stage, cdkOut, env, signal, pipelinesDirectory: ask.pipelinesDirectory });
    }
    onStep('Deploying the app with cdk …');
    await deploy(cdkOut, { endpoint, env, cwd: PROJECT_ROOT, logFile, signal });
  } finally {
    if (ask.cdkOut === undefined) await rm(cdkOut, { recursive: true, force: true });
  }
  await giveSecrets(endpoint, secretValues(pipelines, { stage, env }));
  const connection = connect(endpoint, {}, { timeoutMs: TIMEOUT_MS });
  const functions = pipelines.map(({ name }) => pipelineNames(stage, name).pollFunction);
  const rest = ask.tempo ? pollOnAndOn(await connection.signed('lambda'), functions) : undefined;
  return {
    endpoint,
    connection,
    async stop() {
      await rest?.();
      connection.close();
    },
  };
}
