/** Tokens that run out while the requests that are to show them wait for their turn. */
import { describe, expect, test } from 'vitest';
import type { Authorize } from '#adapters/http/auth/authorize';
import { httpPageSource } from '#adapters/http/page-source';
import { memoryRateBudget } from '#adapters/memory/rate-budget';
import { rateGate } from '#pipeline/rate-gate';
import type { RequestGate } from '#ports/page-source';
import { START_MS, testClock } from '#test/pipeline/poll-world';
import type { TestClock } from '#test/pipeline/poll-world';
import { serve } from './scripted-server.ts';

const FETCH_MS = 400;

/** Tokens of a life, each of which takes a while to fetch; at nine tenths it is fetched anew. */
function tokens(clock: TestClock, lifeMs: number) {
  const fetchedAtMs: number[] = [];
  let known: { text: string; untilMs: number; refreshAtMs: number } | undefined;
  const authorize: Authorize = async () => {
    if (known === undefined || clock.nowMs() >= known.refreshAtMs) {
      const bornMs = clock.nowMs();
      clock.advance(FETCH_MS);
      fetchedAtMs.push(bornMs - START_MS);
      const text = `Bearer ${bornMs + lifeMs - START_MS}`;
      known = { text, untilMs: bornMs + lifeMs, refreshAtMs: bornMs + 0.9 * lifeMs };
    }
    const { text, untilMs } = known;
    return { kind: 'credentials', headers: { authorization: text }, params: {}, untilMs };
  };
  return { authorize, fetchedAtMs };
}

/** A source under a budget; `left` tells when a request left, and until when its token was good. */
async function world({
  lifeMs,
  intervalMs,
  redirect = '',
}: {
  readonly lifeMs: number;
  readonly intervalMs: number;
  readonly redirect?: string;
}) {
  const clock = testClock();
  const left: { atMs: number; goodUntilMs: number }[] = [];
  const server = await serve((response, at, { headers: { authorization = '' } }) => {
    left.push({ atMs: clock.nowMs() - START_MS, goodUntilMs: Number(authorization.slice(7)) });
    if (at === 0 && redirect !== '') response.writeHead(302, { location: redirect }).end();
    else response.end('[]');
  });
  const { authorize, fetchedAtMs } = tokens(clock, lifeMs);
  const budget = memoryRateBudget();
  const rule = { pipeline: 'orders', api: 'shop', rate: { intervalMs, burst: 1 } };
  const source = httpPageSource({ url: server.url, authorize, clock });
  const gate = rateGate(rule, { budget, clock, report: () => undefined }).open({
    waitMsMax: () => 800_000,
    ensure: async () => true,
    timeoutMs: () => 5_000,
  });
  const ask = (through: RequestGate = gate) =>
    source.fetchPage({ query: {}, timeoutMs: 5_000, gate: through });
  return { clock, budget, left, fetchedAtMs, ask };
}

describe('a token that runs out while a permit is waited for', () => {
  test('is fetched anew in time, so that no permit goes by', async () => {
    const { left, ask } = await world({ lifeMs: 60_000, intervalMs: 100_000 });
    for (let at = 0; at < 4; at++) expect(await ask()).toMatchObject({ kind: 'page' });
    for (const { atMs, goodUntilMs } of left) expect(atMs).toBeLessThan(goodUntilMs);
    const gapsMs = left.slice(1).map(({ atMs }, at) => Math.round((atMs - left[at]!.atMs) / 1_000));
    expect(gapsMs).toEqual([100, 100, 100]);
  });

  test('is not shown after a pause that another was asked for', async () => {
    const { budget, left, ask, fetchedAtMs } = await world({ lifeMs: 300_000, intervalMs: 100 });
    await budget.hold('shop', START_MS + 310_000);
    expect(await ask()).toMatchObject({ kind: 'page' });
    expect(fetchedAtMs).toEqual([0, 300_000]);
    expect(left).toEqual([{ atMs: 310_000, goodUntilMs: 600_000 }]);
  });

  test('is not shown behind a redirect either', async () => {
    const { left, ask } = await world({ lifeMs: 60_000, intervalMs: 100_000, redirect: '/b' });
    expect(await ask()).toMatchObject({
      kind: 'unavailable',
      detail: expect.stringContaining('each access token was over before the request'),
    });
    expect(left).toHaveLength(1);
  });

  test('lets the permit go by where that came late all the same, a few times', async () => {
    const { clock, left, ask } = await world({ lifeMs: 60_000, intervalMs: 100 });
    let entered = 0;
    const late: RequestGate = {
      approach: async () => undefined,
      async enter() {
        entered++;
        clock.advance(70_000);
        return { kind: 'granted', timeoutMs: 5_000 };
      },
      hold: async () => undefined,
    };
    expect(await ask(late)).toMatchObject({ kind: 'unavailable' });
    expect([entered, left.length]).toEqual([3, 0]);
  });
});

test('a budget that is spent lets nothing out before a token is fetched anew', async () => {
  const { ask, left, fetchedAtMs } = await world({ lifeMs: 60_000, intervalMs: 900_000 });
  await ask();
  expect(await ask()).toMatchObject({ kind: 'spent' });
  expect([left.length, fetchedAtMs.length]).toEqual([1, 1]);
});
