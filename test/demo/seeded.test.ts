import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drawBelow, seeded } from '#demo/seeded';
import { virtualClock } from '#demo/virtual-clock';

const draws = (seed: number, count: number) => {
  const draw = seeded(seed);
  return Array.from({ length: count }, () => draw());
};

test('one seed draws one row of numbers, in [0, 1)', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const drawn = draws(seed, 40);
      expect(drawn).toEqual(draws(seed, 40));
      expect(drawn.every((value) => value >= 0 && value < 1)).toBe(true);
    }),
  );
});

test('numbers spread over their whole range', () => {
  const drawn = draws(7, 10_000);
  const tenths = Array.from(
    { length: 10 },
    (_, tenth) => drawn.filter((value) => Math.floor(value * 10) === tenth).length,
  );
  for (const some of tenths) expect(some).toBeGreaterThan(850);
});

test('a whole number stays below its bound, and reaches every value', () => {
  const draw = seeded(3);
  const values = new Set(Array.from({ length: 500 }, () => drawBelow(draw, 6)));
  expect([...values].sort()).toEqual([0, 1, 2, 3, 4, 5]);
});

test('a virtual clock stands until it is started, then runs as many times as fast', () => {
  const real = { ms: 400 };
  const clock = virtualClock({ startMs: 1_000_000, speed: 60, realMs: () => real.ms });
  real.ms = 900;
  expect(clock.nowMs()).toBe(1_000_000);
  clock.start();
  real.ms = 950;
  expect(clock.nowMs()).toBe(1_003_000);
  clock.start();
  real.ms = 1_000;
  expect(clock.nowMs()).toBe(1_006_000);
});
