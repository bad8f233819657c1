/** penstock resume: polls go on where they were. */
import type { Command } from 'commander';
import { printJson, printLines } from '#cli/io';
import type { Io } from '#cli/io';
import { loadAll, pick } from '#cli/load';
import { withCloud, withConnection, withExample, withJson } from '#cli/options';
import type { CloudOptions } from '#cli/options';

interface ResumeOptions extends CloudOptions {
  readonly json?: boolean;
}

export function addResume(program: Command, io: Io): void {
  const command = program
    .command('resume')
    .summary('poll again what was paused')
    .description('Undo `penstock pause`: the next tick of the schedule polls on from where it was.')
    .argument('<pipeline>')
    .action((pipeline: string, options: ResumeOptions) => resume(pipeline, options, io));
  withExample(withJson(withCloud(command)), 'penstock resume orders');
}

async function resume(pipeline: string, options: ResumeOptions, io: Io): Promise<void> {
  const { stage, json } = options;
  pick(await loadAll(stage), pipeline);
  const { pollControl } = await import('#cli/poll-control');
  const wasPaused = await withConnection(options, io, (connection) =>
    pollControl(connection, stage).resume(pipeline),
  );
  if (json) printJson(io, { pipeline, stage, wasPaused });
  else if (wasPaused)
    printLines(io, [`${pipeline} goes on where it was, at the next tick of its schedule.`]);
  else printLines(io, [`${pipeline} was not paused.`]);
}
