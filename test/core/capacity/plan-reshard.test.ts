import { describe, expect, test } from 'vitest';
import { Defect } from '#core/assert';
import { planReshard } from '#core/capacity/plan-reshard';
import type { ReshardAsk } from '#core/capacity/plan-reshard';

const stepsOf = (ask: ReshardAsk) => {
  const plan = planReshard(ask);
  return plan.kind === 'planned' ? plan.steps : plan.detail;
};

describe('CAPA-06: one call at most doubles or halves the shards', () => {
  test('from 3 to 20 it takes three calls, and three back', () => {
    expect(stepsOf({ current: 3, target: 20 })).toEqual([6, 12, 20]);
    expect(stepsOf({ current: 20, target: 3 })).toEqual([10, 5, 3]);
  });

  test('more calls than a day has left are refused before the first', () => {
    expect(stepsOf({ current: 3, target: 20, callsMade: 7 })).toEqual([6, 12, 20]);
    expect(stepsOf({ current: 3, target: 20, callsMade: 8 })).toBe(
      'it takes 3 calls from 3 to 20 shards, and 2 of the 10 in 24 hours are left',
    );
    expect(stepsOf({ current: 1, target: 1_024 })).toHaveLength(10);
    expect(stepsOf({ current: 1, target: 1_025, callsMade: 11 })).toBe(
      'it takes 11 calls from 1 to 1025 shards, and 0 of the 10 in 24 hours are left',
    );
  });
});

test('what is there already takes no call, on the day of any number of calls', () => {
  expect(stepsOf({ current: 7, target: 7, callsMade: 10, accountShardsFree: 0 })).toEqual([]);
});

test('the account’s shards bound a plan that opens more, and no plan that closes some', () => {
  expect(stepsOf({ current: 4, target: 7, accountShardsFree: 3 })).toEqual([7]);
  expect(stepsOf({ current: 4, target: 8, accountShardsFree: 3 })).toBe(
    "4 more shards are asked for, and the account's limit leaves 3",
  );
  expect(stepsOf({ current: 4, target: 8, accountShardsFree: -2 })).toBe(
    "4 more shards are asked for, and the account's limit leaves 0",
  );
  expect(stepsOf({ current: 4, target: 2, accountShardsFree: -2 })).toEqual([2]);
});

test('a target that no stream can have is refused', () => {
  for (const target of [0, -1, 2.5, Number.NaN, 10_001]) {
    expect(stepsOf({ current: 4, target })).toBe(`a stream has 1 to 10000 shards, not ${target}`);
  }
});

test('a stream of more than 10,000 shards is only scaled below them', () => {
  expect(stepsOf({ current: 19_998, target: 9_999 })).toEqual([9_999]);
  expect(stepsOf({ current: 12_000, target: 10_000 })).toEqual([9_999, 10_000]);
  expect(stepsOf({ current: 19_999, target: 100 })).toBe(
    'a stream of more than 10000 shards is only scaled to less than that, and half of 19999 is not',
  );
});

test('a stream without shards, or with a part of one, is a defect', () => {
  for (const current of [0, 1.5]) {
    expect(() => planReshard({ current, target: 4 })).toThrow(Defect);
  }
});

/** Fewest calls to each count, by trying every call that the documentation allows. */
function fewestCalls(from: number, shardsMax: number): ReadonlyMap<number, number> {
  const calls = new Map([[from, 0]]);
  for (const [count, made] of calls) {
    for (let next = 1; next <= Math.max(from, shardsMax); next++) {
      const isRefused =
        next > 2 * count ||
        next < count / 2 ||
        (next > count && next > shardsMax) ||
        (count > shardsMax && next >= shardsMax);
      if (!isRefused && !calls.has(next)) calls.set(next, made + 1);
    }
  }
  return calls;
}

test('every plan up to 50 shards is legal and the shortest, and only what no calls reach is refused', () => {
  const limits = { shardsMax: 24, callsMax: 4 };
  const fewest = Array.from({ length: 51 }, (_, from) => fewestCalls(from, limits.shardsMax));
  for (let current = 1; current <= 50; current++) {
    for (let target = 1; target <= 50; target++) {
      const needed = fewest[current]!.get(target) ?? Infinity;
      const plan = planReshard({ current, target }, limits);
      const what = `${current} to ${target}`;
      expect(plan.kind, what).toBe(needed <= limits.callsMax ? 'planned' : 'refused');
      if (plan.kind === 'refused') continue;
      expect(plan.steps, what).toHaveLength(needed);
      const counts = [current, ...plan.steps];
      expect(counts.at(-1), what).toBe(target);
      for (const [at, step] of plan.steps.entries()) {
        expect(fewest[counts[at]!]!.get(step), `${what} by ${step}`).toBe(1);
      }
    }
  }
});
