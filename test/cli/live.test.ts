import { expect, test } from 'vitest';
import { notesBetween, renderLive, renderPlain } from '#cli/render/live';
import type { PipelineView } from '#cli/render/live';

const VIEW: PipelineView = {
  name: 'orders',
  changes: 12_345,
  changesPlanned: 21_001,
  rows: 5_120,
  streamRecords: 11_900,
  behindRecords: 230,
  behindMs: 420,
  shards: [
    { shardId: 'shardId-000000000000', fill: 0.612, recordsPerSec: 612 },
    { shardId: 'shardId-000000000012', fill: 0, recordsPerSec: 0 },
  ],
  waits: 1,
  failures: 2,
};

test('the block shows source, table, lag and every shard, then notes and time', () => {
  expect(renderLive([VIEW], { elapsedMs: 7_250, notes: ['a note'], width: 80 })).toEqual([
    'orders  12,345 changes of 21,001 at the source',
    '  5,120 rows in the table, 230 records behind, the oldest 420 ms old',
    '  shard 0   ███████████████░░░░░░░░░   61 %  612 records/s',
    '  shard 12  ░░░░░░░░░░░░░░░░░░░░░░░░    0 %  0 records/s',
    '',
    'a note',
    '7.3 s',
  ]);
});

test('no line is wider than the terminal', () => {
  const lines = renderLive([VIEW], { elapsedMs: 1, notes: ['x'.repeat(200)], width: 40 });
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(40);
});

test('one plain line says the same', () => {
  expect(renderPlain(VIEW, 7_250)).toBe(
    '  7.3 s  orders: 12,345 changes at the source, 11,900 in the stream, 5,120 rows in the table, ' +
      '230 records behind, the oldest 420 ms old',
  );
});

test('nothing behind is no lag', () => {
  expect(renderPlain({ ...VIEW, behindRecords: 0, behindMs: 0 }, 0)).toMatch(/, no lag$/);
});

test('a wait or a failure is noted once, when it happens', () => {
  expect(notesBetween(undefined, { ...VIEW, waits: 0, failures: 0 })).toEqual([]);
  expect(notesBetween(VIEW, VIEW)).toEqual([]);
  expect(notesBetween(VIEW, { ...VIEW, waits: 2 })).toEqual([
    'orders: the source asked to wait (429), and is waited for',
  ]);
  expect(notesBetween(VIEW, { ...VIEW, failures: 4 })).toEqual([
    'orders: the source failed, and is asked again',
  ]);
});
