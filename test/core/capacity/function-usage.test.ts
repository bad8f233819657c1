import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SEC_PER_MONTH } from '#core/capacity/bill';
import { consumerWork, pageMsMax, pollWork, writeUnits } from '#core/capacity/function-usage';
import type { ConsumerLoad, PollLoad } from '#core/capacity/function-usage';
import { keyRate } from '#core/capacity/key-rate';
import { SHARD_LIMITS } from '#core/capacity/plan-shards';

const consumer = (over: Partial<ConsumerLoad>): ConsumerLoad => ({
  kind: 'table',
  recordsPerSec: 1_000,
  recordBytes: 500,
  shardCount: 2,
  batchSize: 100,
  batchingWindowSec: 0,
  batchesPerShard: 1,
  concurrency: 8,
  memoryMb: 512,
  ...over,
});

const poller = (over: Partial<PollLoad>): PollLoad => ({
  recordsPerSec: 10,
  ticksPerMonth: 43_800,
  pageSize: 500,
  horizonSec: 0,
  memoryMb: 512,
  ...over,
});

const perSec = (load: ConsumerLoad) => consumerWork(load).invocations / SEC_PER_MONTH;

describe('a consumer is invoked', () => {
  test('for every full batch, where the load fills them', () => {
    expect(perSec(consumer({}))).toBeCloseTo(10);
  });

  test('at every read of a shard, where it does not', () => {
    expect(perSec(consumer({ recordsPerSec: 50 }))).toBeCloseTo(2);
    expect(perSec(consumer({ recordsPerSec: 50, batchesPerShard: 3 }))).toBeCloseTo(6);
    expect(perSec(consumer({ recordsPerSec: 10, batchingWindowSec: 10 }))).toBeCloseTo(0.2);
  });

  test('at most once a record', () => {
    expect(perSec(consumer({ recordsPerSec: 0.5 }))).toBeCloseTo(0.5);
  });

  test('with no more than an invocation’s payload holds', () => {
    // 6 MiB of records of 100,000 bytes in base64, each in its envelope.
    expect(perSec(consumer({ recordBytes: 100_000, batchSize: 10_000 }))).toBeCloseTo(1_000 / 46);
  });
});

test('a consumer waits for its writes side by side, and for the checkpoint alone', () => {
  const load = consumer({ recordsPerSec: 100, batchSize: 100, shardCount: 1, memoryMb: 1_024 });
  const work = consumerWork(load, { writeMs: 8, callMs: 3 });
  expect(work.gbSeconds / SEC_PER_MONTH).toBeCloseTo((100 / 8 + 1) * 0.008);
  expect(work.writeUnits / SEC_PER_MONTH).toBeCloseTo(100 + 1);
});

test('a handler waits for its calls, and writes the checkpoint alone', () => {
  const load = { recordsPerSec: 100, batchSize: 100, shardCount: 1, memoryMb: 1_024 };
  const work = consumerWork(consumer({ ...load, kind: 'handler' }), {
    writeMs: 8,
    callMs: 40,
  });
  expect(work.gbSeconds / SEC_PER_MONTH).toBeCloseTo((100 / 8) * 0.04 + 0.008);
  expect(work.writeUnits / SEC_PER_MONTH).toBeCloseTo(1);
});

test('an item is written in units of 1 KB, each begun one whole', () => {
  expect([1, 1_024, 1_025, 4_096, 4_097].map(writeUnits)).toEqual([1, 1, 2, 4, 5]);
});

describe('a poller', () => {
  test('reads a page at every tick though there is nothing new', () => {
    const work = pollWork(poller({ recordsPerSec: 0 }), { pageMs: 1_000 });
    expect(work).toMatchObject({ invocations: 43_800, gbSeconds: 21_900, writeUnits: 3 * 43_800 });
  });

  test('reads its horizon again at every tick', () => {
    const pages = (load: PollLoad) => pollWork(load).writeUnits - 3 * load.ticksPerMonth;
    const again = pages(poller({ horizonSec: 60 }));
    expect(again).toBeCloseTo(2 * pages(poller({ horizonSec: 0 })));
  });

  test('is never busy for longer than the month, whatever the load', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), (recordsPerSec) => {
        const work = pollWork(poller({ recordsPerSec, memoryMb: 1_024 }));
        expect(work.gbSeconds).toBeLessThanOrEqual(SEC_PER_MONTH);
      }),
    );
  });

  test('keeps up with 1,500 records a second at 333 ms for a page of 500', () => {
    expect(Math.floor(pageMsMax({ recordsPerSec: 1_500, pageSize: 500 }))).toBe(333);
  });
});

test('more records are never less work', () => {
  const rate = fc.integer({ min: 1, max: 100_000 });
  fc.assert(
    fc.property(rate, rate, fc.integer({ min: 1, max: 1_000_000 }), (one, other, recordBytes) => {
      const works = [Math.min(one, other), Math.max(one, other)].flatMap((recordsPerSec) => [
        consumerWork(consumer({ recordsPerSec, recordBytes })),
        pollWork(poller({ recordsPerSec })),
      ]);
      for (const [less, more] of [works.slice(0, 3), works.slice(1)].map((w) => [w[0], w[2]])) {
        for (const part of ['invocations', 'gbSeconds', 'writeUnits', 'logBytes'] as const) {
          expect(more![part]).toBeGreaterThanOrEqual(less![part]);
        }
      }
    }),
  );
});

describe('a single key', () => {
  test('has the records of one shard, or fewer where they are large or much read', () => {
    expect(keyRate({ recordBytes: 500, sharedReaders: 1 })).toEqual({
      recordsPerSec: 1_000,
      boundBy: 'records',
    });
    expect(keyRate({ recordBytes: 2_048, sharedReaders: 1 })).toEqual({
      recordsPerSec: 512,
      boundBy: 'bytes',
    });
    expect(keyRate({ recordBytes: 2_048, sharedReaders: 4 })).toEqual({
      recordsPerSec: 256,
      boundBy: 'reads',
    });
  });

  test('fits into its shard, and is bound by the limit that is named', () => {
    const loads = fc.record({
      recordBytes: fc.integer({ min: 1, max: 1_048_576 }),
      sharedReaders: fc.integer({ min: 1, max: 5 }),
    });
    fc.assert(
      fc.property(loads, (any) => {
        const { recordsPerSec, boundBy } = keyRate(any);
        const used = {
          records: recordsPerSec / SHARD_LIMITS.writeRecordsPerSec,
          bytes: (recordsPerSec * any.recordBytes) / SHARD_LIMITS.writeBytesPerSec,
          reads:
            (recordsPerSec * any.recordBytes * any.sharedReaders) / SHARD_LIMITS.readBytesPerSec,
        };
        expect(Math.max(...Object.values(used))).toBeCloseTo(1);
        expect(used[boundBy]).toBeCloseTo(1);
      }),
    );
  });
});
