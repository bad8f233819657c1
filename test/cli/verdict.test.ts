import { expect, test } from 'vitest';
import type { Verdict } from '#cli/reconcile/judge';
import { holds, reconciliationJson, renderReconciliation } from '#cli/render/verdict';

const GOOD: Verdict = {
  sourceRows: 5_301,
  sourceDeleted: 42,
  tableRows: 5_301,
  tombstones: 42,
  same: 5_343,
  lost: [],
  different: [],
  unknown: [],
  streamRecords: 15_220,
  unreadable: 0,
  deliveredTwice: 17,
  reordered: [],
  quarantined: { 'no-key': 1 },
  askedTooEarly: 0,
  complaints: [],
};
const BAD: Verdict = { ...GOOD, lost: ['a', 'b'], complaints: ['2 rows (a, b) lost'] };
const found = (verdict: Verdict) => ({
  pipelines: { orders: verdict },
  firstRowMs: 3_180,
  totalMs: 19_460,
  peakRssBytes: 190 * 1_048_576,
});

test('a reconciliation says each promise in a line, and the measures in the end', () => {
  expect(renderReconciliation(found(GOOD))).toEqual([
    'orders',
    '  source           5,301 rows, 42 deleted',
    '  table            5,301 rows, 42 tombstones',
    '  equal            5,343 of 5,343, in version and content',
    '  lost             0',
    '  reordered        0',
    '  stale wins       0',
    '  delivered twice  17 of 15,220 records in the stream',
    '  quarantined      1 (no-key 1)',
    '',
    'Every table holds what its source holds.',
    'first row after 3.2 s, 19.5 s in all, 190 MiB at most in the main process',
  ]);
});

test('a broken promise is said, and nothing is concluded', () => {
  const lines = renderReconciliation(found(BAD));
  expect(lines).toContain('  WRONG: 2 rows (a, b) lost');
  expect(lines).toContain('A table does not hold what its source holds.');
  expect(lines).not.toContain('Every table holds what its source holds.');
});

test('it holds when every pipeline holds, and never for none', () => {
  expect(holds(found(GOOD))).toBe(true);
  expect(holds({ ...found(GOOD), pipelines: { orders: GOOD, quakes: BAD } })).toBe(false);
  expect(holds({ ...found(GOOD), pipelines: {} })).toBe(false);
});

test('no row landed is said in words, and is null for a program', () => {
  const none = { ...found(GOOD), firstRowMs: undefined };
  expect(renderReconciliation(none).at(-1)).toMatch(/^no row landed, /);
  expect(reconciliationJson(none)).toMatchObject({ firstRowMs: null });
});

test('a program reads counts, and at most ten of the keys', () => {
  const lost = Array.from({ length: 25 }, (_, at) => `key-${at}`);
  const json = reconciliationJson(found({ ...BAD, lost })) as {
    holds: boolean;
    pipelines: { orders: { lost: object; deliveredTwice: number } };
  };
  expect(json.holds).toBe(false);
  expect(json.pipelines.orders.lost).toEqual({ count: 25, keys: lost.slice(0, 10) });
  expect(json.pipelines.orders.deliveredTwice).toBe(17);
});
