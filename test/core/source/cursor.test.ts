import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Defect } from '#core/assert';
import {
  abandonRun,
  applyRows,
  clampOf,
  continueRun,
  endRun,
  followToken,
  FRESH_CURSOR,
  NO_ROWS,
} from '#core/source/cursor';
import type { Cursor, SeenRow, Settling } from '#core/source/cursor';
import { decodeCursor, encodeCursor } from '#core/source/cursor-text';
import { SIGHTS_MAX } from '#core/source/sight';
import type { Sight } from '#core/source/sight';
import { timestampOfMs } from '#core/record/timestamp';
import type { Timestamp } from '#core/record/timestamp';

const STARTED_MS = 1_900_000_000_000;
const HORIZON_MS = 90_000;
const settling: Settling = {
  horizonMs: HORIZON_MS,
  ordered: true,
  paramFormat: 'iso',
  inclusive: true,
};
const run = { startedAtMs: STARTED_MS, settling };
const clamp = clampOf(STARTED_MS, settling);
const sight = (name: string) => name.padEnd(24, '0') as Sight;

/** A row so many seconds after the clamp. */
const row = (name: string, second: number): SeenRow => ({
  time: timestampOfMs(STARTED_MS - HORIZON_MS + second * 1_000),
  sight: sight(name),
});
const at = (second: number) => row('', second).time as Timestamp;
const pageEnd = (rows: SeenRow[]) => ({
  query: { since: 'then' },
  startedAtMs: STARTED_MS,
  rows: applyRows(NO_ROWS, rows, run),
});
const ended = (rows: SeenRow[], before = FRESH_CURSOR) => endRun(before, pageEnd(rows), settling);

describe('the end of a run', () => {
  test('moves the boundary to the newest row, and remembers who shares its time', () => {
    expect(ended([row('a', -9), row('b', -5), row('c', -5)])).toEqual({
      boundary: at(-5),
      seen: [sight('b'), sight('c')],
      run: null,
    });
  });

  test('of a span with an end lies at that end, though no row shows a time; of another it stays', () => {
    const rows = [{ time: undefined, sight: sight('a') }];
    const to = at(-60);
    expect(endRun(FRESH_CURSOR, { ...pageEnd(rows), to }, settling).boundary).toBe(to);
    expect(ended(rows)).toEqual(FRESH_CURSOR);
  });

  test('stops at the clamp, and remembers what lies at or after it', () => {
    expect(ended([row('a', -1), row('b', 0), row('c', 7), row('d', 86_400)])).toEqual({
      boundary: clamp,
      seen: [sight('b'), sight('c'), sight('d')],
      run: null,
    });
  });

  test('without rows moves to the clamp, never back', () => {
    expect(ended([]).boundary).toBe(clamp);
    expect(ended([], { ...FRESH_CURSOR, boundary: at(3) }).boundary).toBe(at(3));
    expect(ended([row('a', -9)], { ...FRESH_CURSOR, boundary: at(-2) }).boundary).toBe(at(-2));
  });

  test('whose rows have no time moves nothing', () => {
    const before: Cursor = { boundary: at(-7), seen: [sight('z')], run: null };
    expect(ended([{ time: undefined, sight: sight('a') }], before)).toEqual(before);
  });

  test('remembers nothing of rows that were left out, though they move the boundary', () => {
    const { time } = row('a', -4);
    expect(ended([{ time, sight: undefined }])).toEqual({ boundary: at(-4), seen: [], run: null });
  });
});

test('a cursor fits into its item, however many rows share a tick', () => {
  const coarse: Settling = { ...settling, paramFormat: 'epoch-s', inclusive: false };
  const taken = { startedAtMs: STARTED_MS, settling: coarse };
  const many = [-2, -1, -1, 0].flatMap((second, turn) =>
    Array.from({ length: SIGHTS_MAX }, (_, at) => row(`${turn}.${at}`, second)),
  );
  const rows = [...many.keys()]
    .filter((at) => at % 1_000 === 0)
    .map((to) => applyRows(NO_ROWS, many.slice(0, to), taken));
  const watch = followToken(FRESH_CURSOR, 't')!;
  for (const seen of rows) {
    const page = { query: {}, startedAtMs: STARTED_MS, rows: seen };
    const between = endRun(FRESH_CURSOR, page, coarse);
    const text = encodeCursor(continueRun(between, { token: 't', watch }, page));
    expect(text.length).toBeLessThan(350_000);
  }
});

test('rows taken page by page are the rows taken at once', () => {
  const rows = fc.array(
    fc
      .tuple(fc.stringMatching(/^[a-f0-9]{4}$/), fc.integer({ min: -4, max: 4 }))
      .map(([n, s]) => row(n, s)),
    { maxLength: 12 },
  );
  const rules = fc.record({
    paramFormat: fc.constantFrom('iso' as const, 'epoch-s' as const),
    inclusive: fc.boolean(),
  });
  fc.assert(
    fc.property(rows, rows, rules, (first, second, rule) => {
      const run = { startedAtMs: STARTED_MS, settling: { ...settling, ...rule } };
      const whole = applyRows(NO_ROWS, [...first, ...second], run);
      const paged = applyRows(applyRows(NO_ROWS, first, run), second, run);
      // Order across the seam is judged against the newest row, which is as strict or stricter.
      expect({ ...paged, sorted: true }).toEqual({ ...whole, sorted: true });
      if (paged.sorted) expect(whole.sorted).toBe(true);
    }),
  );
});

describe('a run that is abandoned', () => {
  const running = (rows: SeenRow[]) => {
    const watch = followToken(FRESH_CURSOR, 't')!;
    return continueRun(FRESH_CURSOR, { token: 't', watch }, pageEnd(rows));
  };

  test('keeps what it read of a source in order', () => {
    expect(abandonRun(running([row('a', -9), row('b', -5)]), settling)).toEqual({
      boundary: at(-5),
      seen: [sight('b')],
      run: null,
    });
  });

  test('starts over in a source that is not in order, or did not keep to it', () => {
    const over = { boundary: null, seen: [], run: null, stranded: 1 };
    const inOrder = running([row('a', -9), row('b', -5)]);
    expect(abandonRun(inOrder, { ...settling, ordered: false })).toEqual(over);
    expect(abandonRun(running([row('b', -5), row('a', -9)]), settling)).toEqual(over);
    expect(abandonRun(running([]), settling)).toEqual(over);
  });

  test('starts over where rows moved while it read them', () => {
    const { run, ...rest } = running([row('a', -9), row('b', -5)]);
    const moved = { ...rest, run: { ...run!, overlap: { tail: [], isBroken: true } } };
    const again = { boundary: null, seen: [], run: null, stranded: 1 };
    expect(abandonRun(moved, settling)).toEqual(again);
    expect(abandonRun({ ...moved, stranded: 4 }, settling)).toEqual({ ...again, stranded: 5 });
  });

  test('was one: to abandon nothing is a defect', () => {
    expect(() => abandonRun(FRESH_CURSOR, settling)).toThrow(Defect);
  });
});

describe('the stored form', () => {
  const cursor = continueRun(
    ended([row('a', 2)]),
    { token: 't', watch: followToken(FRESH_CURSOR, 't')! },
    pageEnd([row('b', -3), row('c', 4)]),
  );

  test('reads back as it was', () => {
    expect(decodeCursor(encodeCursor(cursor))).toEqual(cursor);
    const byToken = { ...FRESH_CURSOR, token: '12-g1', resync: { atMs: 7 } };
    expect(decodeCursor(encodeCursor(byToken))).toEqual(byToken);
    expect(decodeCursor(undefined)).toEqual(FRESH_CURSOR);
  });

  test.each(['{}', '{"v":1}', '{"v":0,"boundary":null,"seen":[],"run":null}'])(
    '%s is no cursor',
    (text) => expect(() => decodeCursor(text)).toThrow('what is stored as the cursor is not one'),
  );

  test('of a newer Penstock is left alone', () => {
    expect(() => decodeCursor('{"v":2}')).toThrow(/form 2.*up to 1/);
  });
});
