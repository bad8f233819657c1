/** A stream that was split and merged, and a consumer that a replay calls. */
import { memoryReplayStore } from '#adapters/memory/replay-store';
import type { RangeEnd } from '#core/checkpoint/cut-at-end';
import type { RecordEnd } from '#core/checkpoint/record-end';
import type { SequenceNumber, StoredRecord } from '#core/record/records';
import { replay } from '#pipeline/replay';
import type { ReplayOptions, ReplayStart } from '#pipeline/replay';
import type { ReplayPlace } from '#ports/replay-store';
import type { ShardPlace, ShardReader } from '#ports/shard-reader';

/** What happens to the stream: a record of a key, a split, or a merge of two neighbours. */
export type Move =
  | { readonly put: number }
  | { readonly split: number }
  | { readonly merge: number };

interface ModelShard {
  readonly shardId: string;
  readonly parentShardIds: readonly string[];
  readonly start: number;
  readonly end: number;
  readonly records: StoredRecord[];
  closed: boolean;
}

/** Keys are their own hashes. */
export const KEYS = 16;
export const START_MS = 1_900_000_000_000;

/** The n-th move is made in the n-th second; its record's number is above all before it. */
export function modelStream(moves: readonly Move[]) {
  const shards: ModelShard[] = [];
  const add = (start: number, end: number, parentShardIds: readonly string[]): void => {
    const shardId = `shardId-${String(shards.length).padStart(12, '0')}`;
    shards.push({ shardId, parentShardIds, start, end, records: [], closed: false });
  };
  add(0, KEYS - 1, []);
  const open = (): ModelShard[] =>
    shards.filter(({ closed }) => !closed).toSorted((a, b) => a.start - b.start);
  const all: StoredRecord[] = [];
  for (const [at, move] of moves.entries()) {
    if ('put' in move) {
      const shard = open().find(({ start, end }) => start <= move.put && move.put <= end)!;
      const record: StoredRecord = {
        shardId: shard.shardId,
        sequenceNumber: String(100 + at) as SequenceNumber,
        partitionKey: `k${move.put}`,
        data: Buffer.from(String(at)),
        arrivalTimeMs: START_MS + at * 1_000,
      };
      shard.records.push(record);
      all.push(record);
      continue;
    }
    const now = open();
    const shard = now[('split' in move ? move.split : move.merge) % now.length]!;
    if ('split' in move) {
      if (shard.start === shard.end) continue;
      const middle = Math.floor((shard.start + shard.end) / 2);
      shard.closed = true;
      add(shard.start, middle, [shard.shardId]);
      add(middle + 1, shard.end, [shard.shardId]);
    } else {
      const right = now[now.indexOf(shard) + 1];
      if (right === undefined) continue;
      shard.closed = true;
      right.closed = true;
      add(shard.start, right.end, [shard.shardId, right.shardId]);
    }
  }
  return { shards, all };
}

export type ModelStream = ReturnType<typeof modelStream>;

/** Reads it in pages of a size, some of them empty. */
export function modelReader(
  { shards }: Pick<ModelStream, 'shards'>,
  pageSize: number,
  onOpen: (shardId: string, place: ShardPlace) => void = () => undefined,
): ShardReader {
  return {
    async open(shardId, place) {
      onOpen(shardId, place);
      const { records, closed } = shards.find((one) => one.shardId === shardId)!;
      let at = records.findIndex((record) => isAt(record, place));
      if (at < 0) at = records.length;
      let reads = 0;
      return async () => {
        reads += 1;
        if (reads % 3 === 1 && at < records.length) return { records: [], stand: 'more' };
        const page = records.slice(at, at + pageSize);
        at += page.length;
        const stand = at < records.length ? 'more' : closed ? 'end' : 'tip';
        return { records: page, stand };
      };
    },
  };
}

function isAt({ arrivalTimeMs, sequenceNumber }: StoredRecord, place: ShardPlace): boolean {
  switch (place.kind) {
    case 'trim-horizon':
      return true;
    case 'at':
      return arrivalTimeMs >= place.timestampMs;
    case 'from':
      return BigInt(sequenceNumber) >= BigInt(place.sequenceNumber);
    case 'after':
      return BigInt(sequenceNumber) > BigInt(place.sequenceNumber);
  }
}

export interface ReplayWorldAsk {
  readonly from?: ShardPlace;
  readonly end?: RangeEnd;
  readonly pageSize?: number;
  readonly lanes?: number;
  readonly recordsMax?: number;
  readonly recordsPerSec?: number;
  readonly key?: string;
  /** How a call ends its records; all written unless given. */
  readonly answer?: (records: readonly StoredRecord[], call: number) => readonly RecordEnd[];
  readonly reader?: ShardReader;
}

const NO_END: RangeEnd = { kind: 'time', untilMs: Number.MAX_SAFE_INTEGER };

/** A world that can be run again: it goes on where it was. */
export function replayWorld(stream: ModelStream, ask: ReplayWorldAsk = {}) {
  const { from = { kind: 'trim-horizon' }, end = NO_END, answer } = ask;
  const { pageSize = 4, lanes = 3, recordsMax = 3, recordsPerSec = 1_000 } = ask;
  const sent: StoredRecord[] = [];
  const places = new Map<string, ReplayPlace>();
  const opened: ShardPlace[] = [];
  let calls = 0;
  let nowMs = START_MS;
  let controller = new AbortController();
  const clock = {
    nowMs: () => nowMs,
    async sleep(durationMs: number) {
      nowMs += durationMs;
    },
  };
  const shards = (): ReplayStart[] =>
    stream.shards.map(({ shardId, parentShardIds }) => ({
      shardId,
      parentShardIds,
      from,
      before: places.get(shardId),
    }));
  return {
    sent,
    places,
    opened,
    store: memoryReplayStore(),
    clock,
    interrupt: () => controller.abort(),
    run(change: Partial<ReplayOptions> = {}) {
      controller = new AbortController();
      const options: ReplayOptions = {
        shards: shards(),
        end,
        key: ask.key,
        lanes,
        recordsMax,
        recordsPerSec,
        bytesMax: 1_000_000,
        triesMax: 2,
        signal: controller.signal,
        ...change,
      };
      return replay(options, {
        reader:
          ask.reader ?? modelReader(stream, pageSize, (_shard, place) => void opened.push(place)),
        clock,
        async call(records) {
          const ends = answer?.(records, calls++) ?? records.map(() => 'written' as const);
          for (const [at, record] of records.entries()) {
            if (ends[at] !== 'returned') sent.push(record);
          }
          return ends;
        },
        async move(place) {
          places.set(place.shardId, place);
        },
        onSent: () => undefined,
      });
    },
  };
}
