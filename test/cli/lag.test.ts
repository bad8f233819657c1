/** penstock lag: what looks say together, and the command against a stream. */
import { describe, expect, test } from 'vitest';
import { dynamoBreakerStore } from '#adapters/dynamodb/breaker-store';
import { consumerLag } from '#cli/lag-report';
import type { ConsumerLook } from '#cli/lag-report';
import type { ShardStanding } from '#cli/measure-lag';
import { lagJson, renderLag } from '#cli/render/lag';
import { pollCommands } from './poll-commands.ts';
import { FIRST_SHARD } from './stream-on-the-wire.ts';

const NOW = Date.UTC(2026, 2, 1, 12);
const standing = (shardId: string, change: Partial<ShardStanding> = {}): ShardStanding => ({
  pipeline: 'orders',
  consumer: 'audit',
  shardId,
  state: 'open',
  checkpoint: '49',
  eventTimeMs: NOW - 5_000,
  tip: '49',
  behindMs: 0,
  behindRecords: 0,
  doneTotal: 0,
  atMs: NOW,
  ...change,
});
const lookOf = (shards: readonly ShardStanding[], stopped?: ConsumerLook['stopped']) => ({
  pipeline: 'orders',
  consumer: 'audit',
  shards,
  stopped,
});
const BEHIND = { behindMs: 61_000, behindRecords: 1_234, doneTotal: 750, tip: '1283' };

describe('one look', () => {
  test('says the worst shard, the whole, and each shard’s share of what was done', () => {
    const lag = consumerLag(
      lookOf([standing('shard-0', { doneTotal: 250 }), standing('shard-1', BEHIND)]),
      undefined,
    );
    expect(lag.shards.map(({ share }) => share)).toEqual([0.25, 0.75]);
    expect(renderLag([lag], NOW)).toEqual([
      'PIPELINE  CONSUMER  SHARD    BEHIND  RECORDS  SHARE  CHECKPOINT  TIP',
      'orders    audit     shard-0  0 ms    0        25 %   49          49',
      'orders    audit     shard-1  61.0 s  1,234    75 %   49          1283',
      'orders, audit: worst shard-1, 61.0 s behind; in all 1,234 waiting in 2 shards.',
    ]);
  });

  test('takes the shard that is furthest behind for the worst, wherever it stands', () => {
    const behind = [7_000, 61_000, 9_000].map((behindMs, at) =>
      standing(`shard-${at}`, { behindMs }),
    );
    expect(consumerLag(lookOf(behind), undefined).worst?.shardId).toBe('shard-1');
  });

  test('says what has no checkpoint, is to be drained, waits, or stands still', () => {
    const open = {
      sinceMs: NOW - 600_000,
      code: 'c',
      reason: 'no-key',
      refused: 6,
      received: 8,
    } as const;
    const look = lookOf(
      [
        standing('shard-0', { ...BEHIND, state: 'closed', behindRecords: null, tip: null }),
        standing('shard-1', { state: 'waits', checkpoint: null, tip: null }),
      ],
      open,
    );
    const text = renderLag([consumerLag(look, undefined)], NOW).join('\n');
    expect(text).toMatch(/shard-0 .* many .* 49 +- +closed, to be drained$/m);
    expect(text).toMatch(/shard-1 .* - +- +waits for its parents; no checkpoint yet$/m);
    expect(text).toContain('in all many waiting');
    expect(text).toContain(
      'orders, audit: STOPPED for 10 min: 6 of 8 records refused (no-key); see penstock breaker show orders',
    );
    expect(lagJson([consumerLag(look, undefined)])[1]).toMatchObject({
      state: 'waits',
      checkpoint: null,
      eventTime: '2026-03-01T11:59:55.000Z',
      stopped: { reason: 'no-key' },
      trend: null,
      share: 0,
    });
  });
});

describe('two looks', () => {
  const before = lookOf([
    standing('shard-0', { ...BEHIND, atMs: NOW - 10_000 }),
    standing('shard-1', { doneTotal: 5_000, atMs: NOW - 10_000 }),
  ]);
  const after = lookOf([
    standing('shard-0', { behindMs: 41_000, behindRecords: 834, doneTotal: 1_250 }),
    standing('shard-1', { doneTotal: 5_500 }),
    standing('shard-2', { doneTotal: 9 }),
  ]);

  test('say rates, whether it drains and until when, and who did the work between them', () => {
    const lag = consumerLag(after, before);
    expect(lag).toMatchObject({ donePerSec: 100, arrivingPerSec: null, behindRecords: 834 });
    expect(lag.shards.map(({ share }) => share)).toEqual([0.5, 0.5, 0]);
    expect(renderLag([lag], NOW)).toEqual([
      'PIPELINE  CONSUMER  SHARD    BEHIND  RECORDS  DONE/S  IN/S  TREND                   SHARE  CHECKPOINT  TIP',
      'orders    audit     shard-0  41.0 s  834      50      10    draining, 20.5 s to go  50 %   49          49',
      'orders    audit     shard-1  0 ms    0        50      50    caught-up               50 %   49          49',
      'orders    audit     shard-2  0 ms    0        -       -     new                     0 %    49          49',
      'orders, audit: worst shard-0, 41.0 s behind; in all 834 waiting in 3 shards; 100 done and ? arriving a second.',
    ]);
  });

  test('of an idle stream say that nothing waits and nothing moves', () => {
    const idle = lookOf([standing('shard-0', { doneTotal: 7 })]);
    const earlier = lookOf([standing('shard-0', { doneTotal: 7, atMs: NOW - 3_600_000 })]);
    const [, row = '', ...more] = renderLag([consumerLag(idle, earlier)], NOW);
    expect(row).toMatch(/shard-0 +0 ms +0 +0 +0 +caught-up +-/);
    expect(more).toEqual([]);
  });
});

describe('the command', () => {
  test('exits with 2 where a consumer is further behind than it may be', async () => {
    const { run, put, checkpoint } = await pollCommands();
    const sequences = await put(['1', '2'], 'one-key');
    const behind = await run(['lag', 'orders', '--max-behind', '0s']);
    expect(behind).toMatchObject({ code: 2, err: '' });
    expect(behind.out).toContain('no checkpoint yet');
    expect((await run(['lag', 'orders', '--max-behind', '1d'])).code).toBe(0);
    await checkpoint(FIRST_SHARD, sequences[1]);
    expect((await run(['lag', 'orders', '--max-behind', '0s'])).code).toBe(0);
  });

  test('looks twice, and says of a consumer that stands still why', async () => {
    const { run, put, connection } = await pollCommands();
    await put(['1', '2'], 'one-key');
    const marks = dynamoBreakerStore(connection.dynamodb, { tableName: 'penstock-dev-state' });
    const trip = { reason: 'no-key', refused: 6, received: 8 } as const;
    const of = { pipeline: 'orders', consumer: 'orders' };
    await marks.open(of, { ...trip, sinceMs: Date.now() - 600_000, code: 'c' });
    const { out } = await run(['lag', 'orders', '--consumer', 'orders', '--for', '1s', '--json']);
    expect(JSON.parse(out)).toMatchObject([
      { shardId: FIRST_SHARD, trend: { donePerSec: 0, arrivingPerSec: 0 }, stopped: trip },
    ]);
  });

  test.each([
    [['--consumer', 'orders'], '--consumer wants its pipeline named before it.'],
    [['orders', '--consumer', 'nobody'], "orders has no consumer 'nobody'; there are: orders."],
    [['orders', '--for', 'long'], "--for takes a span such as 30s, 10m or 2h, not 'long'."],
    [['orders', '--watch', '--for', '5s'], '--watch looks again and again: leave out --for.'],
  ])('%j is refused in one sentence', async (argv, sentence) => {
    const { run } = await pollCommands();
    expect(await run(['lag', ...argv])).toEqual({ code: 2, out: '', err: `${sentence}\n` });
  });
});
