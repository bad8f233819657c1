import { describe, expect, test } from 'vitest';
import type { SequenceNumber } from '#core/record/records';
import type {
  Checkpoint,
  CheckpointPlace,
  CheckpointReader,
  CheckpointStore,
} from '#ports/checkpoint-store';

/** What every CheckpointStore and its CheckpointReader promise. */
export function checkpointStoreContract(
  name: string,
  open: () => Promise<CheckpointStore & CheckpointReader>,
): void {
  const who = { pipeline: 'orders', consumer: 'audit' };
  const place = (
    sequence: number | string,
    change: Partial<CheckpointPlace> = {},
  ): CheckpointPlace => ({
    ...who,
    shardId: 'shardId-000000000004',
    reach: 'frontier',
    sequenceNumber: String(sequence) as SequenceNumber,
    arrivalTimeMs: 1_900_000_000_001,
    eventTimeMs: 1_899_999_999_333,
    atMs: 1_900_000_000_777,
    ...change,
  });
  const standing = (at: CheckpointPlace, doneTotal: number): Checkpoint => ({ ...at, doneTotal });

  describe(`CheckpointStore: ${name}`, () => {
    test('nothing saved, nothing listed', async () => {
      const store = await open();
      expect(await store.list(who)).toEqual([]);
    });

    test('a checkpoint reads back as it was saved', async () => {
      const store = await open();
      const saved = place('49590338271490256608559692538361571095921575989136588898');
      await store.save(saved, 12);
      expect(await store.list(who)).toEqual([standing(saved, 12)]);
    });

    test('a record without an event time takes the one before it away', async () => {
      const store = await open();
      const { eventTimeMs: _, ...untimed } = place(6);
      await store.save(place(5), 1);
      await store.save(untimed, 1);
      expect(await store.list(who)).toEqual([standing(untimed, 2)]);
    });

    test('10 follows 9, and 9 does not follow 10', async () => {
      const store = await open();
      const far = place(10, { atMs: 1_900_000_000_888 });
      await store.save(place(9), 9);
      await store.save(far, 1);
      await store.save(place(9), 9);
      await store.save(place(10), 1);
      expect(await store.list(who)).toEqual([standing(far, 10)]);
    });

    test('shards are listed in order, each with its own place', async () => {
      const store = await open();
      const other = place(3, { shardId: 'shardId-000000000001' });
      await store.save(place(7), 2);
      await store.save(other, 4);
      expect(await store.list(who)).toEqual([standing(other, 4), standing(place(7), 2)]);
    });

    test('the two reaches of a shard do not disturb each other', async () => {
      const store = await open();
      const highest = place(12, { reach: 'highest-finished', arrivalTimeMs: 1_900_000_000_002 });
      await store.save(highest, 3);
      await store.save(place(5), 5);
      expect(await store.list(who)).toEqual([standing(place(5), 5), standing(highest, 3)]);
    });

    test('of batches beside each other, one that ends later behind the others counts all the same', async () => {
      const store = await open();
      const highest = place(12, { reach: 'highest-finished' });
      await store.save(highest, 3);
      await store.save(place(11, { reach: 'highest-finished' }), 8);
      expect(await store.list(who)).toEqual([standing(highest, 11)]);
    });

    test('consumers and pipelines do not see each other', async () => {
      const store = await open();
      await store.save(place(1, { consumer: 'orders' }), 1);
      await store.save(place(2, { pipeline: 'quakes' }), 1);
      expect(await store.list(who)).toEqual([]);
    });
  });
}
