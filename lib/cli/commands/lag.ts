/** penstock lag: how far every consumer is behind the tip of every shard. */
import type { Command } from 'commander';
import { printJson, printLines } from '#cli/io';
import type { Io } from '#cli/io';
import { loadAll, pick } from '#cli/load';
import { measureLag } from '#cli/measure-lag';
import { withCloud, withConnection, withExample, withJson } from '#cli/options';
import type { CloudOptions } from '#cli/options';
import { renderLag } from '#cli/render/lag';

interface LagOptions extends CloudOptions {
  readonly json?: boolean;
}

export function addLag(program: Command, io: Io): void {
  const command = program
    .command('lag')
    .summary('show how far consumers are behind')
    .description(
      'Show, for every consumer and shard, how old the oldest record is that is not done yet.',
    )
    .argument('[pipeline]', 'one pipeline only')
    .action((pipeline: string | undefined, options: LagOptions) => lag(pipeline, options, io));
  withExample(withJson(withCloud(command)), 'penstock lag orders', 'penstock lag --json');
}

async function lag(name: string | undefined, options: LagOptions, io: Io): Promise<void> {
  const { stage, json } = options;
  const all = await loadAll(stage);
  const chosen = name === undefined ? all : [pick(all, name)];
  const asks = chosen.flatMap((pipeline) =>
    pipeline.consumers.map((consumer) => ({
      stage,
      pipeline: pipeline.name,
      consumer: consumer.name,
    })),
  );
  const rows = await withConnection(options, io, (connection) =>
    Promise.all(asks.map((ask) => measureLag(connection, ask))),
  );
  if (json) printJson(io, rows.flat());
  else printLines(io, renderLag(rows.flat()));
}
