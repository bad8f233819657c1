import { describe, expect, test } from 'vitest';
import { lapOver } from '#core/source/overlap';
import type { Overlap } from '#core/source/overlap';

/** A letter is a row; one in upper case will be asked for again by the next run. */
const rows = (letters: string) =>
  [...letters].map((mark) => ({ mark, isAskedAgain: mark === mark.toUpperCase() }));
const whole = (tail: string): Overlap => ({ tail: [...tail], isBroken: false });

describe('a page by offset', () => {
  test('leaves its last rows to be shown again, but never all of them', () => {
    expect(lapOver(undefined, rows('abcd'), 2)).toEqual(whole('cd'));
    expect(lapOver(undefined, rows('ab'), 2)).toEqual(whole('b'));
    expect(lapOver(undefined, rows('a'), 2)).toEqual(whole(''));
    expect(lapOver(undefined, [], 2)).toEqual(whole(''));
  });

  test('that shows one of the rows before it follows without a gap', () => {
    expect(lapOver(whole('cd'), rows('cdef'), 2)).toEqual(whole('ef'));
    expect(lapOver(whole('cd'), rows('defg'), 2)).toEqual(whole('fg'));
  });

  test('that shows none of them may leave a gap, which no later page mends', () => {
    const gap = lapOver(whole('cd'), rows('fghi'), 2);
    expect(gap).toEqual({ tail: ['h', 'i'], isBroken: true });
    expect(lapOver(gap, rows('hijk'), 2).isBroken).toBe(true);
    expect(lapOver(whole('cd'), [], 2).isBroken).toBe(true);
  });

  test('that ends with the row before it has nothing behind it', () => {
    expect(lapOver(whole('cd'), rows('cd'), 2)).toEqual(whole(''));
    expect(lapOver(whole('cd'), rows('d'), 2)).toEqual(whole(''));
    expect(lapOver(whole('cd'), rows('c'), 2)).toEqual(whole(''));
  });

  test('behind the end shows only what was put there since', () => {
    expect(lapOver(whole(''), [], 2)).toEqual(whole(''));
    expect(lapOver(whole(''), rows('XYZ'), 2)).toEqual(whole('YZ'));
    expect(lapOver(whole(''), rows('xYZ'), 2).isBroken).toBe(true);
  });
});
