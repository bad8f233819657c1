/** Brings pipelines up in a local cloud: synthesize, start, give the secrets their values. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError } from '#cli/cli-error';
import { connect } from '#cli/connection';
import { PROJECT_ROOT, SCRATCH_DIRECTORY } from '#cli/project';
import { pipelineNames } from '#config/resource-names';
import { startCloud } from '#local/cloud';
import type { CloudEvent } from '#local/cloud-event';
import { checkFresh, SYNTH_INPUTS } from '#local/template/check-fresh';
import { giveSecrets } from './put-secrets.ts';
import { refuseTaken } from './refuse-taken.ts';
import { parameterValues, refuseUnfit, secretValues } from './settings.ts';
import type { PipelinesAsk, RunningCloud } from './running-cloud.ts';
import { scratchFolder } from './scratch.ts';
import { synthesize } from './synthesize.ts';

export interface StartAsk extends PipelinesAsk {
  readonly port?: number;
  readonly keepDir?: string;
  readonly faithful?: boolean;
  readonly onEvent?: (event: CloudEvent) => void;
}

/**
 * Start it; nothing is left behind when it fails.
 *
 * @throws {CliError} when a variable is missing, the port is taken, the app cannot be synthesized, or its `cdkOut` is stale.
 */
export async function startPipelines(ask: StartAsk): Promise<RunningCloud> {
  const { stage, pipelines, env, signal, port, keepDir, faithful, tempo, onEvent } = ask;
  refuseUnfit(pipelines, env);
  const parameters = parameterValues(pipelines, env);
  const secrets = secretValues(pipelines, { stage, env });
  const cdkOut = ask.cdkOut ?? (await scratchFolder(SCRATCH_DIRECTORY));
  const closers: (() => Promise<void> | void)[] = [];
  const stop = async (): Promise<void> => {
    for (const close of closers.splice(0).toReversed()) await close();
  };
  try {
    if (ask.cdkOut === undefined) {
      if (port !== undefined) await refuseTaken(port);
      closers.push(() => rm(cdkOut, { recursive: true, force: true }));
      await synthesize({ stage, cdkOut, env, signal, pipelinesDirectory: ask.pipelinesDirectory });
    } else {
      refuseStale(cdkOut);
    }
    const cloud = await startCloud({
      cdkOut,
      parameters,
      tempo:
        tempo === 'polls'
          ? pipelines.map(({ name }) => pipelineNames(stage, name).schedule)
          : tempo,
      ...(port === undefined ? {} : { port }),
      ...(keepDir === undefined ? {} : { keepDir }),
      ...(faithful === undefined ? {} : { faithful }),
      ...(onEvent === undefined ? {} : { onEvent }),
      beforeRunning: (endpoint) => giveSecrets(endpoint, secrets),
    });
    closers.push(cloud.stop);
    const connection = connect(cloud.endpoint, {});
    closers.push(connection.close);
    return { endpoint: cloud.endpoint, connection, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function refuseStale(cdkOut: string): void {
  const sentence = checkFresh(
    cdkOut,
    SYNTH_INPUTS.map((input) => join(PROJECT_ROOT, input)),
  );
  if (sentence !== undefined) throw new CliError(sentence);
}
