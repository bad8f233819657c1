/** penstock backfill: read a source's history onto its stream. */
import type { Command } from 'commander';
import type { BackfillOptions } from '#cli/backfill/backfill';
import { SLICE } from '#cli/backfill/backfill-ask';
import type { Io } from '#cli/io';
import { withCloud, withExample, withJson, withPipelines } from '#cli/options';

export function addBackfill(program: Command, io: Io, fail: (code?: number) => void): void {
  const command = program
    .command('backfill')
    .summary('read a source’s history onto its stream')
    .description(
      'Ask a source from here for what lies before its live polls, slice by slice, and publish it beside them. ' +
        'What live polls published stands against it, whenever either arrives. A backfill that was ended goes on when the same ' +
        'command is given again. Settings and secrets are read from variables, as penstock up reads them.',
    )
    .argument('<pipeline>')
    .requiredOption(
      '--from <time>',
      'where history begins: a date, an ISO 8601 time with its zone, or a span such as 90d',
    )
    .option('--to <time>', 'where it ends: as --from; where live polls begin unless given')
    .option('--slice <span>', 'how much of it is asked for at once, such as 6h', SLICE)
    .option(
      '--max-behind <span>',
      'wait while a consumer is further behind; half of alarms.iteratorAgeMinutes unless given',
    )
    .option(
      '--dry-run',
      'read the first page of some slices, say what it may cost, and publish nothing',
    )
    .option('--restart', 'begin anew, where another is not over')
    .option('--yes', 'do not ask for the pipeline’s name')
    .action(async (pipeline: string, options: BackfillOptions) => {
      const { backfillCommandLine } = await import('#cli/backfill/backfill');
      await backfillCommandLine(pipeline, options, { io, fail });
    });
  withExample(
    withJson(withPipelines(withCloud(command))),
    'penstock backfill orders --from 2031-01-01 --dry-run',
    'penstock backfill orders --from 2031-01-01 --to 2031-04-01 --slice 6h',
  );
}
