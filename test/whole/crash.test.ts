/** kill -9 at the worst moments; afterwards the table is the source all the same. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
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
import { ticketsSource } from './tickets-source.ts';
import type { TicketsSource } from './tickets-source.ts';

const WAIT = { timeout: 50_000, interval: 200 };

function fill(source: TicketsSource, from: number, count: number): void {
  for (let i = from; i < from + count; i++) source.change(`ticket-${i % 210}`, i % 23 === 0);
}

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
  const faults = strikeAt(STATE_TABLE, () => (killed = killFunction(POLL_FUNCTION)), {
    nth: 1,
    ready: () => published > 60,
  });
  const cloud = await runTickets(source, {
    cdkOut: await synthesizeTickets(await scratch()),
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
  const faults = strikeAt(TABLE, () => (killed = killFunction(CONSUME_FUNCTION)), { nth: 31 });
  const cloud = await runTickets(source, {
    cdkOut: await synthesizeTickets(await scratch()),
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

test('a local cloud killed with what it keeps goes on where it was', async () => {
  const source = await ticketsSource();
  fill(source, 0, 600);
  const directory = await scratch();
  const cdkOut = await synthesizeTickets(directory);
  const keepDir = join(directory, 'kept');
  await mkdir(keepDir);
  const program = join(directory, 'cloud.ts');
  await writeFile(program, CLOUD_PROGRAM);

  const first = await cloudProcess(program, { cdkOut, keepDir, url: source.url });
  await vi.waitFor(
    async () => expect((await tableRows(first.endpoint)).size).toBeGreaterThan(0),
    WAIT,
  );
  first.child.kill('SIGKILL');
  await first.ended;
  fill(source, 600, 50);

  const second = await cloudProcess(program, { cdkOut, keepDir, url: source.url });
  await vi.waitFor(
    async () => expect(await tableRows(second.endpoint)).toEqual(sourceRows(source)),
    WAIT,
  );
  second.child.kill('SIGTERM');
  await second.ended;
  expect(killFunction(POLL_FUNCTION) + killFunction(CONSUME_FUNCTION)).toBe(0);
});

const CLOUD_PROGRAM = `
import { startCloud } from '#local/cloud';
import { putSecrets } from '#cli/cloud/put-secrets';
import { connect } from '#cli/connection';
const { cdkOut, keepDir, url } = JSON.parse(process.argv[2]);
const cloud = await startCloud({
  cdkOut, keepDir, tempo: true, parameters: { TicketsApiUrl: url },
  async beforeRunning(endpoint) {
    const connection = connect(endpoint, {});
    await putSecrets(await connection.signed('secretsmanager'), [{ name: 'penstock/whole/tickets-api-token', value: 'a-token-for-tickets' }]);
    connection.close();
  },
});
console.log(cloud.endpoint);
process.once('SIGTERM', () => cloud.stop().then(() => process.exit(0)));
`;

interface CloudProcess {
  readonly child: ChildProcess;
  readonly endpoint: string;
  readonly ended: Promise<unknown>;
}

async function cloudProcess(program: string, input: object): Promise<CloudProcess> {
  const child = spawn(process.execPath, [program, JSON.stringify(input)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  onTestFinished(() => void child.kill('SIGKILL'));
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout?.setEncoding('utf8').once('data', resolve);
    child.once('exit', () => reject(new Error('the cloud did not start')));
  });
  return { child, endpoint: line.trim(), ended };
}
