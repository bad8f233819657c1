/** penstock lag: how far every consumer is behind the tip of every shard. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { INTERRUPTED, listenForInterrupt } from '#cli/interrupt';
import { printJson, printLines } from '#cli/io';
import type { Io } from '#cli/io';
import { loadAll, pick } from '#cli/load';
import { withCloud, withConnection, withExample, withJson } from '#cli/options';
import type { CloudOptions } from '#cli/options';
import { renderLag } from '#cli/render/lag';
import type { LagRow } from '#cli/render/lag';
import { fit } from '#cli/render/text';
import { redrawnBlock } from '#cli/screen';

interface LagOptions extends CloudOptions {
  readonly watch?: boolean;
  readonly json?: boolean;
}

const WATCH_GAP_MS = 1_000;

export function addLag(program: Command, io: Io): void {
  const command = program
    .command('lag')
    .summary('show how far consumers are behind')
    .description(
      'Show, for every consumer and shard, how old the oldest record is that is not done yet.',
    )
    .argument('[pipeline]', 'one pipeline only')
    .option('-w, --watch', 'again each second, until Ctrl-C')
    .action((pipeline: string | undefined, options: LagOptions) => lag(pipeline, options, io));
  withExample(withJson(withCloud(command)), 'penstock lag orders --watch', 'penstock lag --json');
}

async function lag(name: string | undefined, options: LagOptions, io: Io): Promise<void> {
  const { stage, json, watch } = options;
  const all = await loadAll(stage);
  const chosen = name === undefined ? all : [pick(all, name)];
  const asks = chosen.flatMap((pipeline) =>
    pipeline.consumers.map((consumer) => ({
      stage,
      pipeline: pipeline.name,
      consumer: consumer.name,
    })),
  );
  const { measureLag } = await import('#cli/measure-lag');
  await withConnection(options, io, async (connection) => {
    const measure = async () =>
      (await Promise.all(asks.map((ask) => measureLag(connection, ask)))).flat();
    if (watch) await watchLag(measure, json ?? false, io);
    else if (json) printJson(io, await measure());
    else printLines(io, renderLag(await measure()));
  });
}

/** Of JSON, one array a line; on a terminal, the table is drawn over itself. */
async function watchLag(
  measure: () => Promise<readonly LagRow[]>,
  json: boolean,
  io: Io,
): Promise<void> {
  const { signal, release } = listenForInterrupt(() => process.exit(INTERRUPTED));
  const width = io.terminalWidth;
  const block = redrawnBlock(io.out);
  const show = (rows: readonly LagRow[]): void => {
    if (json) printLines(io, [JSON.stringify(rows)]);
    else if (width === undefined) printLines(io, [...renderLag(rows), '']);
    else block.draw(renderLag(rows).map((line) => fit(line, width)));
  };
  try {
    while (!signal.aborted) {
      show(await measure());
      await pause(WATCH_GAP_MS, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    release();
  }
}
