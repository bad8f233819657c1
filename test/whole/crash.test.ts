/** A function killed at the worst moment; afterwards the table is the source all the same. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { FaultPlan } from '#local/contracts';
import {
  CONSUME_FUNCTION,
  POLL_FUNCTION,
  STATE_TABLE,
  TABLE,
  killFunction,
  runTickets,
  scratch,
  sourceRows,
  synthesizeTickets,
  tableRows,
} from './app.ts';
import { fill, ticketsSource } from './tickets-source.ts';

let cdkOut: string;
let removeScratch = async () => {};
beforeAll(async () => {
  const directory = await scratch((remove) => {
    removeScratch = remove;
  });
  cdkOut = await synthesizeTickets(directory);
});
afterAll(() => removeScratch());

const WAIT = { timeout: 50_000, interval: 200 };

/** Calls `strike` at the `nth` request for `table` that follows `ready`; the request gets no answer. */
function strikeAt(
  table: string,
  strike: () => void,
  { nth, ready = () => true }: { nth: number; ready?: () => boolean },
): FaultPlan & { struck: () => boolean } {
  let seen = 0;
  return {
    struck: () => seen >= nth,
    onTable(name) {
      if (name !== table || !ready() || seen >= nth) return undefined;
      seen++;
      if (seen < nth) return undefined;
      strike();
      return 'throttle';
    },
  };
}

test('a poll killed between publish and save loses nothing', async () => {
  const source = await ticketsSource();
  fill(source, 0, 300);
  let published = 0;
  let killed = 0;
  const faults = strikeAt(STATE_TABLE, () => (killed = killFunction(POLL_FUNCTION, cloud)), {
    nth: 1,
    ready: () => published > 60,
  });
  const cloud = await runTickets(source, {
    cdkOut,
    faults,
    onEvent: (event) => {
      if (event.kind === 'put') published += event.records;
    },
  });
  await vi.waitFor(() => expect(faults.struck()).toBe(true), WAIT);
  fill(source, 300, 40);
  await vi.waitFor(
    async () => expect(await tableRows(cloud.endpoint)).toEqual(sourceRows(source)),
    WAIT,
  );
  expect(killed).toBe(1);
});

test('a consumer killed in the middle of its writes loses nothing', async () => {
  const source = await ticketsSource();
  fill(source, 0, 300);
  let killed = 0;
  const faults = strikeAt(TABLE, () => (killed = killFunction(CONSUME_FUNCTION, cloud)), {
    nth: 31,
  });
  const cloud = await runTickets(source, {
    cdkOut,
    faults,
  });
  await vi.waitFor(() => expect(faults.struck()).toBe(true), WAIT);
  fill(source, 300, 40);
  await vi.waitFor(
    async () => expect(await tableRows(cloud.endpoint)).toEqual(sourceRows(source)),
    WAIT,
  );
  expect(killed).toBeGreaterThan(0);
});
