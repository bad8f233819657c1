/** History is read beside live polls, by a process that is killed in the middle and run again. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { dynamoBackfillStore } from '#adapters/dynamodb/backfill-store';
import { invokePoll } from '#cli/invoke-poll';
import { pollControl } from '#cli/poll-control';
import { encodeCursor } from '#core/source/cursor-text';
import { FRESH_CURSOR } from '#core/source/cursor';
import type { Timestamp } from '#core/record/timestamp';
import { serve } from '#test/adapters/http/scripted-server';
import { cloudTest } from '#test/clouds/cloud-test';
import { runPenstock } from './run-penstock.ts';
import { deployTickets, namesOf, sourceRows, tableRows, WAIT } from './tickets-app.ts';
import { fill, TICKETS_FILE, TICKETS_TOKEN, ticketsSource } from './tickets-source.ts';

/** What is kept waiting by the test is waited for. */
const FILE = TICKETS_FILE.replace(
  'horizonSec: 2',
  "horizonSec: 2, until: { param: 'before' }",
).replace('timeoutSec: 2', 'timeoutSec: 60');

/** 420 changes are a minute of the source's time. */
const CHANGES = 420;
const LIVE_FROM = '2031-05-07T00:01:00.000000000Z' as Timestamp;

const HISTORY = ['backfill', 'tickets', '--from', '2031-05-07T00:00:00Z', '--slice', '7s'];

cloudTest('what was changed before polls began is read beside them, over a kill', async (cloud) => {
  const source = await ticketsSource();
  const deployment = await deployTickets(cloud, source, { pipeline: FILE });
  const { stage, connection, endpoint } = deployment;
  const control = pollControl(connection, stage);
  const lambda = await connection.signed('lambda');
  await control.pause('tickets', { sinceMs: Date.now(), reason: 'a test' });
  await vi.waitFor(async () => {
    const { text } = await invokePoll(lambda, namesOf(deployment).pollFunction);
    expect(JSON.parse(text)).toMatchObject({ kind: 'paused' });
  }, WAIT);
  // The last of them are for the first live poll, so that it comes no further.
  fill(source, 0, CHANGES + 14);
  await control.setCursor('tickets', encodeCursor({ ...FRESH_CURSOR, boundary: LIVE_FROM }));
  await control.resume('tickets');

  const held = await holdingFront(source.url, 5);
  const directory = mkdtempSync(join(process.cwd(), 'test', 'whole', '.backfill-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  writeFileSync(join(directory, 'tickets.ts'), FILE);
  const where = ['--directory', directory, '--cloud', endpoint, '--stage', stage];
  const backfill = (to = '2031-05-07T00:01:00Z') =>
    runPenstock([...HISTORY, '--to', to, '--yes', ...where], {
      TICKETS_API_URL: held.url,
      TICKETS_API_TOKEN: TICKETS_TOKEN,
    });

  const open = runPenstock([...HISTORY, '--dry-run', '--json', ...where], {
    TICKETS_API_URL: source.url,
    TICKETS_API_TOKEN: TICKETS_TOKEN,
  });
  const { code, out } = await open.ended;
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ sampled: 9, published: false, slices: 9 });
  const first = backfill();
  await held.reached;
  // Some of the old rows change while one of their pages is on its way.
  fill(source, CHANGES + 14, 60);
  await vi.waitFor(async () => {
    const rows = await tableRows(deployment);
    expect(rows.get('ticket-30')).toBe('revision 3');
  }, WAIT);
  first.child.kill('SIGKILL');
  await first.ended;
  held.release();
  expect((await tableRows(deployment)).size).toBeLessThan(source.rows.size);

  const busy = await backfill().ended;
  expect(busy).toMatchObject({ code: 1, out: '' });
  expect(busy.err).toMatch(/^A backfill of tickets is at work: /);
  // As if its lease had run out, and had been watched.
  const store = dynamoBackfillStore(connection.dynamodb, {
    tableName: namesOf(deployment).stateTable,
  });
  const left = await store.read('tickets');
  await store.save('tickets', { ...left!.run, leaseUntilMs: 0 }, left!.run.epoch);
  const other = await backfill('2031-05-07T00:00:30Z').ended;
  expect(other.err).toBe(
    'Another backfill of tickets is not over. This goes on with it; --restart gives it up:\n' +
      'penstock backfill tickets --from 2031-05-07T00:00:00Z --to 2031-05-07T00:01:00Z --slice 7s ' +
      `${where.join(' ')} --yes\n`,
  );

  const before = held.asked.length;
  const second = await backfill().ended;
  expect(second).toMatchObject({ code: 0 });
  expect(second.out).toMatch(/^Goes on with the backfill that was begun at /);
  expect(second.out).toMatch(/\nDone: 9 of 9 slices, /);
  // The slices that were over are not asked for again.
  expect(held.asked[before]?.get('since')).toBe(held.asked[before - 1]?.get('since'));
  await vi.waitFor(
    async () => expect(await tableRows(deployment)).toEqual(sourceRows(source)),
    WAIT,
  );
});

/** In front of a source: the `count`th request is kept waiting until it is released. */
async function holdingFront(target: string, count: number) {
  const asked: URLSearchParams[] = [];
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const { url } = await serve((response, _at, request) => {
    void (async () => {
      const { search, searchParams } = new URL(request.url ?? '/', target);
      asked.push(searchParams);
      if (asked.length === count) {
        reached.resolve();
        await released.promise;
      }
      const { authorization = '' } = request.headers;
      const answer = await fetch(`${target}${search}`, { headers: { authorization } });
      response.setHeader('content-type', 'application/json');
      response.setHeader('date', answer.headers.get('date') ?? '');
      response.end(await answer.text());
    })();
  });
  return {
    url: `${url}/tickets`,
    asked,
    reached: reached.promise,
    release: released.resolve,
  };
}
