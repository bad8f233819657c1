/** How pipelines stand, as it is read from their own places and said. */
import { expect, test } from 'vitest';
import { dynamoPollControl } from '#adapters/dynamodb/poll-control';
import { dynamoPollStateStore } from '#adapters/dynamodb/poll-state-store';
import { systemClock } from '#adapters/system/clock';
import { renderStatus } from '#cli/render/status';
import { sourceStanding } from '#cli/status/read-standing';
import { encodeCursor } from '#core/source/cursor-text';
import { FRESH_CURSOR } from '#core/source/cursor';
import type { PollStanding } from '#ports/poll-control';
import type { Timestamp } from '#core/record/timestamp';
import { pollCommands } from './poll-commands.ts';

const NOW = Date.UTC(2026, 2, 1, 12);
const FAILED = { outcome: 'failed', atMs: NOW - 2_000, detail: 'the source answered status 503' };
const BUCKET = 'penstock-dev-orders-refused-000000000000-us-east-1';
const AT = { nowMs: NOW, staleMs: 900_000 };
const boundary = '2026-03-01T09:00:00.000000000Z' as Timestamp;
const row = { token: '2', query: {}, startedAtMs: NOW - 60_000 };
const item = {
  epoch: 3,
  leaseUntilMs: 0,
  notBeforeMs: 0,
  savedAtMs: NOW - 13_000,
  firstAtMs: NOW - 86_400_000,
  succeededAtMs: NOW - 12_000,
  end: { outcome: 'caught-up', atMs: NOW - 12_000, detail: undefined },
  cursor: encodeCursor({ ...FRESH_CURSOR, boundary }),
  pause: undefined,
};

test('a source that was read to its end is as far behind as that is long ago', () => {
  expect(sourceStanding(item, AT)).toEqual({
    savedAtMs: NOW - 13_000,
    succeededAtMs: NOW - 12_000,
    endedAtMs: NOW - 12_000,
    outcome: 'caught-up',
    detail: null,
    caughtUp: true,
    stale: false,
    behindMs: 13_000,
    parkedUntilMs: null,
    failing: null,
    paused: null,
    heldBack: false,
  });
});

test('a source whose polls wait for a consumer is held back, not stale, as long as polls say so', () => {
  const detail = 'board is 14 min behind in shardId-000000000001; the bound is 10 min';
  const end = { outcome: 'held-back', atMs: NOW - 60_000, detail };
  const waits = { ...item, succeededAtMs: NOW - 901_000, end };
  const source = sourceStanding(waits, AT);
  expect(source).toMatchObject({ heldBack: true, stale: false });
  const standing = {
    pipeline: 'orders',
    deployed: true,
    faults: [],
    consumers: [],
    backfill: null,
    source,
  };
  expect(renderStatus([{ ...standing, quarantined: null }], NOW)[1]).toContain(
    `held back: ${detail}`,
  );
  const silent = { ...waits, end: { ...end, atMs: NOW - 900_001 } };
  expect(sourceStanding(silent, AT)).toMatchObject({ heldBack: false, stale: true });
});

test('a source in the middle of a run is as far behind as its boundary', () => {
  const cursor = JSON.stringify({ v: 1, boundary, seen: [], run: row });
  expect(sourceStanding({ ...item, cursor }, AT)).toMatchObject({
    caughtUp: false,
    behindMs: 10_800_000,
  });
});

test('a source whose cursor was set by hand is as far behind as that', () => {
  expect(sourceStanding({ ...item, savedAtMs: undefined }, AT)).toMatchObject({
    caughtUp: false,
    behindMs: 10_800_000,
  });
});

test('a source is stale when polls should have succeeded since, and nobody said to wait', () => {
  const old = { ...item, succeededAtMs: NOW - 900_001 };
  const isStale = (one: PollStanding) => sourceStanding(one, AT).stale;
  expect(isStale(old)).toBe(true);
  expect(isStale({ ...old, succeededAtMs: NOW - 900_000 })).toBe(false);
  expect(isStale({ ...old, notBeforeMs: NOW + 1 })).toBe(false);
  const pause = { sinceMs: 1, reason: undefined };
  expect(sourceStanding({ ...old, pause }, AT).stale).toBe(false);
});

test('a source that no poll has read is stale when the first one is as long ago', () => {
  const never = { ...item, savedAtMs: undefined, succeededAtMs: undefined, end: FAILED };
  const stale = (firstAtMs: number) => sourceStanding({ ...never, firstAtMs }, AT).stale;
  expect(stale(NOW - 900_001)).toBe(true);
  expect(stale(NOW - 900_000)).toBe(false);
});

test('of a source that was never polled nothing is known', () => {
  expect(sourceStanding(undefined, AT)).toEqual({
    savedAtMs: null,
    succeededAtMs: null,
    endedAtMs: null,
    outcome: null,
    detail: null,
    caughtUp: false,
    stale: false,
    behindMs: null,
    parkedUntilMs: null,
    failing: null,
    paused: null,
    heldBack: false,
  });
});

test('a source whose polls fail in a row is parked, since when and why, and stale all the same', () => {
  const failing = { count: 4, sinceMs: NOW - 600_000, retryAtMs: NOW + 240_000 };
  const old = { ...item, succeededAtMs: NOW - 900_001, end: FAILED, failing };
  const source = sourceStanding(old, AT);
  expect(source).toMatchObject({ failing, stale: true, parkedUntilMs: null });
  const line = (one: PollStanding) => {
    const shown = sourceStanding(one, AT);
    const rest = {
      pipeline: 'orders',
      deployed: true,
      faults: [],
      consumers: [],
      quarantined: null,
      backfill: null,
    };
    return renderStatus([{ ...rest, source: shown }], NOW)[1];
  };
  expect(line(old)).toContain(
    'parked for 4 min: 4 polls failed since 10 min ago: the source answered status 503',
  );
  expect(line({ ...old, failing: { ...failing, retryAtMs: NOW } })).toContain('STALE');
});

test('a line says why a source is not polled before how far it was read', () => {
  const standing = (source: ReturnType<typeof sourceStanding>) => ({
    pipeline: 'orders',
    deployed: true,
    faults: [],
    backfill: null,
    source,
    consumers: [{ name: 'orders', behindMs: 90_000, behindRecords: 1_200, stopped: null }],
    quarantined: { objects: 5_000, more: true },
  });
  const parked = { ...item, notBeforeMs: NOW + 30_000 };
  const paused = { ...parked, pause: { sinceMs: NOW - 3_600_000, reason: 'source migrates' } };
  const saidWhy = { outcome: 'parked', atMs: NOW, detail: 'the source answered status 429' };
  const failed = { ...item, end: FAILED };
  const long = { ...failed, end: { ...FAILED, detail: 'long '.repeat(20) } };
  const old = { ...item, succeededAtMs: NOW - 10_800_000 };
  const never = { ...old, succeededAtMs: undefined, end: FAILED };
  const all = [item, parked, { ...parked, end: saidWhy }, paused, failed, long, old, never];
  const lines = all.map((one) => standing(sourceStanding(one, AT)));
  expect(renderStatus(lines, NOW).map((line) => line.replaceAll(/ {2,}/g, ' | '))).toEqual([
    'PIPELINE | LAST SUCCESS | SOURCE | CONSUMERS | QUARANTINED',
    'orders | 12.0 s ago | caught up | orders 90.0 s behind (1,200) | 5,000 or more',
    'orders | 12.0 s ago | parked for 30.0 s: the source asked to wait | orders 90.0 s behind (1,200) | 5,000 or more',
    'orders | 12.0 s ago | parked for 30.0 s: the source answered status 429 | orders 90.0 s behind (1,200) | 5,000 or more',
    'orders | 12.0 s ago | paused 60 min ago: source migrates | orders 90.0 s behind (1,200) | 5,000 or more',
    'orders | 12.0 s ago | last poll failed: the source answered status 503 | orders 90.0 s behind (1,200) | 5,000 or more',
    `orders | 12.0 s ago | last poll failed: ${'long '.repeat(15)}long… | orders 90.0 s behind (1,200) | 5,000 or more`,
    'orders | 3 h ago | STALE: no poll succeeds | orders 90.0 s behind (1,200) | 5,000 or more',
    'orders | never | STALE: the source answered status 503 | orders 90.0 s behind (1,200) | 5,000 or more',
  ]);
});

test('a consumer that stands still says so, and why', () => {
  const trip = { reason: 'no-key', refused: 61, received: 1_087 } as const;
  const stopped = { ...trip, sinceMs: NOW - 60_000, code: 'c0de' };
  const [, line] = renderStatus(
    [
      {
        pipeline: 'orders',
        deployed: true,
        faults: [],
        backfill: null,
        source: sourceStanding(item, AT),
        consumers: [{ name: 'audit', behindMs: 4_000, behindRecords: 17, stopped }],
        quarantined: { objects: 3, more: false },
      },
    ],
    NOW,
  );
  expect(line).toContain(
    'audit 4.0 s behind (17), STOPPED: 61 of 1,087 records refused (no-key)  3',
  );
});

test('a backfill that is not over says how far it is, and what goes on with it', () => {
  const resumeWith = 'penstock backfill orders --from 90d';
  const backfill = { fromMs: NOW - 9, toMs: NOW, slices: 90, done: 12, atWork: true, resumeWith };
  const lineOf = (atWork: boolean) => {
    const standing = { pipeline: 'orders', deployed: true, faults: [], consumers: [] };
    const source = sourceStanding(item, AT);
    const all = { ...standing, source, quarantined: null, backfill: { ...backfill, atWork } };
    return renderStatus([all], NOW)[1];
  };
  expect(lineOf(true)).toMatch(/  Backfill: 12 of 90 slices, at work\.$/);
  expect(lineOf(false)).toMatch(
    /  Backfill: 12 of 90 slices; it goes on with `penstock backfill orders --from 90d`\.$/,
  );
});

test('all of a pipeline’s places are read: source, consumers, quarantine, pause', async () => {
  const cloud = await pollCommands();
  cloud.buckets.createBucket(BUCKET);
  for (const key of ['a', 'b']) {
    const body = { body: Buffer.from('{}'), contentType: 'application/json', modifiedMs: 0 };
    cloud.buckets.write(BUCKET, `poll/no-key/2026/03/01/${key}.json`, body, 'etag');
  }
  const clock = { nowMs: () => NOW };
  const { dynamodb } = cloud.connection;
  const tableName = 'penstock-dev-state';
  const states = dynamoPollStateStore(dynamodb, { tableName, clock: { ...systemClock, ...clock } });
  const taken = await states.acquire({ pipeline: 'orders', nowMs: NOW, leaseMs: 1 });
  if (taken.kind === 'acquired') {
    await states.save(taken.lease, item, NOW);
    await states.release(taken.lease, { ...FAILED, succeeded: false });
  }
  const control = dynamoPollControl(dynamodb, { tableName });
  await control.pause('orders', { sinceMs: NOW, reason: 'source migrates' });
  await cloud.put(['1', '2', '3']);
  const { code, out, err } = await cloud.run(['status', 'orders', '--json']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(JSON.parse(out)).toEqual([
    {
      pipeline: 'orders',
      deployed: true,
      backfill: null,
      faults: [],
      source: {
        savedAt: '2026-03-01T12:00:00.000Z',
        succeededAt: null,
        endedAt: '2026-03-01T11:59:58.000Z',
        outcome: 'failed',
        heldBack: false,
        detail: 'the source answered status 503',
        caughtUp: true,
        stale: false,
        behindMs: expect.any(Number),
        parkedUntil: null,
        failing: null,
        paused: { since: '2026-03-01T12:00:00.000Z', reason: 'source migrates' },
      },
      consumers: [
        { name: 'orders', behindMs: expect.any(Number), behindRecords: 3, stopped: null },
      ],
      quarantined: { objects: 2, more: false },
    },
  ]);
});
