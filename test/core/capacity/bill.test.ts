import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { billOf } from '#core/capacity/bill';
import type { Usage } from '#core/capacity/bill';
import { costUsd } from '#core/capacity/price-list';
import type { Price } from '#core/capacity/price-list';
import { PRICES } from '#core/capacity/prices';
import { onDemandUsage, provisionedUsage, putUnits } from '#core/capacity/stream-usage';

const REGION = 'us-east-1';
const SATURATED = { recordsPerSec: 1_000, recordBytes: 1_024, retentionHours: 24 };

const usdOf = (usages: readonly Usage[]) =>
  Object.fromEntries(billOf(usages, PRICES, REGION).lines.map(({ what, usd }) => [what, usd]));

describe('a stream', () => {
  test('one shard full of 1 KiB records costs 10.95 for itself and 36.79 for PUT units a month', () => {
    const usd = usdOf(provisionedUsage(1, SATURATED));
    expect(usd).toEqual({
      shards: expect.closeTo(10.95, 2),
      'PUT payload units': expect.closeTo(36.79, 2),
    });
  });

  test('retention costs from the second day by the shard, from the eighth by what is kept', () => {
    const ofWeek = usdOf(provisionedUsage(3, { ...SATURATED, retentionHours: 168 }));
    expect(ofWeek['kept beyond a day']).toBeCloseTo(3 * 730 * 0.02);
    expect(ofWeek).not.toHaveProperty('kept beyond a week');
    const longer = usdOf(provisionedUsage(3, { ...SATURATED, retentionHours: 169 }));
    // An hour of 1,000 KiB a second.
    expect(longer['kept beyond a week']).toBeCloseTo((3_600_000 / 1_024 ** 2) * 0.023);
    expect(longer['kept beyond a day']).toBe(ofWeek['kept beyond a day']);
  });

  test('on demand every consumer pays for what it reads, and small records for 1 KB', () => {
    const ask = { ...SATURATED, recordBytes: 100 };
    const usd = usdOf(onDemandUsage(2, ask));
    const records = 1_000 * 730 * 3_600;
    expect(usd['the stream']).toBeCloseTo(29.2);
    expect(usd['written']).toBeCloseTo((records / 1_024 ** 2) * 0.08);
    expect(usd['read']).toBeCloseTo((2 * 100 * records * 0.04) / 1_024 ** 3);
  });

  test('a load that nobody describes leaves its lines unknown', () => {
    const undescribed = { recordsPerSec: undefined, recordBytes: undefined, retentionHours: 200 };
    const { lines, usd, isComplete } = billOf(onDemandUsage(1, undescribed), PRICES, REGION);
    expect(lines.map(({ usd: dollars }) => dollars)).toEqual([
      expect.closeTo(29.2),
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(usd).toBeCloseTo(29.2);
    expect(isComplete).toBe(false);
  });
});

test('CAPA-10: units are rounded up for each record, never for a call', () => {
  expect(2 * putUnits(1_024)).toBe(2);
  expect(putUnits(25_600)).toBe(1);
  expect(putUnits(25_601)).toBe(2);
});

describe('prices', () => {
  test('a region without prices makes every line unknown', () => {
    for (const region of ['eu-west-1', 'toString']) {
      const bill = billOf(provisionedUsage(1, SATURATED), PRICES, region);
      expect(bill).toMatchObject({ usd: 0, isComplete: false });
      expect(bill.lines.every(({ usd }) => usd === undefined)).toBe(true);
    }
  });

  test('each has a source, and tiers that fall as they rise', () => {
    const all = Object.values(PRICES.regions[REGION] ?? {});
    expect(all.length).toBeGreaterThan(20);
    for (const { source, usd, beyond = [], upTo = Infinity } of all) {
      expect(source).not.toBe('');
      const tiers = [{ above: 0, usd }, ...beyond, { above: upTo, usd: 0 }];
      expect(tiers).toEqual(tiers.toSorted((one, other) => one.above - other.above));
      expect(tiers).toEqual(tiers.toSorted((one, other) => other.usd - one.usd));
    }
  });

  const TIERED: Price = {
    usd: 5,
    beyond: [
      { above: 10, usd: 3 },
      { above: 30, usd: 1 },
    ],
    upTo: 100,
    per: 2,
    unit: 'things',
    source: 'this test',
    confidence: 'high',
  };

  test('a quantity pays each tier its own price, and none beyond the last that is known', () => {
    expect(costUsd(0, TIERED)).toBe(0);
    expect(costUsd(10, TIERED)).toBe(25);
    expect(costUsd(31, TIERED)).toBe((50 + 60 + 1) / 2);
    expect(costUsd(100, TIERED)).toBe((50 + 60 + 70) / 2);
    expect(costUsd(101, TIERED)).toBeUndefined();
  });

  test('every unit more costs what its own tier says', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99 }), (quantity) => {
        const more = (costUsd(quantity + 1, TIERED) ?? 0) - (costUsd(quantity, TIERED) ?? 0);
        const tier = quantity < 10 ? 5 : quantity < 30 ? 3 : 1;
        expect(more).toBeCloseTo(tier / 2);
      }),
    );
  });
});

test('a stream’s month is its parts, and a load twice as high pays twice for records alone', () => {
  const rates = fc.record({
    recordsPerSec: fc.integer({ min: 1, max: 50_000 }),
    recordBytes: fc.integer({ min: 1, max: 1_048_576 }),
    retentionHours: fc.integer({ min: 24, max: 8_760 }),
  });
  fc.assert(
    fc.property(rates, fc.integer({ min: 1, max: 500 }), (any, shards) => {
      const once = billOf(provisionedUsage(shards, any), PRICES, REGION);
      const twice = billOf(
        provisionedUsage(shards, { ...any, recordsPerSec: 2 * any.recordsPerSec }),
        PRICES,
        REGION,
      );
      expect(once.isComplete).toBe(true);
      expect(once.usd).toBeCloseTo(once.lines.reduce((sum, { usd }) => sum + (usd ?? 0), 0));
      for (const [at, { what, usd = 0 }] of once.lines.entries()) {
        const factor = /shards|beyond a day/.test(what) ? 1 : 2;
        expect(twice.lines[at]?.usd).toBeCloseTo(usd * factor, 4);
      }
    }),
  );
});
