import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shardsTake } from '#core/capacity/shard-usage';

test('CAPA-08: the limits of a second become those of a period', () => {
  const { records, bytes } = shardsTake({ shards: 10, periodSec: 60 });
  expect(0.8 * records).toBe(480_000);
  expect(0.8 * bytes).toBe(0.8 * 10 * 1_048_576 * 60);
});

test('what shards take grows with each of them and with every second', () => {
  const limits = { writeRecordsPerSec: 7, writeBytesPerSec: 11, readBytesPerSec: 13 };
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 500 }),
      fc.integer({ min: 1, max: 3_600 }),
      (shards, periodSec) => {
        const one = shardsTake({ shards: 1, periodSec: 1 }, limits);
        const all = shardsTake({ shards, periodSec }, limits);
        expect(all).toEqual({
          records: one.records * shards * periodSec,
          bytes: one.bytes * shards * periodSec,
        });
      },
    ),
  );
});

test('a stream without a shard takes no question', () => {
  expect(() => shardsTake({ shards: 0, periodSec: 60 })).toThrow('a stream has a shard');
});
