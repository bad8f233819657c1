/** Reads a whole stream from a place on: every shard, parents before children. */
import {
  GetRecordsCommand,
  GetShardIteratorCommand,
  ListShardsCommand,
} from '@aws-sdk/client-kinesis';
import type { GetShardIteratorCommandInput, KinesisClient, Shard } from '@aws-sdk/client-kinesis';

export interface ReadRecord {
  readonly shardId: string;
  readonly sequenceNumber: string;
  readonly partitionKey: string;
  readonly data: Uint8Array;
  readonly arrivalTimeMs: number;
}

export type ReadFrom =
  | { readonly kind: 'trim-horizon' }
  | { readonly kind: 'latest' }
  | { readonly kind: 'at'; readonly timestampMs: number }
  /** With the record of that number, or after it. */
  | { readonly kind: 'from' | 'after'; readonly sequenceNumber: string };

export interface ShardPage {
  readonly records: readonly ReadRecord[];
  /** Where to go on; undefined at the end of a closed shard. */
  readonly next: string | undefined;
  /** From now to the last record read; 0 at the tip. */
  readonly behindMs: number;
}

/** @source Kinesis API 2013-12-02, GetRecords: five reads a second and shard, 10,000 records. */
const READ_GAP_MS = 220;
const PAGE_RECORDS_MAX = 10_000;
const SHARDS_PAGE = 1_000;

/** List all shards, parents before children. */
export async function listShards(client: KinesisClient, stream: string): Promise<readonly Shard[]> {
  const shards: Shard[] = [];
  let token: string | undefined;
  do {
    const from = token === undefined ? { StreamName: stream } : { NextToken: token };
    const answer = await client.send(new ListShardsCommand({ ...from, MaxResults: SHARDS_PAGE }));
    shards.push(...(answer.Shards ?? []));
    token = answer.NextToken;
  } while (token !== undefined);
  return parentsFirst(shards);
}

/** Order shards so that none stands before its parents. */
export function parentsFirst(shards: readonly Shard[]): readonly Shard[] {
  const byId = new Map(shards.map((shard) => [shard.ShardId, shard]));
  const placed = new Set<Shard>();
  const place = (shard: Shard | undefined): void => {
    if (shard === undefined || placed.has(shard)) return;
    place(byId.get(shard.ParentShardId));
    place(byId.get(shard.AdjacentParentShardId));
    placed.add(shard);
  };
  shards.forEach(place);
  return [...placed];
}

/** One shard, read on and on. */
export interface OpenShard {
  readonly shardId: string;
  /** True at the end of a closed shard: nothing follows. */
  isReadOut(): boolean;
  /** The next page. An iterator that grew too old is renewed where the last record was. */
  read(limit?: number): Promise<ShardPage>;
}

/** Open a shard at a place. */
export async function openShard(
  client: KinesisClient,
  { stream, shardId, from }: { stream: string; shardId: string; from: ReadFrom },
  nowMs: () => number = Date.now,
): Promise<OpenShard> {
  // Opened anew, LATEST would leave out what came in between: the moment of opening does not.
  let place: ReadFrom = from.kind === 'latest' ? { kind: 'at', timestampMs: nowMs() } : from;
  let iterator = await openIterator(client, { stream, shardId, from });

  const readOn = async (limit?: number): Promise<ShardPage> => {
    if (iterator === undefined) return { records: [], next: undefined, behindMs: 0 };
    try {
      return await readPage(client, { shardId, iterator, limit });
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'ExpiredIteratorException') throw error;
      iterator = await openIterator(client, { stream, shardId, from: place });
      return readOn(limit);
    }
  };
  return {
    shardId,
    isReadOut: () => iterator === undefined,
    async read(limit) {
      const page = await readOn(limit);
      const last = page.records.at(-1);
      if (last !== undefined) place = { kind: 'after', sequenceNumber: last.sequenceNumber };
      iterator = page.next;
      return page;
    },
  };
}

async function openIterator(
  client: KinesisClient,
  { stream, shardId, from }: { stream: string; shardId: string; from: ReadFrom },
): Promise<string | undefined> {
  const place = { StreamName: stream, ShardId: shardId };
  const answer = await client.send(new GetShardIteratorCommand({ ...place, ...iteratorOf(from) }));
  return answer.ShardIterator;
}

function iteratorOf(
  from: ReadFrom,
): Pick<
  GetShardIteratorCommandInput,
  'ShardIteratorType' | 'StartingSequenceNumber' | 'Timestamp'
> {
  switch (from.kind) {
    case 'trim-horizon':
      return { ShardIteratorType: 'TRIM_HORIZON' };
    case 'latest':
      return { ShardIteratorType: 'LATEST' };
    case 'at':
      return { ShardIteratorType: 'AT_TIMESTAMP', Timestamp: new Date(from.timestampMs) };
    case 'from':
    case 'after':
      return {
        ShardIteratorType: from.kind === 'from' ? 'AT_SEQUENCE_NUMBER' : 'AFTER_SEQUENCE_NUMBER',
        StartingSequenceNumber: from.sequenceNumber,
      };
  }
}

/** Read one page; a read that the shard throttles is tried again after its turn. */
async function readPage(
  client: KinesisClient,
  {
    shardId,
    iterator,
    limit = PAGE_RECORDS_MAX,
  }: {
    shardId: string;
    iterator: string;
    limit?: number | undefined;
  },
): Promise<ShardPage> {
  for (;;) {
    try {
      const command = new GetRecordsCommand({ ShardIterator: iterator, Limit: limit });
      const {
        Records = [],
        NextShardIterator,
        MillisBehindLatest = 0,
      } = await client.send(command);
      const records = Records.map((record) => ({
        shardId,
        sequenceNumber: record.SequenceNumber ?? '',
        partitionKey: record.PartitionKey ?? '',
        data: record.Data ?? new Uint8Array(),
        arrivalTimeMs: record.ApproximateArrivalTimestamp?.getTime() ?? 0,
      }));
      return { records, next: NextShardIterator ?? undefined, behindMs: MillisBehindLatest };
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'ProvisionedThroughputExceededException')
        throw error;
      await new Promise((resolve) => setTimeout(resolve, READ_GAP_MS));
    }
  }
}

/** Read every shard from a place up to its tip, or its end. */
export async function* readToTip(
  client: KinesisClient,
  { stream, from }: { stream: string; from: ReadFrom },
): AsyncGenerator<ReadRecord> {
  yield* readShards(client, { stream, from, shards: await listShards(client, stream) });
}

/**
 * Read some shards, one after the other, up to their tips, or their ends. A page without records is
 * the tip only where nothing lies behind it.
 */
export async function* readShards(
  client: KinesisClient,
  { stream, from, shards }: { stream: string; from: ReadFrom; shards: readonly Shard[] },
): AsyncGenerator<ReadRecord> {
  for (const { ShardId: shardId = '' } of shards) {
    const shard = await openShard(client, { stream, shardId, from });
    for (let isAtTip = false; !isAtTip && !shard.isReadOut();) {
      const page = await shard.read();
      yield* page.records;
      isAtTip = page.behindMs === 0 && page.records.length === 0;
    }
  }
}
