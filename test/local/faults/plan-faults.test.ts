import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Fault } from '#local/faults/fault';
import { planFaults } from '#local/faults/plan-faults';
import type { FaultBookOptions, FaultEvent } from '#local/faults/fault-book';
import { seededChance } from '#local/kit/seeded-chance';
import { steppedClock } from '#local/kit/stepped-clock';

function plan(faults: readonly Fault[], more: FaultBookOptions = {}, seed = 5) {
  const clock = steppedClock(1_000);
  return { clock, plan: planFaults(faults, seededChance(seed), clock, more) };
}

const times = <T>(count: number, work: () => T): T[] => Array.from({ length: count }, work);

describe('each hook is answered by its kinds', () => {
  test.each<[Fault, (made: ReturnType<typeof plan>['plan']) => unknown, unknown]>([
    [{ kind: 'throttle-entries', stream: 's' }, (p) => p.onPut('s', 2), 'throttle'],
    [{ kind: 'refuse-entry', stream: 's', entry: 2 }, (p) => p.onPut('s', 2), 'fail'],
    [{ kind: 'refuse-put', stream: 's' }, (p) => p.onPutRequest('s'), 'refuse'],
    [{ kind: 'lose-put-answer' }, (p) => p.onPutRequest('s'), 'timeout-after-write'],
    [{ kind: 'throttle-read', shard: 'a' }, (p) => p.onRead('s', 'a'), 'throttle'],
    [{ kind: 'expire-iterator', stream: 's' }, (p) => p.onRead('s', 'a'), 'expire'],
    [{ kind: 'throttle-table', table: 't' }, (p) => p.onTable('t', 'PutItem'), 'throttle'],
    [
      { kind: 'lose-table-answer', operation: 'PutItem' },
      (p) => p.onTable('t', 'PutItem'),
      'timeout-after-write',
    ],
    [{ kind: 'unprocessed-item', table: 't' }, (p) => p.onBatchItem('t', 4), 'unprocessed'],
    [
      { kind: 'unprocessed-item', table: 't', item: 4 },
      (p) => p.onBatchItem('t', 4),
      'unprocessed',
    ],
    [
      { kind: 'kill-function', function: 'f', intoMs: 7 },
      (p) => p.onInvoke('f'),
      { kind: 'kill', afterMs: 7 },
    ],
    [
      { kind: 'freeze-function', function: 'f', intoMs: 8 },
      (p) => p.onInvoke('f'),
      { kind: 'freeze', afterMs: 8 },
    ],
    [
      { kind: 'skew-clock', function: 'f', skewMs: -9 },
      (p) => p.onInvoke('f'),
      { kind: 'skew', skewMs: -9 },
    ],
    [{ kind: 'deliver-again', function: 'f' }, (p) => p.onBatch('f', 'a'), 'again'],
    [{ kind: 'withhold-batch', shard: 'a' }, (p) => p.onBatch('f', 'a'), 'withhold'],
    [{ kind: 'lose-tick', schedule: 'm' }, (p) => p.onTick('m'), 'drop'],
    [{ kind: 'double-tick', schedule: 'm' }, (p) => p.onTick('m'), 'twice'],
    [
      { kind: 'delay', service: 'kinesis', delayMs: 11 },
      (p) => p.onRequest({ service: 'Kinesis_20131202', operation: 'PutRecords' }),
      { kind: 'delay', delayMs: 11 },
    ],
    ...(
      ['error-before', 'error-after', 'cut-before', 'cut-after', 'cut-amid', 'hang'] as const
    ).map(
      (kind) =>
        [
          { kind, service: 's3', operation: 'PutObject' },
          (p) => p.onRequest({ service: 's3', operation: 'PutObject' }),
          { kind },
        ] satisfies [Fault, (made: ReturnType<typeof plan>['plan']) => unknown, unknown],
    ),
  ])('%j', (fault, ask, answer) => {
    expect(ask(plan([fault]).plan)).toEqual(answer);
    expect(ask(plan([]).plan)).toBeUndefined();
  });
});

test('a fault strikes what it names, and nothing else', () => {
  const { plan: made } = plan([
    { kind: 'throttle-table', table: 't', operation: 'PutItem' },
    { kind: 'refuse-entry', stream: '*', entry: 3 },
  ]);
  expect(made.onTable('t', 'GetItem')).toBeUndefined();
  expect(made.onTable('u', 'PutItem')).toBeUndefined();
  expect([2, 3, 4].map((entry) => made.onPut('any', entry))).toEqual([
    undefined,
    'fail',
    undefined,
  ]);
});

test('it strikes so often at most, and counts', () => {
  const { plan: made } = plan([{ kind: 'lose-tick', times: 3 }]);
  expect(times(5, () => made.onTick('m')).filter((one) => one === 'drop')).toHaveLength(3);
  expect(made.list()).toEqual([{ id: 'f1', fault: { kind: 'lose-tick', times: 3 }, hits: 3 }]);
});

test('it begins so long after it was added, and ends so long after that', async () => {
  const { plan: made, clock } = plan([{ kind: 'lose-tick', afterMs: 100, forMs: 50 }]);
  const at = [];
  for (let ms = 0; ms < 200; ms += 50) {
    at.push(made.onTick('m'));
    await clock.step(50);
  }
  expect(at).toEqual([undefined, undefined, 'drop', undefined]);
});

test('a share of what it fits is struck, and the same seed strikes the same', () => {
  fc.assert(
    fc.property(fc.nat(), fc.double({ min: 0.1, max: 0.9, noNaN: true }), (seed, share) => {
      const run = () => {
        const { plan: made } = plan([{ kind: 'throttle-entries', share }], {}, seed);
        return times(400, () => made.onPut('s', 0));
      };
      const first = run();
      expect(run()).toEqual(first);
      const struck = first.filter((one) => one === 'throttle').length;
      expect(Math.abs(struck / 400 - share)).toBeLessThan(0.2);
    }),
    { numRuns: 20 },
  );
});

test('of two that fit, the first that was added strikes, until it is used up', () => {
  const { plan: made } = plan([{ kind: 'refuse-put', times: 1 }, { kind: 'lose-put-answer' }]);
  expect(times(2, () => made.onPutRequest('s'))).toEqual(['refuse', 'timeout-after-write']);
});

test('one that is added later strikes from then on, and no more once it is removed', () => {
  const { plan: made } = plan([]);
  const id = made.add({ kind: 'lose-tick' });
  const other = made.add({ kind: 'refuse-put' });
  expect([id === other, made.onTick('m')]).toEqual([false, 'drop']);
  expect([made.remove(id), made.remove(id), made.onTick('m')]).toEqual([true, false, undefined]);
  made.clear();
  expect(made.list()).toEqual([]);
});

test('it tells when a fault is added, and when it strikes for the first time', () => {
  const events: FaultEvent[] = [];
  const { plan: made } = plan([{ kind: 'lose-tick' }], { onEvent: (event) => events.push(event) });
  times(3, () => made.onTick('m'));
  expect(events.map(({ kind, id, hits }) => [kind, id, hits])).toEqual([
    ['fault-added', 'f1', 0],
    ['fault-hit', 'f1', 1],
  ]);
});

describe('a fault of one moment', () => {
  test('strikes at that moment, once', async () => {
    const struck: number[] = [];
    const { clock } = plan([{ kind: 'split-shard', afterMs: 30 }], {
      strike: async () => void struck.push(clock.nowMs()),
    });
    await clock.step(200);
    expect(struck).toEqual([1_030]);
  });

  test('that cannot be done says why', async () => {
    const { clock, plan: made } = plan([{ kind: 'merge-shards' }], {
      strike: async () => {
        throw new Error('There is one shard.');
      },
    });
    await clock.step(1);
    expect(made.list()).toMatchObject([{ hits: 0, failure: 'There is one shard.' }]);
  });

  test('does not strike when it was removed before', async () => {
    let struck = 0;
    const { clock, plan: made } = plan([{ kind: 'split-shard', afterMs: 30 }], {
      strike: async () => void struck++,
    });
    made.clear();
    await clock.step(60);
    expect(struck).toBe(0);
  });
});
