/** Whatever strikes a consumer, its table ends as the fold of all versions, and nothing is dropped. */
import { expect, test } from 'vitest';
import type { Fault } from '#local/faults/fault';
import type { RequestHandler } from '#local/kit/request-handler';
import {
  changesOf,
  consumerWorld,
  expectConservation,
  MINUTE_MS,
  rowsOf,
} from './consumer-world.ts';
import type { ConsumerWorld } from './consumer-world.ts';

const CHANGES = changesOf(40, 6);

async function expectWhole({ rows, bucketKeys, summaries }: ConsumerWorld): Promise<void> {
  expect(await rows()).toEqual(rowsOf(CHANGES));
  expect(await bucketKeys()).toEqual([]);
  expectConservation(summaries);
}

/** Ten minutes in which nothing of a kind gets through. */
const DOWN = { afterMs: 20_000, forMs: 10 * MINUTE_MS };

const FAULTS: Readonly<Record<string, readonly Fault[]>> = {
  'a table that throttles three in ten, is down for ten minutes, and comes back': [
    { kind: 'throttle-table', table: 'latest', share: 0.3, forMs: 20_000 },
    { kind: 'error-before', service: 'dynamodb', ...DOWN },
  ],
  'writes that are done and never answered': [
    { kind: 'lose-table-answer', table: 'latest', share: 0.4, times: 60 },
  ],
  'writes that are done and answered with a failure': [
    { kind: 'error-after', service: 'dynamodb', share: 0.4, times: 60 },
  ],
  'every batch delivered twice': [{ kind: 'deliver-again', function: 'consume' }],
  'a clock that is a day ahead, and one that is a day behind': [
    { kind: 'skew-clock', function: 'consume', skewMs: 24 * 60 * MINUTE_MS, share: 0.3 },
    { kind: 'skew-clock', function: 'consume', skewMs: -24 * 60 * MINUTE_MS, share: 0.3 },
  ],
  'a table that hangs until invocations time out': [
    { kind: 'hang', service: 'dynamodb', share: 0.2, times: 20 },
  ],
};

test.each(Object.entries(FAULTS))('%s', async (_, faults) => {
  const world = await consumerWorld({ faults, batchSize: 40, timeoutSec: 10 });
  for (let at = 0; at < CHANGES.length; at += 60) {
    await world.put(CHANGES.slice(at, at + 60));
    await world.cloud.step(8_000);
  }
  await world.cloud.step(DOWN.forMs);
  await world.cloud.untilIdle();
  for (const { hits } of world.cloud.faults.list()) expect(hits).toBeGreaterThan(0);
  await expectWhole(world);
});

test('a quarantine that refuses holds its shard, and drops nothing', async () => {
  const poison = ['no event', '{"specversion":"1.0"}'];
  const world = await consumerWorld({
    faults: [{ kind: 'error-before', service: 's3', forMs: 10 * MINUTE_MS }],
  });
  await world.put([...poison, ...CHANGES]);
  await world.cloud.step(9 * MINUTE_MS);
  expect(world.cloud.isIdle()).toBe(false);
  expect(world.summaries.some(({ returned, written }) => returned > 0 && written > 0)).toBe(true);
  await world.cloud.untilIdle();
  expect((await world.bucketKeys()).map((key) => key.split('/')[1]).toSorted()).toEqual([
    'not-an-event',
    'not-json',
  ]);
  expectConservation(world.summaries);
});

test('a function that dies at any of its requests, asked or answered, costs nothing', async () => {
  let requests = 0;
  const counted = (handler: RequestHandler): RequestHandler => ({
    ...handler,
    handle(...asked) {
      requests++;
      return handler.handle(...asked);
    },
  });
  const few = changesOf(2, 3);
  const calm = await consumerWorld({ batchSize: 3, between: counted });
  await calm.put(few);
  await calm.cloud.untilIdle();
  expect(requests).toBeGreaterThan(5);

  const deaths = Array.from({ length: requests }, (_, at) => at);
  for (const when of ['asked', 'answered'] as const) {
    for (const at of deaths) {
      const world = await dyingWorld({ at, when });
      await world.put(few);
      await world.cloud.step(2 * MINUTE_MS);
      await world.cloud.untilIdle();
      expect(world.hasDied(), `request ${at}`).toBe(true);
      expect(await world.rows(), `${when} ${at}`).toEqual(rowsOf(few));
      expect(await world.bucketKeys()).toEqual([]);
    }
  }
});

/** The function's process ends in the middle of a request: it never goes on, and another begins. */
async function dyingWorld({ at, when }: { at: number; when: 'asked' | 'answered' }) {
  let request = 0;
  let hasDied = false;
  const world = await consumerWorld({
    batchSize: 3,
    timeoutSec: 3,
    between: (handler) => ({
      ...handler,
      async handle(...asked) {
        if (request++ !== at) return handler.handle(...asked);
        hasDied = true;
        world.restart();
        if (when === 'answered') await handler.handle(...asked);
        // For longer than the function may take, by the cloud's clock.
        return new Promise((_resolve, reject) => setTimeout(reject, 60 * MINUTE_MS));
      },
    }),
  });
  return { ...world, hasDied: () => hasDied };
}

test('what an older function still writes after a deploy is stale', async () => {
  const world = await consumerWorld();
  const [first, ...others] = CHANGES.filter(({ subject }) => subject === 'order-3');
  await world.put(others);
  await world.cloud.untilIdle();
  const before = await world.rows();
  const record = {
    eventID: 'shardId-000000000000:1',
    kinesis: {
      sequenceNumber: '1',
      partitionKey: 'order-3',
      data: Buffer.from(JSON.stringify(first)).toString('base64'),
      approximateArrivalTimestamp: 1,
    },
  };
  const answer = await world.cloud.invoke('consume', JSON.stringify({ Records: [record] }));
  expect(answer).toMatchObject({ kind: 'ok', payload: '{"batchItemFailures":[]}' });
  expect(world.summaries.at(-1)).toMatchObject({ received: 1, stale: 1 });
  expect(await world.rows()).toEqual(before);
});

test('a storm of failing invocations, bisected again and again, gives nothing up', async () => {
  const world = await consumerWorld({
    batchSize: 100,
    enter(at) {
      if (at < 60) throw new Error('the deploy is broken');
    },
  });
  await world.put(CHANGES);
  await world.cloud.step(60 * MINUTE_MS);
  await world.cloud.untilIdle();
  expect(world.invocations()).toBeGreaterThan(60);
  await expectWhole(world);
});
