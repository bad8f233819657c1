/** A stream as Kinesis keeps one, as far as a publisher meets it; it shares no code with ours. */
import type { ShardRange } from '#core/partition/hash-ring';
import type { OutgoingRecord, SequenceNumber } from '#core/record/records';
import type { PutOutcome, StreamWriter } from '#ports/stream-writer';
import type { StreamShards } from '#ports/stream-shards';
import type { Dice } from '#test/simulation/dice';
import type { VirtualTime } from '#test/simulation/virtual-time';

const RING = 2n ** 128n;

export interface SimulatedStream extends StreamWriter, StreamShards {
  /** In the order written; an entry that is written twice stands there twice. */
  readonly log: readonly OutgoingRecord[];
  readonly requests: readonly (readonly OutgoingRecord[])[];
  /** How often each thing happened. */
  readonly happened: ReadonlyMap<string, number>;
  hashKey(partitionKey: string): bigint;
  /** Fails no more, and takes whatever comes. */
  calm(): void;
}

export interface StreamFaults {
  /** Once in so many; 0 never. */
  readonly entryFails: number;
  readonly wholeThrottled: number;
  readonly unanswered: number;
  readonly fewerAnswers: number;
  readonly refused: number;
  readonly reshards: number;
  readonly listingFails: number;
}

export const FAULTLESS: StreamFaults = {
  entryFails: 0,
  wholeThrottled: 0,
  unanswered: 0,
  fewerAnswers: 0,
  refused: 0,
  reshards: 0,
  listingFails: 0,
};

interface Shard {
  readonly id: string;
  readonly from: bigint;
  /** Not of it any more. */
  readonly to: bigint;
  secondOf: number;
  taken: number;
}

export function simulatedStream(
  {
    shards: count,
    recordsPerSec,
    faults,
  }: {
    readonly shards: number;
    readonly recordsPerSec: number;
    readonly faults: StreamFaults;
  },
  time: VirtualTime,
  dice: Dice,
): SimulatedStream {
  const log: OutgoingRecord[] = [];
  const requests: (readonly OutgoingRecord[])[] = [];
  const happened = new Map<string, number>();
  const note = (what: string): void => void happened.set(what, (happened.get(what) ?? 0) + 1);
  const does = (what: keyof StreamFaults): boolean => {
    if (isCalm || faults[what] === 0 || !dice.once(faults[what])) return false;
    note(what);
    return true;
  };
  let isCalm = false;
  let born = 0;
  const shardOn = (from: bigint, to: bigint): Shard => ({
    id: `shard-${born++}`,
    from,
    to,
    secondOf: 0,
    taken: 0,
  });
  let open = Array.from({ length: count }, (_, at) =>
    shardOn((RING * BigInt(at)) / BigInt(count), (RING * BigInt(at + 1)) / BigInt(count)),
  );
  const places = new Map<string, bigint>();
  const hashKey = (partitionKey: string): bigint => {
    let place = places.get(partitionKey);
    if (place === undefined) {
      place = (RING * BigInt(dice.below(1_000_003))) / 1_000_003n;
      places.set(partitionKey, place);
    }
    return place;
  };

  return { log, requests, happened, hashKey, put, listOpen, calm: () => void (isCalm = true) };

  async function put(
    records: readonly OutgoingRecord[],
    signal?: AbortSignal,
  ): Promise<readonly PutOutcome[]> {
    requests.push(records);
    const cause = new Error('no answer');
    const silent = (): PutOutcome[] => records.map(() => ({ kind: 'unknown', cause }));
    await time.sleep(dice.below(40));
    if (does('refused')) throw new Error('the stream is gone');
    if (signal?.aborted) return silent();
    if (does('reshards')) reshard();
    if (does('wholeThrottled')) return records.map(() => ({ kind: 'throttled' }));
    if (does('unanswered')) {
      // Written now, or later, or never: whoever sent it cannot know.
      const fate = dice.below(3);
      if (fate === 0) write(records);
      if (fate === 1) void time.sleep(50 + dice.below(200)).then(() => write(records));
      await time.sleep(60);
      return silent();
    }
    const outcomes = write(records);
    await time.sleep(dice.below(10));
    if (does('fewerAnswers')) return silent();
    return outcomes;
  }

  /** Its entries in any order, as Kinesis may. */
  function write(records: readonly OutgoingRecord[]): PutOutcome[] {
    const outcomes: PutOutcome[] = [];
    const order = records.map((_, at) => at);
    for (let at = order.length - 1; at > 0; at--) {
      const other = dice.below(at + 1);
      [order[at], order[other]] = [order[other] as number, order[at] as number];
    }
    for (const at of order) {
      const record = records[at] as OutgoingRecord;
      outcomes[at] = writeOne(record);
    }
    return outcomes;
  }

  function writeOne(record: OutgoingRecord): PutOutcome {
    if (does('entryFails')) return { kind: 'failed', code: 'InternalFailure' };
    const place = hashKey(record.partitionKey);
    const shard = open.find(({ from, to }) => place >= from && place < to) as Shard;
    const second = Math.floor(time.nowMs() / 1_000);
    if (second !== shard.secondOf) Object.assign(shard, { secondOf: second, taken: 0 });
    if (!isCalm && shard.taken >= recordsPerSec) {
      note('shardFull');
      return { kind: 'throttled' };
    }
    shard.taken++;
    log.push(record);
    const sequenceNumber = String(log.length) as SequenceNumber;
    return { kind: 'written', sequenceNumber, shardId: shard.id };
  }

  function reshard(): void {
    const at = dice.below(open.length);
    const one = open[at] as Shard;
    const next = open[at + 1];
    if (next !== undefined && dice.once(2)) {
      note('merge');
      open.splice(at, 2, shardOn(one.from, next.to));
      return;
    }
    note('split');
    const middle = (one.from + one.to) / 2n;
    open = open.toSpliced(at, 1, shardOn(one.from, middle), shardOn(middle, one.to));
  }

  async function listOpen(): Promise<readonly ShardRange[]> {
    await time.sleep(dice.below(20));
    if (does('listingFails')) throw new Error('the stream may not be listed');
    return open.map(({ id, from, to }) => ({
      shardId: id,
      startingHashKey: from,
      endingHashKey: to - 1n,
    }));
  }
}
