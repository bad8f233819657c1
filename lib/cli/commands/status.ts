/** penstock status: how all pipelines of a stage stand. */
import type { Command } from 'commander';
import { CliError } from '#cli/cli-error';
import { printJson, printLines } from '#cli/io';
import type { Io } from '#cli/io';
import { loadAll, pick } from '#cli/load';
import { withCloud, withConnection, withExample, withJson } from '#cli/options';
import type { CloudOptions } from '#cli/options';
import { NO_CLOUD_THERE } from '#cli/render/error';
import { renderStatus, statusJson } from '#cli/render/status';
import { plural } from '#cli/render/text';
import type { PipelineStanding } from '#cli/status/pipeline-standing';
import { cloudWords } from '#cli/typed-words';

interface StatusOptions extends CloudOptions {
  readonly json?: boolean;
}

export function addStatus(program: Command, io: Io, fail: () => void): void {
  const command = program
    .command('status')
    .summary('show how all pipelines stand')
    .description(
      'Show, for every pipeline, when a poll last succeeded, how far source and consumers are ' +
        'behind, what is in quarantine, and whether it is parked, paused, failing, stale or stopped. ' +
        'The exit code is 1 when one of them fails, is stale or stopped, or cannot be read.',
    )
    .argument('[pipelines...]', 'only these')
    .action((names: readonly string[], options: StatusOptions) =>
      status(names, options, { io, fail }),
    );
  withExample(
    withJson(withCloud(command)),
    'penstock status',
    'penstock status --cloud aws --json',
  );
}

async function status(
  names: readonly string[],
  options: StatusOptions,
  { io, fail }: { io: Io; fail: () => void },
): Promise<void> {
  const { stage, json } = options;
  const [all, { readStanding }] = await Promise.all([
    loadAll(stage),
    import('#cli/status/read-standing'),
  ]);
  const chosen = names.length === 0 ? all : [...new Set(names)].map((name) => pick(all, name));
  const where = cloudWords(options);
  const standings = await withConnection(options, io, (connection) =>
    Promise.all(chosen.map((pipeline) => readStanding(connection, { stage, pipeline, where }))),
  );
  refuseCommonFault(standings);
  const missing = standings.filter(({ deployed }) => !deployed).map(({ pipeline }) => pipeline);
  const isAsked = names.length > 0 || missing.length === standings.length;
  if (isAsked && missing.length > 0) {
    fail();
    io.err(`Not deployed in the stage ${stage}: ${missing.join(', ')}.\n`);
  }
  const faulty = standings.filter(({ faults }) => faults.length > 0).length;
  if (faulty > 0) {
    fail();
    io.err(`${faulty} of ${plural(standings.length, 'pipeline')} cannot be read whole.\n`);
  }
  if (standings.some(isInTrouble)) fail();
  if (json) printJson(io, statusJson(standings));
  else printLines(io, renderStatus(standings, Date.now()));
}

/** Failing, stale or standing still, and not because somebody said to wait. */
function isInTrouble({ source, consumers }: PipelineStanding): boolean {
  const isToWait = source?.paused != null || source?.parkedUntilMs != null;
  const isFailing = source?.outcome === 'failed' && !isToWait;
  return (
    isFailing ||
    Boolean(source?.stale) ||
    Boolean(consumers?.some(({ stopped }) => stopped !== null))
  );
}

/** Where nothing can be read, what all pipelines suffer from is said once. */
function refuseCommonFault(standings: readonly PipelineStanding[]): void {
  if (standings.some(({ faults }) => faults.includes(NO_CLOUD_THERE))) {
    throw new CliError(NO_CLOUD_THERE);
  }
  const nothingRead = standings.every(
    ({ source, consumers, quarantined }) => (source ?? consumers ?? quarantined) === null,
  );
  const common = standings[0]?.faults.filter((fault) =>
    standings.every(({ faults }) => faults.includes(fault)),
  );
  if (nothingRead && common?.[0] !== undefined) throw new CliError(common.join('\n'));
}
