/** The shipped pipelines against the sources of the demo: the doctor finds nothing wrong with them. */
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { expect, test } from 'vitest';
import type { Io } from '#cli/io';
import { doctor } from '#cli/doctor/doctor';
import { loadOne } from '#cli/load';
import { PIPELINES_DIRECTORY } from '#cli/project';
import { ordersApi } from '#demo/orders-api';
import { paymentsApi } from '#demo/payments-api';
import { quakeFeed } from '#demo/quake-feed';
import { quakesApi } from '#demo/quakes-api';
import { SHOP_START_MS } from '#demo/shop';
import { whileListening } from '#test/demo/running-server';

/** Only waits move it: the source's clock, and the doctor's, which is `speed` times as fast. */
function handClock(startMs: number, speed = 1) {
  let realMs = 0;
  const sleep = async (ms: number) => void (realMs += ms);
  return { realMs: () => realMs, nowMs: () => startMs + realMs * speed, sleep };
}

async function examine(
  name: string,
  {
    server,
    clock,
    path,
    afterMs = 0,
  }: { server: Server; clock: ReturnType<typeof handClock>; path: string; afterMs?: number },
): Promise<string> {
  let said = '';
  await whileListening(server, async (url) => {
    // The source's clock starts with its first request.
    await (await fetch(url + path)).text();
    await clock.sleep(afterMs);
    const io: Io = {
      env: {
        [`${name.toUpperCase()}_API_URL`]: url + path,
        [`${name.toUpperCase()}_API_TOKEN`]: 't',
        QUAKES_START: '2018-01-01',
      },
      out: (text) => void (said += text),
      err: () => undefined,
      terminalWidth: undefined,
    };
    const pipeline = await loadOne(name, { stage: 'dev', directory: PIPELINES_DIRECTORY });
    await doctor(
      pipeline,
      { pagesMax: 3, json: false },
      { io, fail: () => void (said += 'failed'), clock },
    );
  });
  return said;
}

/** Notes alone, and something was looked at. */
const WELL = /^(note .*\n)*\w+: (\d notes?|nothing found) on 3 pages with [1-9][\d,]+ records\.\n$/;

const shopOf = (realMs: () => number) => ({
  seed: 7,
  changes: 20_000,
  seconds: 13,
  speed: 1,
  token: 't',
  realMs,
});

test('of orders', async () => {
  const clock = handClock(SHOP_START_MS);
  const server = ordersApi(shopOf(clock.realMs));
  expect(await examine('orders', { server, clock, path: '/orders' })).toMatch(WELL);
});

test('of payments, but for the one without an order that is planted there', async () => {
  const clock = handClock(SHOP_START_MS);
  const server = paymentsApi(shopOf(clock.realMs));
  const said = await examine('payments', { server, clock, path: '/v2/payments' });
  const [planted, ...rest] = said.split('\n');
  expect(planted).toMatch(
    /^error {4}payments\.ts: record\.partitionBy: 1 of \d+ records would be refused: `order_id` holds nothing /,
  );
  expect(rest.join('\n')).not.toMatch(/^(error|warning)/m);
});

test('of quakes', async () => {
  const collectionText = readFileSync('node_modules/vega-datasets/data/earthquakes.json', 'utf8');
  const { startMs, endMs } = quakeFeed(collectionText);
  const seconds = 600;
  const clock = handClock(startMs, (endMs - startMs) / (seconds * 1_000));
  const server = quakesApi({ seed: 7, collectionText, seconds, realMs: clock.realMs });
  const path = '/fdsnws/event/1/query';
  expect(await examine('quakes', { server, clock, path, afterMs: 300_000 })).toMatch(WELL);
});
