import fc from 'fast-check';
import { expect, test } from 'vitest';
import { orderBook, secondOf } from '#demo/order-book';
import type { OrderBook } from '#demo/order-book';
import { planOrderChanges } from '#demo/order-changes';
import type { OrderChange } from '#demo/order-changes';

const START_MS = Date.UTC(2026, 2, 1, 8);
const planOf = (seed: number, changes: number) =>
  planOrderChanges({ seed, changes, history: 20, startMs: START_MS, durationMs: 30_000 });

/** The slow, obvious answer: the last change of each order, and every malformed record. */
function fold(changes: readonly OrderChange[]): OrderChange[] {
  const last = new Map<string, OrderChange>();
  for (const change of changes) last.set(change.orderId, change);
  return changes.filter((change) => change.orderId === '' || last.get(change.orderId) === change);
}

const place = (row: OrderChange) => [secondOf(row), row.orderId] as const;
const byPlace = (one: OrderChange, other: OrderChange): number =>
  secondOf(one) - secondOf(other) || (one.orderId < other.orderId ? -1 : 1);

function readOut(book: OrderBook, limit: number, sinceSec?: number): OrderChange[] {
  const rows: OrderChange[] = [];
  let after: { second: number; orderId: string } | undefined;
  do {
    const page = book.page({ sinceSec, after, limit });
    expect(page.rows.length).toBeLessThanOrEqual(limit);
    rows.push(...page.rows);
    after = page.next;
  } while (after !== undefined);
  return rows;
}

const seeds = fc.integer({ min: 1, max: 10_000 });

test('the rows at any moment are the fold of the changes up to it', () => {
  fc.assert(
    fc.property(seeds, fc.integer({ min: -5_000, max: 40_000 }), (seed, offsetMs) => {
      const changes = planOf(seed, 300);
      const book = orderBook(changes);
      book.advance(START_MS + offsetMs);
      const happened = changes.filter(({ atMs }) => atMs <= START_MS + offsetMs);
      expect(book.rows()).toEqual(fold(happened));
      expect(book.changesDone).toBe(happened.length);
    }),
    { numRuns: 60 },
  );
});

test('pages of any size hold every row once, by second and key', () => {
  fc.assert(
    fc.property(seeds, fc.integer({ min: 1, max: 70 }), (seed, limit) => {
      const book = orderBook(planOf(seed, 250));
      book.advance(Infinity);
      expect(readOut(book, limit)).toEqual(book.rows().toSorted(byPlace));
    }),
    { numRuns: 60 },
  );
});

test('a bound leaves out exactly the rows of earlier seconds', () => {
  fc.assert(
    fc.property(seeds, fc.integer({ min: -10, max: 40 }), (seed, offsetSec) => {
      const book = orderBook(planOf(seed, 250));
      book.advance(Infinity);
      const sinceSec = START_MS / 1000 + offsetSec;
      const expected = book
        .rows()
        .filter((row) => secondOf(row) >= sinceSec)
        .toSorted(byPlace);
      expect(readOut(book, 17, sinceSec)).toEqual(expected);
    }),
    { numRuns: 60 },
  );
});

test('a row that changes between two pages moves behind the cursor, and is not lost', () => {
  const changes = planOf(11, 300);
  const book = orderBook(changes);
  book.advance(START_MS + 3_000);
  const seen = new Map<string, OrderChange>();
  let after: { second: number; orderId: string } | undefined;
  let nowMs = START_MS + 3_000;
  do {
    const page = book.page({ sinceSec: undefined, after, limit: 9 });
    for (const row of page.rows) seen.set(row.orderId, row);
    after = page.next;
    nowMs += 2_000;
    book.advance(nowMs);
  } while (after !== undefined);
  const missed = book.rows().filter((row) => seen.get(row.orderId) !== row);
  const last = Math.max(...[...seen.values()].map(secondOf));
  // What was missed lies at or behind the last second that was read, where the next run begins.
  for (const row of missed) expect(secondOf(row)).toBeGreaterThanOrEqual(last);
});

test('an empty book answers an empty page that is the last', () => {
  const book = orderBook([]);
  book.advance(START_MS);
  expect(book.page({ sinceSec: undefined, after: undefined, limit: 5 })).toEqual({
    rows: [],
    next: undefined,
  });
});

test('a page that holds exactly what is left is the last', () => {
  const book = orderBook(planOf(3, 40));
  book.advance(Infinity);
  const all = book.rows().length;
  expect(book.page({ sinceSec: undefined, after: undefined, limit: all }).next).toBeUndefined();
  const short = book.page({ sinceSec: undefined, after: undefined, limit: all - 1 });
  expect(short.next).toEqual({
    second: place(short.rows.at(-1)!)[0],
    orderId: place(short.rows.at(-1)!)[1],
  });
});
