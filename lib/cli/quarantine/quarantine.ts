/** Shows and exports what rests in a pipeline's quarantine. */
import { CliError } from '#cli/cli-error';
import { printJson, printLines, wholeNumber } from '#cli/io';
import type { Io } from '#cli/io';
import { loadAll, pick } from '#cli/load';
import { withConnection } from '#cli/options';
import type { CloudOptions } from '#cli/options';
import { entryJson, listJson, listLines, showLines } from '#cli/render/quarantine';
import { plural } from '#cli/render/text';
import type { PipelineSettings } from '#config/pipeline-settings';
import { exportLines, exportToFile } from './export.ts';
import { filterOf } from './filter-options.ts';
import type { FilterOptions } from './filter-options.ts';
import { findEntry } from './find-entry.ts';
import { listEntries } from './list.ts';
import { openQuarantine } from './open-quarantine.ts';
import type { QuarantineBucket } from './open-quarantine.ts';
import { readEntry } from './read-entry.ts';

export interface ListOptions extends CloudOptions, FilterOptions {
  readonly number: string;
  readonly redriven?: boolean;
  readonly json?: boolean;
}

export interface ShowOptions extends CloudOptions {
  readonly json?: boolean;
}

export interface ExportOptions extends CloudOptions, FilterOptions {
  readonly redriven?: boolean;
  readonly to?: string;
}

/** Lines of progress come so far apart. */
const TOLD_EVERY_LINES = 1_000;

export async function listQuarantined(name: string, options: ListOptions, io: Io): Promise<void> {
  const { stage, json, redriven = false } = options;
  const numberMax = wholeNumber(options.number, '--number');
  await inQuarantine(name, options, io, async (bucket, pipeline) => {
    const filter = filterOf(pipeline, options, Date.now());
    const listing = await listEntries(bucket, filter, { numberMax, redriven });
    const where = redriven ? `sent again out of quarantine of ${name}` : `in quarantine of ${name}`;
    if (json) printJson(io, listJson(listing, { pipeline: name, stage, bucket: bucket.name }));
    else printLines(io, listLines(listing, where, Date.now()));
  });
}

export async function showQuarantined(
  { pipeline, id }: { readonly pipeline: string; readonly id: string },
  options: ShowOptions,
  io: Io,
): Promise<void> {
  await inQuarantine(pipeline, options, io, async (bucket) => {
    const entry = await readEntry(bucket, await findEntry(bucket, id));
    if (entry === undefined) throw new CliError(`The object of '${id}' was taken away meanwhile.`);
    if (options.json) printJson(io, entryJson(entry));
    else printLines(io, showLines(entry));
  });
}

export async function exportQuarantined(
  name: string,
  options: ExportOptions,
  io: Io,
): Promise<void> {
  const { to, redriven = false } = options;
  await inQuarantine(name, options, io, async (bucket, pipeline) => {
    const filter = filterOf(pipeline, options, Date.now());
    const onLine = (lines: number): void => {
      if (lines % TOLD_EVERY_LINES === 0) io.err(`${plural(lines, 'object')} …\n`);
    };
    const ask = { filter, redriven, onLine };
    const lines =
      to === undefined
        ? await exportLines(bucket, ask, io.out)
        : await exportToFile(bucket, ask, to);
    io.err(`${plural(lines, 'object')} exported${to === undefined ? '' : ` to ${to}`}.\n`);
  });
}

async function inQuarantine(
  name: string,
  options: CloudOptions,
  io: Io,
  use: (bucket: QuarantineBucket, pipeline: PipelineSettings) => Promise<void>,
): Promise<void> {
  const { stage } = options;
  const pipeline = pick(await loadAll(stage), name);
  await withConnection(options, io, async (connection) =>
    use(await openQuarantine(connection, { stage, pipeline }), pipeline),
  );
}
