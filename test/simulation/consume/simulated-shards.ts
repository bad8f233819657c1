/** A stream as a consumer meets it: shards that split and merge; it shares no code with ours. */
import type { SequenceNumber, StoredRecord } from '#core/record/records';
import type { Dice } from '#test/simulation/dice';
import type { Content } from './contents.ts';

export interface Delivered {
  readonly content: Content;
  readonly record: StoredRecord;
}

export interface SimulatedShard {
  readonly id: string;
  /** Drained before this shard is read. */
  readonly parents: readonly SimulatedShard[];
  readonly from: number;
  /** Not of it any more. */
  readonly to: number;
  readonly records: Delivered[];
  isClosed: boolean;
}

export interface SimulatedShards {
  /** Closed ones too, parents before children. */
  readonly all: readonly SimulatedShard[];
  put(content: Content, partitionKey: string, atMs: number): void;
  reshard(): 'split' | 'merge';
  /** Nothing is written any more. */
  end(): void;
  /** Resolves when something is written, or the shards change. */
  changed(): Promise<void>;
  laneOf(partitionKey: string, lanes: number): number;
}

const RING = 1_000_003;

export function simulatedShards(count: number, dice: Dice): SimulatedShards {
  const all: SimulatedShard[] = [];
  const places = new Map<string, number>();
  // Digits become more on the way, so that text order is not number order.
  let sequence = dice.pick([1n, 88n, 9_970n, 99_999_999_999_999_999_999_999_990n]);
  let waiting: (() => void)[] = [];
  const born = (from: number, to: number, parents: readonly SimulatedShard[] = []): void =>
    void all.push({ id: `shard-${all.length}`, parents, from, to, records: [], isClosed: false });
  for (let at = 0; at < count; at++) {
    born(Math.floor((RING * at) / count), Math.floor((RING * (at + 1)) / count));
  }
  const tell = (): void => {
    for (const one of waiting) one();
    waiting = [];
  };
  const placeOf = (partitionKey: string): number => {
    const place = places.get(partitionKey) ?? dice.below(RING);
    places.set(partitionKey, place);
    return place;
  };
  const openShards = () =>
    all.filter(({ isClosed }) => !isClosed).toSorted((a, b) => a.from - b.from);

  return {
    all,
    put(content, partitionKey, atMs) {
      const place = placeOf(partitionKey);
      const shard = openShards().find(({ from, to }) => place >= from && place < to);
      if (shard === undefined) throw new Error('the shards leave a gap');
      sequence += BigInt(1 + dice.below(30));
      const sequenceNumber = String(sequence) as SequenceNumber;
      // Approximate: it need not rise.
      const arrivalTimeMs = atMs - dice.below(5);
      const data = content.bytes;
      const record = { shardId: shard.id, sequenceNumber, partitionKey, data, arrivalTimeMs };
      shard.records.push({ content, record });
      tell();
    },
    reshard() {
      const open = openShards();
      const at = dice.below(open.length);
      const [one, next] = [open[at], open[at + 1]];
      if (one === undefined) throw new Error('a stream has an open shard');
      one.isClosed = true;
      if (next !== undefined && dice.once(2)) {
        next.isClosed = true;
        born(one.from, next.to, [one, next]);
        tell();
        return 'merge';
      }
      const middle = Math.floor((one.from + one.to) / 2);
      born(one.from, middle, [one]);
      born(middle, one.to, [one]);
      tell();
      return 'split';
    },
    end() {
      for (const shard of all) shard.isClosed = true;
      tell();
    },
    changed: () => new Promise((resolve) => waiting.push(resolve)),
    laneOf: (partitionKey, lanes) => placeOf(partitionKey) % lanes,
  };
}
