/** penstock pause: no polls, until penstock resume. */
import type { Command } from 'commander';
import { UsageError } from '#cli/cli-error';
import { printJson, printLines } from '#cli/io';
import type { Io } from '#cli/io';
import { loadAll, pick } from '#cli/load';
import { withCloud, withConnection, withExample, withJson } from '#cli/options';
import type { CloudOptions } from '#cli/options';
import { pauseJson } from '#cli/render/pause';

interface PauseOptions extends CloudOptions {
  readonly reason?: string;
  readonly json?: boolean;
}

const REASON_CHARS_MAX = 200;

export function addPause(program: Command, io: Io): void {
  const command = program
    .command('pause')
    .summary('stop polling a source')
    .description(
      'Let no poll of a pipeline begin until `penstock resume`; a deployment does not undo it. ' +
        'What is in the stream is consumed all the same.',
    )
    .argument('<pipeline>')
    .option('--reason <text>', 'shown to whoever looks')
    .action((pipeline: string, options: PauseOptions) => pause(pipeline, options, io));
  withExample(
    withJson(withCloud(command)),
    'penstock pause orders --reason "the API moves on Tuesday"',
  );
}

async function pause(pipeline: string, options: PauseOptions, io: Io): Promise<void> {
  const { stage, reason, json } = options;
  if (reason !== undefined && reason.length > REASON_CHARS_MAX) {
    throw new UsageError(`--reason takes ${REASON_CHARS_MAX} characters at most.`);
  }
  pick(await loadAll(stage), pipeline);
  const { pollControl } = await import('#cli/poll-control');
  const nowMs = Date.now();
  const standing = await withConnection(options, io, async (connection) => {
    const control = pollControl(connection, stage);
    await control.pause(pipeline, { sinceMs: nowMs, reason: reason || undefined });
    return control.read(pipeline);
  });
  const isAtWork = (standing?.leaseUntilMs ?? 0) > nowMs;
  if (json) printJson(io, { pipeline, stage, paused: pauseJson(standing?.pause), isAtWork });
  else printLines(io, pausedLines(pipeline, isAtWork));
}

function pausedLines(pipeline: string, isAtWork: boolean): string[] {
  return [
    `${pipeline} is paused: no poll begins until \`penstock resume ${pipeline}\`.`,
    ...(isAtWork ? ['A poll is at work; it ends by itself, and keeps what it did.'] : []),
    'While nothing is polled, the alarm poll-stale rings in time: that is no fault.',
  ];
}
