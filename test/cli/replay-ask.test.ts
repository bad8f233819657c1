/** What a replay is told, and what it tells of itself. */
import { describe, expect, test } from 'vitest';
import { CLOCKS_APART_MS, parseRange, parseRate, replayCommand } from '#cli/replay-ask';
import { replayTally } from '#cli/replay-tally';
import { endLines, scopeLines, tallyLine } from '#cli/render/replay';
import type { SequenceNumber, StoredRecord } from '#core/record/records';
import { runRecorded } from './run-recorded.ts';

const NOW = Date.UTC(2031, 3, 16, 9);
const SEQUENCE = '49590338271490256608559692538361571095921575989136588898';
const HIGHER = `${SEQUENCE}0`;

describe('a range', () => {
  test('is from a place to the tip as it is now, clocks that differ allowed for', () => {
    expect(parseRange({ from: 'TRIM_HORIZON' }, NOW)).toEqual({
      from: { kind: 'trim-horizon' },
      end: { kind: 'time', untilMs: NOW + CLOCKS_APART_MS },
    });
    expect(parseRange({ from: '3h' }, NOW).from).toEqual({
      kind: 'at',
      timestampMs: NOW - 10_800_000,
    });
  });

  test('or to a time, or a record', () => {
    expect(parseRange({ from: '3h', to: '2031-04-16T08:30:00Z' }, NOW).end).toEqual({
      kind: 'time',
      untilMs: NOW - 1_800_000,
    });
    expect(parseRange({ from: SEQUENCE, to: HIGHER }, NOW)).toEqual({
      from: { kind: 'from', sequenceNumber: SEQUENCE },
      end: { kind: 'sequence', sequenceNumber: HIGHER },
    });
  });

  test.each([
    [{ from: 'now' }, 'Nothing lies behind now: --from takes a place before it.'],
    [{ from: '2031-04-16T09:00:01Z' }, '--from is a time to come: 2031-04-16T09:00:01Z.'],
    [{ from: '3h', to: '2031-04-16T09:00:01Z' }, '--to is a time to come: 2031-04-16T09:00:01Z.'],
    [{ from: '1h', to: '3h' }, '--to 3h lies before --from 1h.'],
    [{ from: HIGHER, to: SEQUENCE }, `--to ${SEQUENCE} lies before --from ${HIGHER}.`],
    [{ from: 'yore' }, /^--from takes 'oldest'/],
    [{ from: '3h', to: 'soon' }, /^--to takes a sequence number, a span such as 15m/],
  ])('%j is refused in one sentence', (words, sentence) => {
    expect(() => parseRange(words, NOW)).toThrow(sentence);
  });

  test('a rate is a whole number above 0', () => {
    expect(parseRate('200')).toBe(200);
    expect(() => parseRate('0')).toThrow('--rate must be 1 or more.');
    expect(() => parseRate('1.5')).toThrow(/whole number/);
  });
});

test('the command that goes on with it is typed as a shell wants it', () => {
  const of = { pipeline: 'orders', consumer: 'audit' };
  expect(replayCommand(of, { from: '3h', key: "it's 5 €" }, ['--yes'])).toBe(
    "penstock replay orders --consumer audit --from 3h --key 'it'\\''s 5 €' --yes",
  );
});

describe('progress', () => {
  const record = (shardId: string, arrivalTimeMs: number): StoredRecord => ({
    shardId,
    sequenceNumber: '7' as SequenceNumber,
    partitionKey: 'k',
    data: new Uint8Array(250),
    arrivalTimeMs,
  });
  const tally = () =>
    replayTally({ shards: 5, endedBefore: 1, startedMs: NOW, untilMs: NOW - 1_000 });

  test('stands where the slowest shard stands, and goes on as fast as so far', () => {
    const { add, end, look } = tally();
    expect(look(NOW)).toMatchObject({ standsAtMs: undefined, leftMs: undefined });
    add([record('s1', NOW - 101_000), record('s1', NOW - 51_000)], ['written', 'stale']);
    add([record('s2', NOW - 76_000), record('s2', NOW - 75_000)], ['refused', 'unsent']);
    expect(look(NOW + 10_000)).toMatchObject({
      records: 3,
      bytes: 750,
      ends: { written: 1, stale: 1, folded: 0, refused: 1, 'too-large': 0 },
      shards: { ended: 1, all: 5 },
      standsAtMs: NOW - 76_000,
      leftMs: 30_000,
    });
    end('s2');
    expect(look(NOW + 10_000)).toMatchObject({ standsAtMs: NOW - 51_000, leftMs: 10_000 });
    expect(tallyLine(look(NOW + 10_000))).toBe(
      '3 records, 750 bytes, 2 of 5 shards read out; stands at 2031-04-16T08:59:09.000Z; about 10.0 s to go.',
    );
  });

  test('at its end says how records ended, and where a record stays unfinished', () => {
    const { add, look } = tally();
    add([record('s1', NOW)], ['written']);
    expect(endLines({ kind: 'done' }, look(NOW), 'again')).toEqual(['Done: 1 record: 1 written.']);
    const stuck = { kind: 'stuck', shardId: 's1', sequenceNumber: '8', detail: 'why' } as const;
    expect(endLines(stuck, look(NOW), 'again')).toEqual([
      'Stopped after 1 record: 1 written. A record stays unfinished: s1 8: why.',
      'Once that is mended, this goes on from there:',
      'again',
    ]);
  });
});

test('what the stream has dropped is said before it begins', () => {
  const view = {
    pipeline: 'orders',
    consumer: 'audit',
    kind: 'handler',
    range: parseRange({ from: '30d' }, NOW),
    hasEnd: false,
    recordsPerSec: 200,
  } as const;
  const scope = {
    shards: [],
    goneShardIds: ['shardId-000000000000'],
    retentionHours: 24,
    horizonMs: NOW - 86_400_000,
    reachesBehind: true,
  };
  expect(scopeLines(view, scope)).toEqual([
    'orders, audit: 0 shards from 2031-03-17T09:00:00.000Z to the tip as of 2031-04-16T09:00:00.000Z, at most 200 records a second.',
    'What arrived before 2031-04-15T09:00:00.000Z has left the stream, which keeps 24 hours: it is not replayed.',
    'Gone with all they held: shardId-000000000000.',
    'The handler gets every record again: what it does a second time is up to it.',
  ]);
});

test.each([
  [['--from', 'oldest'], 'There is no terminal to ask at: --yes agrees, --dry-run only shows.\n'],
  [['--from', '3h', '--rate', '0'], '--rate must be 1 or more.\n'],
  [['--from', 'now', '--yes'], 'Nothing lies behind now: --from takes a place before it.\n'],
  [['--from', '3h', '--rate', '0', '--yes'], '--rate must be 1 or more.\n'],
  [
    ['--from', '3h', '--consumer', 'x', '--yes'],
    "orders has no consumer 'x'; there are: orders.\n",
  ],
])('before anything is asked of a cloud, %j is refused', async (argv, sentence) => {
  const { code, err } = await runRecorded(['replay', 'orders', ...argv]);
  expect([code, err]).toEqual([2, sentence]);
});
