/** Brings pipelines up in a local cloud: synthesize, start, give the secrets their values. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError } from '#cli/cli-error';
import { connect } from '#cli/connection';
import type { Connection, Environment } from '#cli/connection';
import { PROJECT_ROOT, SCRATCH_DIRECTORY } from '#cli/project';
import type { PipelineSettings } from '#config/pipeline-settings';
import { startCloud } from '#local/cloud';
import type { Cloud } from '#local/cloud';
import type { CloudEvent } from '#local/cloud-event';
import { checkFresh, SYNTH_INPUTS } from '#local/template/check-fresh';
import { putSecrets } from './put-secrets.ts';
import { parameterValues, refuseMissing, secretValues } from './settings.ts';
import type { SecretValue } from './settings.ts';
import { scratchFolder } from './scratch.ts';
import { synthesize } from './synthesize.ts';

export interface RunningCloud {
  readonly cloud: Cloud;
  readonly connection: Connection;
  stop(): Promise<void>;
}

export interface StartAsk {
  readonly stage: string;
  readonly pipelines: readonly PipelineSettings[];
  /** Where they were read, when that is not the project's own folder. */
  readonly pipelinesDirectory?: string | undefined;
  /** What `cdk synth` wrote; synthesized unless given. */
  readonly cdkOut?: string;
  readonly env: Environment;
  readonly port?: number;
  readonly keepDir?: string;
  readonly tempo: boolean;
  readonly faithful?: boolean;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: CloudEvent) => void;
}

/**
 * Start it; nothing is left behind when it fails.
 *
 * @throws {CliError} when a variable is missing, the app cannot be synthesized, or its `cdkOut` is stale.
 */
export async function startPipelines(ask: StartAsk): Promise<RunningCloud> {
  const { stage, pipelines, env, signal, port, keepDir, faithful, tempo, onEvent } = ask;
  refuseMissing(pipelines, env);
  const parameters = parameterValues(pipelines, env);
  const secrets = secretValues(pipelines, { stage, env });
  const cdkOut = ask.cdkOut ?? (await scratchFolder(SCRATCH_DIRECTORY));
  const closers: (() => Promise<void> | void)[] = [];
  const stop = async (): Promise<void> => {
    for (const close of closers.splice(0).toReversed()) await close();
  };
  try {
    if (ask.cdkOut === undefined) {
      closers.push(() => rm(cdkOut, { recursive: true, force: true }));
      await synthesize({ stage, cdkOut, env, signal, pipelinesDirectory: ask.pipelinesDirectory });
    } else {
      refuseStale(cdkOut);
    }
    const cloud = await startCloud({
      cdkOut,
      parameters,
      tempo,
      ...(port === undefined ? {} : { port }),
      ...(keepDir === undefined ? {} : { keepDir }),
      ...(faithful === undefined ? {} : { faithful }),
      ...(onEvent === undefined ? {} : { onEvent }),
      beforeRunning: (endpoint) => giveSecrets(endpoint, secrets),
    });
    closers.push(cloud.stop);
    const connection = connect(cloud.endpoint, {});
    closers.push(connection.close);
    return { cloud, connection, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The first poll must find them. */
async function giveSecrets(endpoint: string, secrets: readonly SecretValue[]): Promise<void> {
  const connection = connect(endpoint, {});
  try {
    await putSecrets(await connection.signed('secretsmanager'), secrets);
  } finally {
    connection.close();
  }
}

function refuseStale(cdkOut: string): void {
  const sentence = checkFresh(
    cdkOut,
    SYNTH_INPUTS.map((input) => join(PROJECT_ROOT, input)),
  );
  if (sentence !== undefined) throw new CliError(sentence);
}
