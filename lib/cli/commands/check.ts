/** penstock check: says everything that is wrong with the pipeline files. */
import type { Command } from 'commander';
import { printJson, printLines } from '#cli/io';
import type { Io } from '#cli/io';
import { withExample, withJson, withPipelines, withStage } from '#cli/options';

interface CheckOptions {
  readonly stage: string;
  readonly directory: string;
  readonly json?: boolean;
}

export function addCheck(program: Command, io: Io, fail: () => void): void {
  const command = program
    .command('check')
    .summary('check the pipeline files')
    .description('Read every pipeline file and say everything that is wrong, each in one sentence.')
    .action((options: CheckOptions) => check(options, io, fail));
  withExample(withJson(withStage(withPipelines(command))), 'penstock check');
}

async function check(
  { stage, directory, json }: CheckOptions,
  io: Io,
  fail: () => void,
): Promise<void> {
  const { loadPipelines } = await import('#config/load-pipelines');
  const outcome = await loadPipelines({ directory, stage });
  const faults = outcome.kind === 'faulty' ? outcome.faults : [];
  const names =
    outcome.kind === 'loaded' ? outcome.pipelines.map(({ settings }) => settings.name) : [];
  if (faults.length > 0) fail();
  if (json) printJson(io, { ok: faults.length === 0, pipelines: names, faults });
  else if (faults.length === 0) printLines(io, [`Nothing is wrong with ${names.join(', ')}.`]);
  else io.err(faults.map((fault) => `${fault}\n`).join(''));
}
