/** An event source mapping as Lambda documents it, as far as a consumer meets it. */
import type { Dice } from '#test/simulation/dice';
import type { VirtualTime } from '#test/simulation/virtual-time';
import type { Delivered, SimulatedShard, SimulatedShards } from './simulated-shards.ts';

export interface MappingSettings {
  readonly batchSize: number;
  /** Parallelization factor: records of one partition key keep to one lane. */
  readonly lanes: number;
  readonly bisects: boolean;
  readonly retriesMax: number;
  readonly recordAgeMaxMs: number;
}

/** Undefined: the invocation failed as a whole. */
export type Answer = { readonly failures: readonly string[] } | undefined;

export interface MappingWorld {
  readonly time: VirtualTime;
  readonly dice: Dice;
  readonly note: (what: string) => void;
  readonly invoke: (batch: readonly Delivered[]) => Promise<Answer>;
  /** Takes what is never sent again, as the document that a destination gets. */
  readonly giveUp: (records: readonly Delivered[]) => void;
}

const PAUSE_MAX_MS = 60;

/** Reads every shard to its end, parents before children; returns once all are drained. */
export async function runMapping(
  shards: SimulatedShards,
  settings: MappingSettings,
  { time, dice, note, invoke, giveUp }: MappingWorld,
): Promise<void> {
  const drained = new Set<SimulatedShard>();
  await Promise.all(shards.all.filter(({ parents }) => parents.length === 0).map(drain));

  async function drain(shard: SimulatedShard): Promise<void> {
    await Promise.all(Array.from({ length: settings.lanes }, (_, lane) => drainLane(shard, lane)));
    drained.add(shard);
    const isReady = ({ parents }: SimulatedShard) =>
      parents.includes(shard) && parents.every((parent) => drained.has(parent));
    await Promise.all(shards.all.filter(isReady).map(drain));
  }

  async function drainLane(shard: SimulatedShard, lane: number): Promise<void> {
    const isOfLane = ({ record }: Delivered) =>
      shards.laneOf(record.partitionKey, settings.lanes) === lane;
    for (let at = 0; ;) {
      const batch: Delivered[] = [];
      while (at < shard.records.length && batch.length < settings.batchSize) {
        const one = shard.records[at++] as Delivered;
        if (isOfLane(one)) batch.push(one);
      }
      if (batch.length === settings.batchSize) note('full batch');
      if (batch.length > 0) await deliver(batch);
      else if (shard.isClosed) return;
      else await shards.changed();
    }
  }

  async function deliver(batch: readonly Delivered[]): Promise<void> {
    let rest = batch;
    for (let attempts = 1; ; attempts++) {
      rest = young(rest);
      if (rest.length === 0) return;
      const answer = await invoke(rest);
      if (answer?.failures.length === 0) return;
      if (answer === undefined) note('whole batch failed');
      else {
        const lowest = answer.failures.map(BigInt).reduce((a, b) => (a < b ? a : b));
        const from = rest.findIndex(({ record }) => record.sequenceNumber === String(lowest));
        if (from < 0) throw new Error('an answer names a record of the batch');
        note(from > 0 ? 'batch failed in part' : 'batch failed from its first');
        rest = rest.slice(from);
      }
      if (attempts > settings.retriesMax) {
        note('given up after retries');
        giveUp(rest);
        return;
      }
      await time.sleep(dice.below(PAUSE_MAX_MS));
      if (settings.bisects && rest.length > 1) {
        note('bisected');
        const middle = Math.ceil(rest.length / 2);
        await deliver(rest.slice(0, middle));
        await deliver(rest.slice(middle));
        return;
      }
    }
  }

  function young(records: readonly Delivered[]): readonly Delivered[] {
    const isOld = ({ record }: Delivered) =>
      time.nowMs() - record.arrivalTimeMs > settings.recordAgeMaxMs;
    const old = records.filter(isOld);
    if (old.length === 0) return records;
    note('given up by age');
    giveUp(old);
    return records.filter((one) => !isOld(one));
  }
}
