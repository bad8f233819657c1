import { describe, expect, test } from 'vitest';
import type { SequenceNumber } from '#core/record/records';
import type { Checkpoint, CheckpointReader, CheckpointStore } from '#ports/checkpoint-store';

/** What every CheckpointStore and its CheckpointReader promise. */
export function checkpointStoreContract(
  name: string,
  open: () => Promise<CheckpointStore & CheckpointReader>,
): void {
  const who = { pipeline: 'orders', consumer: 'audit' };
  const checkpoint = (sequence: number | string, change: Partial<Checkpoint> = {}): Checkpoint => ({
    ...who,
    shardId: 'shardId-000000000004',
    reach: 'frontier',
    sequenceNumber: String(sequence) as SequenceNumber,
    arrivalTimeMs: 1_900_000_000_001,
    atMs: 1_900_000_000_777,
    ...change,
  });

  describe(`CheckpointStore: ${name}`, () => {
    test('nothing saved, nothing listed', async () => {
      const store = await open();
      expect(await store.list(who)).toEqual([]);
    });

    test('a checkpoint reads back as it was saved', async () => {
      const store = await open();
      const saved = checkpoint('49590338271490256608559692538361571095921575989136588898');
      await store.save(saved);
      expect(await store.list(who)).toEqual([saved]);
    });

    test('10 follows 9, and 9 does not follow 10', async () => {
      const store = await open();
      const far = checkpoint(10, { atMs: 1_900_000_000_888 });
      await store.save(checkpoint(9));
      await store.save(far);
      await store.save(checkpoint(9));
      await store.save(checkpoint(10));
      expect(await store.list(who)).toEqual([far]);
    });

    test('shards are listed in order, each with its own place', async () => {
      const store = await open();
      const other = checkpoint(3, { shardId: 'shardId-000000000001' });
      await store.save(checkpoint(7));
      await store.save(other);
      expect(await store.list(who)).toEqual([other, checkpoint(7)]);
    });

    test('the two reaches of a shard do not disturb each other', async () => {
      const store = await open();
      const highest = checkpoint(12, {
        reach: 'highest-finished',
        arrivalTimeMs: 1_900_000_000_002,
      });
      await store.save(highest);
      await store.save(checkpoint(5));
      await store.save(checkpoint(11, { reach: 'highest-finished' }));
      expect(await store.list(who)).toEqual([checkpoint(5), highest]);
    });

    test('consumers and pipelines do not see each other', async () => {
      const store = await open();
      await store.save(checkpoint(1, { consumer: 'orders' }));
      await store.save(checkpoint(2, { pipeline: 'quakes' }));
      expect(await store.list(who)).toEqual([]);
    });
  });
}
