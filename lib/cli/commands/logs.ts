/** penstock logs: what a pipeline's functions wrote. */
import type { Command } from 'commander';
import { UsageError } from '#cli/cli-error';
import { INTERRUPTED, listenForInterrupt } from '#cli/interrupt';
import { printLines } from '#cli/io';
import type { Io } from '#cli/io';
import { loadAll, pick } from '#cli/load';
import { withCloud, withConnection, withExample, withJson } from '#cli/options';
import type { CloudOptions } from '#cli/options';
import { parseSince } from '#cli/read-from';
import { LEVELS, levelOf, logLine } from '#cli/render/log-line';
import type { LogLevel } from '#cli/render/log-line';
import type { PipelineSettings } from '#config/pipeline-settings';
import { consumerNames, pipelineNames } from '#config/resource-names';

interface LogsOptions extends CloudOptions {
  readonly function?: string;
  readonly since: string;
  readonly level: string;
  readonly follow?: boolean;
  readonly json?: boolean;
}

export function addLogs(program: Command, io: Io): void {
  const command = program
    .command('logs')
    .summary('print what functions wrote')
    .description('Print what a pipeline’s functions wrote, the oldest first.')
    .argument('<pipeline>')
    .option('--function <name>', "'poll', a consumer's name, or 'recover' (default: all)")
    .option('-f, --follow', 'go on with what comes, until Ctrl-C')
    .option('--since <time>', 'a span such as 10m, or an ISO 8601 time', '10m')
    .option('--level <level>', `no less than this: ${LEVELS.join(', ')}`, 'info')
    .action((pipeline: string, options: LogsOptions) => logs(pipeline, options, io));
  withExample(
    withJson(withCloud(command), 'print lines as they were written, metrics included'),
    'penstock logs orders --since 1h --level warn',
    'penstock logs orders --function poll --follow',
  );
}

async function logs(name: string, options: LogsOptions, io: Io): Promise<void> {
  const { stage, json } = options;
  const sinceMs = parseSince(options.since, Date.now());
  const level = parseLevel(options.level);
  const functions = functionsOf(pick(await loadAll(stage), name), options);
  const { readLogs } = await import('#cli/log-reader');
  const interrupt = options.follow
    ? listenForInterrupt(() => process.exit(INTERRUPTED))
    : undefined;
  const prefix = `penstock-${stage}-`;
  let isSilent = true;
  try {
    await withConnection(options, io, async (connection) => {
      const ask = { functions, sinceMs, follow: interrupt?.signal };
      for await (const event of readLogs(await connection.signed('logs'), ask)) {
        const loudness = levelOf(event);
        if (json ? isBelow(loudness ?? 'info', level) : isBelow(loudness, level)) continue;
        isSilent = false;
        if (json) io.out(`${event.message}\n`);
        else printLines(io, logLine(event, { prefix }).split('\n'));
      }
    });
  } finally {
    interrupt?.release();
  }
  if (isSilent) io.err(`${nothingWritten(name, { sinceMs, level })}\n`);
}

function nothingWritten(
  name: string,
  { sinceMs, level }: { readonly sinceMs: number; readonly level: LogLevel },
): string {
  const since = new Date(sinceMs).toISOString();
  return `Nothing at ${level} or above was written for ${name} since ${since}; --since and --level ask for more.`;
}

function isBelow(level: LogLevel | undefined, least: LogLevel): boolean {
  return level === undefined || LEVELS.indexOf(level) < LEVELS.indexOf(least);
}

function parseLevel(text: string): LogLevel {
  const level = LEVELS.find((known) => known === text.toLowerCase());
  if (level !== undefined) return level;
  throw new UsageError(`--level must be ${LEVELS.join(', ')}, not '${text}'.`);
}

/** @throws {UsageError} naming those there are. */
function functionsOf(pipeline: PipelineSettings, options: LogsOptions): readonly string[] {
  const { stage } = options;
  const all = new Map([['poll', pipelineNames(stage, pipeline.name).pollFunction]]);
  for (const { name } of pipeline.consumers) {
    all.set(name, consumerNames(stage, pipeline.name, name).function);
  }
  all.set('recover', pipelineNames(stage, pipeline.name).recoverFunction);
  if (options.function === undefined) return [...all.values()];
  const chosen = all.get(options.function);
  if (chosen !== undefined) return [chosen];
  throw new UsageError(
    `${pipeline.name} has no function '${options.function}'; there are: ${[...all.keys()].join(', ')}.`,
  );
}
