import { expect, test } from 'vitest';
import { createLogs } from '#local/emulators/logs/logs';
import type { Logs } from '#local/emulators/logs/logs';

const GROUP = '/aws/lambda/f';

interface Answer {
  readonly events: readonly { message: string; timestamp: number; eventId: string }[];
  readonly nextToken?: string;
}

async function ask(logs: Logs, operation: string, input: object) {
  const { status, body } = await logs.handle({
    method: 'POST',
    path: '/',
    query: new URLSearchParams(),
    headers: { 'x-amz-target': `Logs_20140328.${operation}` },
    body: Buffer.from(JSON.stringify(input)),
  });
  return { status, body: JSON.parse(Buffer.from(body ?? '').toString()) as Answer };
}

/** A group in which line `n` was written at `n` seconds. */
function written(count: number, linesMax?: number): Logs {
  let nowMs = 0;
  const clock = { nowMs: () => nowMs };
  const logs = createLogs({ clock, ...(linesMax === undefined ? {} : { linesMax }) });
  logs.addFunction('f');
  for (let n = 1; n <= count; n++) {
    nowMs = n * 1_000;
    logs.write({ functionName: 'f', line: `line ${n}` });
  }
  return logs;
}

const messages = ({ events }: Answer) => events.map(({ message }) => message);

test('lines are given by time, oldest first, each with an id of its own', async () => {
  const input = { logGroupName: GROUP, startTime: 2_000, endTime: 3_000 };
  const { body } = await ask(written(4), 'FilterLogEvents', input);
  expect(messages(body)).toEqual(['line 2\n', 'line 3\n']);
  expect(body.events.map(({ timestamp }) => timestamp)).toEqual([2_000, 3_000]);
  expect(new Set(body.events.map(({ eventId }) => eventId)).size).toBe(2);
  expect(body.nextToken).toBeUndefined();
});

test('a page of a limit leads to the next, until the last', async () => {
  const logs = written(5);
  const seen: string[] = [];
  let nextToken: string | undefined;
  do {
    const input = { logGroupName: GROUP, limit: 2, ...(nextToken ? { nextToken } : {}) };
    const { body } = await ask(logs, 'FilterLogEvents', input);
    seen.push(...messages(body));
    ({ nextToken } = body);
  } while (nextToken !== undefined);
  expect(seen).toEqual([1, 2, 3, 4, 5].map((n) => `line ${n}\n`));
});

test('a group keeps so many lines at most, the newest', async () => {
  const { body } = await ask(written(100, 3), 'FilterLogEvents', { logGroupName: GROUP });
  expect(messages(body)).toEqual(['line 98\n', 'line 99\n', 'line 100\n']);
});

test('a function that wrote nothing has an empty group; one that is not there has none', async () => {
  const logs = written(0);
  expect((await ask(logs, 'FilterLogEvents', { logGroupName: GROUP })).body.events).toEqual([]);
  expect(await ask(logs, 'FilterLogEvents', { logGroupName: '/aws/lambda/g' })).toMatchObject({
    status: 400,
    body: { __type: 'ResourceNotFoundException' },
  });
  const groups = await ask(logs, 'DescribeLogGroups', { logGroupNamePrefix: '/aws/lambda/' });
  expect(groups.body).toMatchObject({ logGroups: [{ logGroupName: GROUP }] });
});

test('a filter pattern is refused rather than left out', async () => {
  const input = { logGroupName: GROUP, filterPattern: 'ERROR' };
  expect(await ask(written(1), 'FilterLogEvents', input)).toMatchObject({
    status: 400,
    body: { message: 'emulator limit: no parameter filterPattern' },
  });
});
