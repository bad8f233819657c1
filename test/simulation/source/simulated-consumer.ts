/** Brings what stands in the stream to a table, at least once, as a mapping does. */
import { memoryBreakerStore } from '#adapters/memory/breaker-store';
import { memoryQuarantine } from '#adapters/memory/quarantine';
import type { MemoryRecordTable } from '#adapters/memory/record-table';
import type { OutgoingRecord, SequenceNumber } from '#core/record/records';
import { batchConsumer } from '#pipeline/consume';
import { tableSink } from '#pipeline/table-sink';
import type { CheckpointStore } from '#ports/checkpoint-store';
import type { Dice } from '#test/simulation/dice';
import type { VirtualTime } from '#test/simulation/virtual-time';

export interface SimulatedConsumer {
  /** Until nothing of the stream is left. */
  drain(): Promise<void>;
  /** Records that were given up, which none should be. */
  readonly givenUp: () => number;
}

interface ConsumerWorld {
  readonly table: MemoryRecordTable;
  readonly checkpoints: CheckpointStore;
  readonly time: VirtualTime;
  readonly dice: Dice;
}

export function simulatedConsumer(
  log: readonly OutgoingRecord[],
  { table, checkpoints, time, dice }: ConsumerWorld,
): SimulatedConsumer {
  const quarantine = memoryQuarantine();
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const consume = batchConsumer(
    {
      pipeline: 'parcels',
      consumer: 'parcels',
      concurrency: 3,
      batchesPerShard: 1,
      breaker: { percent: 100, recordsMin: 1_000_000 },
      code: 'code-0',
    },
    {
      sink: tableSink(table, time),
      quarantine,
      checkpoints,
      marks: memoryBreakerStore(),
      report: () => undefined,
      clock: time,
      decodeText: (bytes) => decoder.decode(bytes),
    },
  );
  let at = 0;
  return {
    givenUp: () => quarantine.kept().length,
    async drain() {
      while (at < log.length) {
        // Some are delivered a second time.
        const from = dice.once(8) ? Math.max(0, at - dice.below(10)) : at;
        const to = Math.min(log.length, at + 40);
        const records = log.slice(from, to).map(({ partitionKey, data }, index) => ({
          shardId: 'shard-0',
          sequenceNumber: String(from + index + 1) as SequenceNumber,
          partitionKey,
          data,
          arrivalTimeMs: time.nowMs(),
        }));
        await consume(records, { passage: 'stream', startUntilMs: Infinity });
        at = to;
      }
    },
  };
}
