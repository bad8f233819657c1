import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sortedRun } from '#core/batch/sorted-run';

type Move = { kind: 'add' | 'merge'; places: number[] } | { kind: 'shift'; times: number };

const places = fc.uniqueArray(fc.nat(10_000), { minLength: 1, maxLength: 5 });
const move: fc.Arbitrary<Move> = fc.oneof(
  fc.record({ kind: fc.constantFrom('add' as const, 'merge' as const), places }),
  // So many that what was taken is forgotten, and then some.
  fc.record({ kind: fc.constant('shift' as const), times: fc.constantFrom(1, 3, 1_500) }),
);

test('whatever is added, merged and taken, the first is the one with the lowest place', () => {
  fc.assert(
    fc.property(fc.array(move, { maxLength: 12 }), (moves) => {
      const run = sortedRun<{ place: number }>();
      const filling = Array.from({ length: 2_000 }, (_, at) => at * 5 + 0.5);
      for (const place of filling) run.add({ place });
      let model = filling;
      for (const one of moves) {
        if (one.kind === 'shift') {
          for (let time = 0; time < one.times; time++) {
            expect(run.shift()?.place).toBe(model[0]);
            model = model.slice(1);
          }
        } else {
          const added = one.places.map((place) => ({ place }));
          if (one.kind === 'merge') run.merge(added);
          else for (const entry of added) run.add(entry);
          model = [...model, ...one.places].toSorted((a, b) => a - b);
        }
        expect(run.first()?.place).toBe(model[0]);
        expect(run.length()).toBe(model.length);
      }
    }),
    { numRuns: 40 },
  );
});

test('an empty run has no first, and stays empty however often it is asked', () => {
  const run = sortedRun<{ place: number }>();
  expect([run.first(), run.shift(), run.shift(), run.length()]).toEqual([
    undefined,
    undefined,
    undefined,
    0,
  ]);
  run.add({ place: 1 });
  expect([run.shift(), run.shift(), run.length()]).toEqual([{ place: 1 }, undefined, 0]);
});
