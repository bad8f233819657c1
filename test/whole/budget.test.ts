/** Two pipelines ask one API under one budget, and are killed at it: judged by when their requests arrive. */
import { expect, vi } from 'vitest';
import { serve } from '#test/adapters/http/scripted-server';
import { cloudTest } from '#test/clouds/cloud-test';
import { killSwitch } from './kill-switch.ts';
import { WAIT } from './tickets-app.ts';

const REQUESTS_PER_SEC = 10;
const BURST = 2;
/** One of each pipeline: it asks for a page when it has the last. */
const IN_FLIGHT = 2;
/** So many that a pause of one of them, between two polls, weighs little. */
const SHARED = 240;

cloudTest('two pipelines keep to one budget of an API, whichever is killed', async (cloud) => {
  const api = await endlessApi();
  const [left, right] = [await killSwitch(), await killSwitch()];
  await cloud.deploy({
    pipeline: [fileOf('left'), fileOf('right')],
    env: { ENDLESS_API_URL: api.url },
    functionEnv: { '-left-poll': left.env, '-right-poll': right.env },
  });
  const until = async (isSo: () => boolean) => vi.waitFor(() => expect(isSo()).toBe(true), WAIT);
  const countOf = (name: string) => api.arrivals.filter((one) => one.name === name).length;

  await until(() => countOf('left') > 0 && countOf('right') > 0);
  const begun = api.arrivals.length;
  await until(() => api.arrivals.length >= begun + SHARED);
  const shared = api.arrivals.slice(begun, begun + SHARED).map(({ name }) => name);
  for (const name of ['left', 'right']) {
    expect(shared.filter((one) => one === name).length).toBeGreaterThan(SHARED / 4);
  }

  for (const victim of [left, right]) {
    const before = api.arrivals.length;
    expect(await victim.kill()).toBeGreaterThan(0);
    await until(() => api.arrivals.length >= before + 20);
  }
  const after = { left: countOf('left'), right: countOf('right') };
  await until(() => countOf('left') > after.left + 10 && countOf('right') > after.right + 10);

  const times = api.arrivals.map(({ atMs }) => atMs);
  let excess = 0;
  for (const [from, fromMs] of times.entries()) {
    for (let to = from; to < times.length; to++) {
      const allowed = (REQUESTS_PER_SEC * ((times[to] ?? 0) - fromMs)) / 1_000 + BURST + IN_FLIGHT;
      excess = Math.max(excess, to - from + 1 - allowed);
    }
  }
  expect(excess).toBeLessThanOrEqual(0);
  api.end();
});

const fileOf = (name: string) => `
import { definePipeline } from '#config/define-pipeline';

export default definePipeline({
  name: '${name}',
  source: {
    url: { env: 'ENDLESS_API_URL' },
    records: 'rows',
    query: { of: '${name}' },
    pagination: { kind: 'cursor', param: 'page', next: 'next' },
    incremental: { param: 'since', field: 'at' },
    pageSize: { param: 'size', value: 1 },
    rate: { requests: ${REQUESTS_PER_SEC}, burst: ${BURST}, api: 'endless' },
    timeoutSec: 5,
  },
  schedule: { everyMinutes: 1 },
  poll: { timeoutSec: 20 },
  record: { key: 'id', version: 'at', eventTime: 'at' },
  stream: { load: { recordsPerSecPeak: 50, recordBytesMean: 900 } },
  consumers: [{ kind: 'table', name: '${name}' }],
});
`;

/** An API of ever more pages, a row each, that keeps when it was asked and by whom. */
async function endlessApi() {
  const arrivals: { readonly name: string; readonly atMs: number }[] = [];
  let isOver = false;
  const { url } = await serve((response, _at, request) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    arrivals.push({ name: searchParams.get('of') ?? '', atMs: performance.now() });
    const page = Number(searchParams.get('page') ?? 0);
    const rows = [{ id: `row-${page}`, at: '2031-05-07T00:00:00Z' }];
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ rows, next: isOver ? null : String(page + 1) }));
  });
  const end = () => void (isOver = true);
  return { end, url: `${url}/rows`, arrivals };
}
