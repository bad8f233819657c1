import { describe, expect, test } from 'vitest';
import { systemZone } from '#adapters/system/zone';
import { backfillCommand, planBackfill } from '#cli/backfill/backfill-ask';
import { backfillTally } from '#cli/backfill/backfill-tally';
import { goOnCommand, refusal } from '#cli/backfill/go-on';
import { backfillStanding } from '#cli/status/backfill-standing';
import { cloudWords } from '#cli/typed-words';
import { PIPELINES_DIRECTORY } from '#cli/project';
import { memoryBackfillStore } from '#adapters/memory/backfill-store';
import type { HeldJob } from '#ports/held-job';
import { beginAfter } from '#cli/backfill/run-backfill';
import { cutOffOf } from '#cli/backfill/cut-off';
import { backfillEndLines, backfillLine, estimateLines, planLines } from '#cli/render/backfill';
import { FRESH_CURSOR } from '#core/source/cursor';
import { encodeCursor } from '#core/source/cursor-text';
import type { TimeFormat, Timestamp } from '#core/record/timestamp';
import { HORIZON_MS, incremental } from '#test/pipeline/poll-world';
import { runRecorded } from './run-recorded.ts';

const NOW_MS = Date.parse('2031-06-12T16:00:00Z');
const CUT_OFF = { atMs: NOW_MS - 600_000, of: 'live' } as const;
const plan = (words: { from: string; to?: string; slice?: string }) =>
  planBackfill({ slice: '1d', ...words }, CUT_OFF, NOW_MS);

describe('what is to be read', () => {
  test('ends where live polls begin, unless it is said to end before', () => {
    expect(plan({ from: '2031-06-10' })).toEqual({
      fromMs: Date.parse('2031-06-10T00:00:00Z'),
      toMs: CUT_OFF.atMs,
      sliceMs: 86_400_000,
    });
    expect(plan({ from: '3d', to: '20m', slice: '6h' })).toEqual({
      fromMs: NOW_MS - 3 * 86_400_000,
      toMs: NOW_MS - 1_200_000,
      sliceMs: 21_600_000,
    });
  });

  test.each([
    [
      { from: '3d', to: '2031-06-12T15:50:01Z' },
      '--to 2031-06-12T15:50:01.000Z must be 2031-06-12T15:50:00.000Z at the latest: what lies behind it is read by live polls.',
    ],
    [{ from: '2031-06-12T15:50:00Z' }, /--from .* must lie before the cut-off 2031-06-12T15:50:00/],
    [{ from: '1h', to: '2h' }, /--from .* must lie before --to 2031-06-12T14:00:00/],
    [
      { from: 'long ago' },
      "--from takes a span such as 10m, a date such as 2031-06-12, or a time with its zone such as 2031-06-12T16:00:00Z, not 'long ago'.",
    ],
    [{ from: '1h', slice: 'day' }, "--slice takes a span such as 30s, 10m or 2h, not 'day'."],
    [{ from: '1h', slice: '0d' }, '--slice must be longer than nothing.'],
    [
      { from: '30d', slice: '1s' },
      '--slice 1s makes 2591400 slices, more than 100000: choose a longer one.',
    ],
  ])('%j is refused in one sentence', (words, sentence) => {
    expect(() => plan(words)).toThrow(sentence);
  });

  test('goes on by the command that was typed', () => {
    const words = { from: '2031-01-01', to: '90d', slice: '6h' };
    expect(backfillCommand('orders', words, ['--stage', 'prod'])).toBe(
      'penstock backfill orders --from 2031-01-01 --to 90d --slice 6h --stage prod',
    );
    expect(backfillCommand('orders', { from: '90d', slice: '1d' })).toBe(
      'penstock backfill orders --from 90d',
    );
  });
});

describe('a backfill that is not over', () => {
  const words = { from: '2031-01-01 09:00Z', to: '2031-02-01', slice: '1d' };
  const run: HeldJob = {
    ask: JSON.stringify(words),
    plan: JSON.stringify({ fromMs: NOW_MS, toMs: NOW_MS + 90, sliceMs: 30 }),
    startedAtMs: 11,
    finishedAtMs: null,
    epoch: 3,
    owner: 'ada@here',
    leaseUntilMs: 17,
  };
  const range = "--from '2031-01-01 09:00Z' --to 2031-02-01";
  const typed = {
    from: '5d',
    slice: '2h',
    directory: 'my pipelines',
    cloud: 'aws',
    stage: 'prod',
    maxBehind: '7m',
  };

  test('is told with the command that goes on with it, where it was asked and as a shell takes it', () => {
    const { message } = refusal({ kind: 'other', run }, 'orders', typed);
    expect(message.split('\n').slice(1)).toEqual([
      `penstock backfill orders ${range} --directory 'my pipelines' --max-behind 7m --cloud aws --stage prod`,
    ]);
    const { maxBehind: _, ...least } = typed;
    const here = { ...least, directory: PIPELINES_DIRECTORY, cloud: 'local', stage: 'dev' };
    expect(goOnCommand('orders', words, { ...here, yes: true })).toBe(
      `penstock backfill orders ${range} --yes`,
    );
    expect(goOnCommand('orders', words, { ...here, endpoint: 'http://127.0.0.1:9' })).toBe(
      `penstock backfill orders ${range} --cloud http://127.0.0.1:9`,
    );
  });

  test('stands in the status with the same', async () => {
    const store = memoryBackfillStore();
    await store.save('orders', run, undefined);
    const where = cloudWords({ cloud: 'localstack', stage: 'prod' });
    expect(await backfillStanding(store, 'orders', { nowMs: 5, where })).toEqual({
      fromMs: NOW_MS,
      toMs: NOW_MS + 90,
      slices: 3,
      done: 0,
      atWork: true,
      resumeWith: `penstock backfill orders ${range} --cloud localstack --stage prod`,
    });
  });
});

describe('the cut-off', () => {
  const boundary = '2031-06-12T15:00:00.000000000Z' as Timestamp;
  const cursor = encodeCursor({ ...FRESH_CURSOR, boundary });

  test('is what the next live poll asks from', () => {
    const atMs = Date.parse('2031-06-12T15:00:00Z');
    expect(cutOffOf({ cursor }, incremental, NOW_MS)).toEqual({ atMs, of: 'live' });
    const exclusive = { ...incremental, inclusive: false };
    expect(cutOffOf({ cursor }, exclusive, NOW_MS)).toEqual({ atMs: atMs - 1, of: 'live' });
  });

  test('is now less the horizon before a poll has come to the end of the source', () => {
    const atMs = NOW_MS - HORIZON_MS;
    expect(cutOffOf(undefined, incremental, NOW_MS)).toEqual({ atMs, of: 'horizon' });
  });

  test('is no later than what can be asked for whole, where only seconds or days are told apart', () => {
    const atOf = (paramFormat: TimeFormat) =>
      cutOffOf(undefined, { ...incremental, paramFormat }, NOW_MS + 437).atMs;
    expect(atOf('epoch-s')).toBe(NOW_MS - HORIZON_MS);
    expect(atOf({ kind: 'date', zone: systemZone('Europe/Berlin') })).toBe(
      Date.parse('2031-06-11T22:00:00Z'),
    );
  });
});

test('how far it is: slices, records, where it reads, what it waits for, how long it takes', () => {
  const tally = backfillTally({ slices: 40, doneBefore: 10, startedMs: NOW_MS });
  const published = { event: 'PagePublished', records: 600, published: 500 } as never;
  tally.begin({ fromMs: NOW_MS, toMs: NOW_MS + 1 }, 10);
  expect(backfillLine(tally.look(NOW_MS + 1))).toBe(
    '10 of 40 slices, 0 records, 0 a second; reads 2031-06-12T16:00:00.000Z.',
  );
  tally.hear(published);
  tally.hear(published);
  tally.hear({ event: 'RecordRefused' } as never);
  tally.begin({ fromMs: NOW_MS + 1, toMs: NOW_MS + 2 }, 15);
  tally.wait('orders is 9 min behind');
  const look = tally.look(NOW_MS + 60_000);
  expect(backfillLine(look)).toBe(
    '15 of 40 slices, 1,200 records, 20 a second; reads 2031-06-12T16:00:00.001Z; ' +
      'waits: orders is 9 min behind; about 5 min to go.',
  );
  expect(backfillEndLines({ kind: 'interrupted' }, look, 'penstock backfill orders')).toEqual([
    'Stopped: 15 of 40 slices, 1,200 records read, 1,000 published, 1 refused: they rest in quarantine. This goes on from there:',
    'penstock backfill orders',
  ]);
  tally.end();
  expect(backfillEndLines({ kind: 'done' }, tally.look(NOW_MS), '')[0]).toMatch(/^Done: 40 of 40/);
});

test.each([
  [
    false,
    'orders: history from 2031-06-10T00:00:00.000Z to 2031-06-12T12:00:00.000Z, in 3 slices of 24 h.',
  ],
  [
    true,
    'orders: history from 2031-06-10T00:00:00.000Z to 2031-06-12T12:00:00.000Z, in 3 slices of 24 h. ' +
      'It reads records only: source.deletes is left to live polls.',
  ],
])(
  'what it is about to do is said first; where a feed of deletes is left out (%s), that is said too',
  (leavesDeletes, line) => {
    const range = plan({ from: '2031-06-10', to: '2031-06-12T12:00:00Z' });
    const view = {
      pipeline: 'orders',
      plan: range,
      slices: 3,
      behindMsMax: 480_000,
      leavesDeletes,
    };
    expect(planLines(view)[0]).toBe(line);
  },
);

test('what is begun anew leaves the source alone for as long as it asked the one before, and reads all', () => {
  const left = { cursor: 'far', sent: 'much', notBeforeMs: NOW_MS + 7 };
  const anew = { cursor: undefined, sent: undefined };
  expect(beginAfter(left)).toEqual({ ...anew, notBeforeMs: NOW_MS + 7 });
  expect(beginAfter(undefined)).toEqual({ ...anew, notBeforeMs: 0 });
});

test('what it may cost is told from the slices that were looked at', () => {
  expect(estimateLines(120, { spans: 120, sampled: 12, longer: 3, records: 900 })).toEqual([
    'The first page of 12 slices was read: 900 records, 3 have more.',
    'So it takes about 150 requests or more. Nothing was published.',
  ]);
  expect(estimateLines(5, { spans: 120, sampled: 5, longer: 1, records: 900 })).toEqual([
    'The first page of each slice was read: 900 records, 1 has more.',
    'All are asked for in 120 spans: source.incremental.until.sec allows no longer.',
    'So it takes about 144 requests or more. Nothing was published.',
  ]);
});

test('a source that takes no end is refused, and the sentence says what is missing', async () => {
  const env = { ORDERS_API_URL: 'http://127.0.0.1:9/orders', ORDERS_API_TOKEN: 'a' };
  const argv = ['backfill', 'orders', '--from', '90d', '--yes'];
  expect(await runRecorded(argv, { env })).toEqual({
    code: 1,
    out: '',
    err: 'orders cannot be asked for a stretch of history: source.incremental.until must name the parameter that takes its end.\n',
  });
});
