import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { backoffMs, PUT_BACKOFF } from '#core/source/backoff';
import { parseTimestamp } from '#core/record/timestamp';
import { rowTime } from '#core/source/row-time';
import {
  rememberSight,
  sightMemory,
  sightSet,
  keyBits,
  sightOf,
  SIGHTS_MAX,
} from '#core/source/sight';
import type { Sight } from '#core/source/sight';
import { watchFrom, watchNext } from '#core/source/token-watch';

describe('a backoff', () => {
  test('lies between half and whole of a ceiling that doubles up to its cap', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2_000 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (attempt, roll) => {
          const pauseMs = backoffMs(attempt, PUT_BACKOFF, roll);
          const ceilingMs = Math.min(2_000, 50 * 2 ** (attempt - 1));
          expect(pauseMs).toBeGreaterThanOrEqual(Math.floor(ceilingMs / 2));
          expect(pauseMs).toBeLessThanOrEqual(ceilingMs);
        },
      ),
    );
  });
});

test('the first day of all is no time of a row: no tick lies before it', () => {
  const timeOf = (at: string) => rowTime({ at }, ['at'], undefined);
  expect(timeOf('0000-01-01T00:00:00Z')).toBeUndefined();
  expect(timeOf('0001-01-01T00:00:00Z')).toBe('0001-01-01T00:00:00.000000000Z');
});

describe('a token watch', () => {
  const walk = (tokens: readonly string[]) => {
    let watch = watchFrom(tokens[0]!);
    for (const [at, token] of tokens.slice(1).entries()) {
      const next = watchNext(watch, token);
      if (next === undefined) return at + 1;
      watch = next;
    }
    return undefined;
  };

  test('lets tokens pass that never repeat', () => {
    expect(walk(Array.from({ length: 500 }, (_, at) => `t${at}`))).toBeUndefined();
  });

  test('finds every circle, in or after any straight beginning', () => {
    fc.assert(
      fc.property(fc.nat(20), fc.integer({ min: 1, max: 20 }), (straight, around) => {
        const tokens = Array.from(
          { length: straight + 5 * Math.max(straight, around) + 5 },
          (_, at) => (at < straight ? `s${at}` : `c${(at - straight) % around}`),
        );
        expect(walk(tokens)).toBeLessThan(tokens.length);
      }),
    );
  });
});

describe('sights', () => {
  const digestOf = (content: string) => content.padEnd(16, '0');
  const sight = (key: string, content: string) => sightOf(keyBits(key), digestOf(content));

  test('remember the newest content of a key only', () => {
    const memory = sightMemory([sight('a', '1'), sight('b', '1')], [sight('a', '2')]);
    expect(memory.isLatest(sight('a', '1'))).toBe(false);
    expect(memory.isLatest(sight('a', '2'))).toBe(true);
    expect(memory.isLatest(sight('b', '1'))).toBe(true);
    expect(memory.note(keyBits('b'), digestOf('1'))).toBe(true);
    expect(memory.note(keyBits('b'), digestOf('9'))).toBe(false);
    expect(memory.isLatest(sight('b', '1'))).toBe(false);
    expect(memory.size()).toBe(2);
  });

  test('of deletes are all remembered, not the newest of a key alone', () => {
    const memory = sightSet([sight('a', '1')]);
    expect(memory.note(keyBits('a'), digestOf('2'))).toBe(false);
    expect(memory.note(keyBits('a'), digestOf('1'))).toBe(true);
    expect(memory.note(keyBits('a'), digestOf('2'))).toBe(true);
    expect(memory.size()).toBe(2);
  });

  test('are the same as text and in memory, of any key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (key) => {
        const memory = sightMemory();
        expect(memory.note(keyBits(key), digestOf('1'))).toBe(false);
        expect(memory.isLatest(sight(key, '1'))).toBe(true);
        expect(sightMemory([sight(key, '1')]).note(keyBits(key), digestOf('1'))).toBe(true);
      }),
    );
  });

  test('are bounded: the oldest are forgotten', () => {
    const sights: Sight[] = [];
    for (let at = 0; at <= SIGHTS_MAX; at++) rememberSight(sights, sight(String(at), '1'));
    expect(sights).toHaveLength(SIGHTS_MAX);
    expect(sights[0]).toBe(sight('1', '1'));
  });
});

describe('the time of a row', () => {
  const iso = parseTimestamp('2030-03-17T17:46:40Z', 'iso');
  test.each([
    ['ISO text', '2030-03-17T17:46:40Z'],
    ['seconds', 1_900_000_000],
    ['milliseconds', 1_900_000_000_000],
  ])('is inferred from %s', (_what, updated) =>
    expect(rowTime({ updated }, ['updated'], undefined)).toBe(iso),
  );

  test('is read as told', () => {
    expect(rowTime({ updated: '1900000000' }, ['updated'], 'epoch-s')).toBe(iso);
    expect(rowTime({ updated: 'soon' }, ['updated'], undefined)).toBeUndefined();
    expect(rowTime({}, ['updated'], 'iso')).toBeUndefined();
  });
});
