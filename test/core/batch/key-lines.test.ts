import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keyLines } from '#core/batch/key-lines';

const move = fc.record({
  kind: fc.constantFrom('enter' as const, 'enter' as const, 'leave' as const),
  key: fc.constantFrom('a', 'b', 'c'),
});

test('of a key one is at work, and the others wait in the order in which they came', () => {
  fc.assert(
    fc.property(fc.array(move, { maxLength: 40 }), (moves) => {
      const lines = keyLines<number>();
      /** Of each key, the one at work first. */
      const queues = new Map<string, number[]>();
      for (const [number, { kind, key }] of moves.entries()) {
        const queue = queues.get(key) ?? [];
        queues.set(key, queue);
        if (kind === 'enter') {
          expect(lines.enter(key, number)).toBe(queue.length === 0);
          queue.push(number);
        } else if (queue.length > 0) {
          queue.shift();
          expect(lines.leave(key)).toBe(queue[0]);
        }
        const waiting = [...queues.values()].map((all) => all.slice(1));
        const lengths = waiting.map(({ length }) => length);
        expect(lines.waiting()).toBe(lengths.reduce((sum, length) => sum + length, 0));
        expect(lines.longest()).toBe(Math.max(0, ...lengths));
        expect(lines.entries().toSorted((a, b) => a - b)).toEqual(
          waiting.flat().toSorted((a, b) => a - b),
        );
      }
    }),
    { numRuns: 300 },
  );
});

test('a key that nobody is at work for leaves nothing behind', () => {
  const lines = keyLines<number>();
  expect(lines.leave('a')).toBe(undefined);
  expect(lines.enter('a', 1)).toBe(true);
  expect([lines.waiting(), lines.longest(), lines.entries()]).toEqual([0, 0, []]);
});
