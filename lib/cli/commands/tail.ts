/** penstock tail: records of a stream, decoded. */
import type { Command } from 'commander';
import type { Connection } from '#cli/connection';
import { wholeNumber } from '#cli/io';
import type { Io } from '#cli/io';
import { loadAll, pick } from '#cli/load';
import { withCloud, withConnection, withExample, withJson } from '#cli/options';
import type { CloudOptions } from '#cli/options';
import { parseReadFrom } from '#cli/read-from';
import { tailJson, tailLine } from '#cli/render/tail';
import { listShards, openIterator, readPage, readToTip } from '#cli/stream-reader';
import type { ReadFrom, ReadRecord } from '#cli/stream-reader';
import { pipelineNames } from '#config/resource-names';

interface TailOptions extends CloudOptions {
  readonly from: string;
  readonly number?: string;
  readonly json?: boolean;
}

/** A reader that waits for records asks this often; a shard allows five reads a second to all. */
const FOLLOW_GAP_MS = 1_000;

export function addTail(program: Command, io: Io): void {
  const command = program
    .command('tail')
    .summary('print records of a stream')
    .description('Print the records of a pipeline’s stream from a place on, shard by shard.')
    .argument('<pipeline>')
    .option(
      '--from <place>',
      'oldest, now (and follow), a span such as 15m, or an ISO 8601 time',
      'oldest',
    )
    .option('-n, --number <count>', 'stop after so many records')
    .action((pipeline: string, options: TailOptions) => tail(pipeline, options, io));
  withExample(
    withJson(withCloud(command), 'print one JSON object a line'),
    'penstock tail orders --from 15m -n 20',
    'penstock tail orders --from now',
  );
}

async function tail(name: string, options: TailOptions, io: Io): Promise<void> {
  const { stage, number } = options;
  const from = parseReadFrom(options.from, Date.now());
  const countMax = number === undefined ? Infinity : wholeNumber(number, '--number');
  pick(await loadAll(stage), name);
  const { stream } = pipelineNames(stage, name);
  const render = options.json ? tailJson : tailLine;
  await withConnection(options, io, async (connection) => {
    let printed = 0;
    for await (const record of recordsOf(connection, { stream, from })) {
      if (printed >= countMax) return;
      io.out(`${render(record)}\n`);
      printed += 1;
      if (printed >= countMax) return;
    }
  });
}

function recordsOf(
  { kinesis }: Connection,
  { stream, from }: { stream: string; from: ReadFrom },
): AsyncGenerator<ReadRecord> {
  return from.kind === 'latest' ? follow(kinesis, stream) : readToTip(kinesis, { stream, from });
}

/** New records of the shards that are open now, until the command is ended. */
async function* follow(kinesis: Connection['kinesis'], stream: string): AsyncGenerator<ReadRecord> {
  const shards = await listShards(kinesis, stream);
  let places = await Promise.all(
    shards.map(async ({ ShardId: shardId = '' }) => ({
      shardId,
      iterator: await openIterator(kinesis, { stream, shardId, from: { kind: 'latest' } }),
    })),
  );
  while (places.length > 0) {
    const next: typeof places = [];
    for (const { shardId, iterator } of places) {
      if (iterator === undefined) continue;
      const page = await readPage(kinesis, { shardId, iterator });
      yield* page.records;
      next.push({ shardId, iterator: page.next });
    }
    places = next;
    await new Promise((resolve) => setTimeout(resolve, FOLLOW_GAP_MS));
  }
}
