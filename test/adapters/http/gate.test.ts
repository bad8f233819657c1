/** What passes the gate of an API's budget: each request that leaves for it. */
import { describe, expect, test } from 'vitest';
import { bearer } from '#adapters/http/auth/bearer';
import { httpPageSource } from '#adapters/http/page-source';
import { systemClock } from '#adapters/system/clock';
import type { Entry, RequestGate } from '#ports/page-source';
import { serve } from './scripted-server.ts';

const SPENT: Entry = { kind: 'spent', notBeforeMs: 77, detail: 'the budget of shop is spent' };
const GRANTED: Entry = { kind: 'granted', timeoutMs: 5_000 };

/** Counts who passes, and keeps what it is told. */
function countingGate(entries: readonly Entry[] = [GRANTED], wait?: Promise<unknown>) {
  const heldMs: number[] = [];
  let entered = 0;
  const gate: RequestGate = {
    approach: async () => undefined,
    async enter() {
      await wait;
      return entries[Math.min(entered++, entries.length - 1)] ?? GRANTED;
    },
    hold: async (untilMs) => void heldMs.push(untilMs - systemClock.nowMs()),
  };
  return { gate, heldMs, entered: () => entered };
}

const ask = (url: string, gate: RequestGate, timeoutMs = 5_000) =>
  httpPageSource({ url, authorize: bearer(async () => 'tok-8d1'), clock: systemClock }).fetchPage({
    query: {},
    timeoutMs,
    gate,
  });

describe('the gate of a budget', () => {
  test('is passed by each redirect and by a request with new credentials', async () => {
    const server = await serve((response, at) => {
      if (at === 0) response.writeHead(302, { location: '/other' }).end();
      else if (at === 1) response.writeHead(401).end();
      else response.end('[]');
    });
    const { gate, entered } = countingGate();
    expect(await ask(server.url, gate)).toMatchObject({ kind: 'page' });
    expect([server.requests.length, entered()]).toEqual([3, 3]);
  });

  test('that is shut lets nothing out, at first or on the way', async () => {
    const server = await serve((response) => response.writeHead(302, { location: '/b' }).end());
    expect(await ask(server.url, countingGate([SPENT]).gate)).toEqual(SPENT);
    expect(server.requests).toHaveLength(0);
    expect(await ask(server.url, countingGate([GRANTED, SPENT]).gate)).toEqual(SPENT);
    expect(server.requests).toHaveLength(1);
  });

  test('may keep a request waiting for longer than its time', async () => {
    const server = await serve((response) => response.end('[]'));
    const opened = new Promise((resolve) => setTimeout(resolve, 2_100));
    const { gate } = countingGate([GRANTED], opened);
    expect(await ask(server.url, gate, 2_000)).toMatchObject({ kind: 'page' });
  });

  test('leaves a request no more time than the run has', async () => {
    const server = await serve(() => undefined);
    const { gate } = countingGate([{ kind: 'granted', timeoutMs: 30 }]);
    expect(await ask(server.url, gate)).toMatchObject({ kind: 'unavailable' });
  });

  test('is told of a pause that is asked for, and of an answer that leaves no request', async () => {
    const server = await serve((response, at) => {
      if (at === 0) response.writeHead(429, { 'retry-after': '30' }).end();
      else if (at === 1) response.writeHead(403, { ratelimit: '"hour";r=0;t=40' }).end();
      else response.writeHead(200, { ratelimit: '"hour";r=0;t=50' }).end('[]');
    });
    const { gate, heldMs } = countingGate();
    expect(await ask(server.url, gate)).toMatchObject({ kind: 'wait', waitMs: 30_000 });
    expect(await ask(server.url, gate)).toMatchObject({ kind: 'wait', waitMs: 40_000 });
    const answer = await ask(server.url, gate);
    expect(answer).toMatchObject({ kind: 'page', notBeforeMs: expect.any(Number) as number });
    expect(heldMs.map((ms) => Math.round(ms / 10_000))).toEqual([3, 4, 5]);
  });
});
