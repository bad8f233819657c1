/** penstock logs, against the local cloud's own log groups. */
import { expect, test, vi } from 'vitest';
import { levelOf, logLine } from '#cli/render/log-line';
import { PATIENTLY } from '#test/clouds/patience';
import { said } from './cloud-answering.ts';
import { pollCommands } from './poll-commands.ts';

const POLL = 'penstock-dev-orders-poll';
const CONSUME = 'penstock-dev-orders-consume-orders';
const RECOVER = 'penstock-dev-orders-recover';

const LINES = {
  ended: JSON.stringify({
    level: 'INFO',
    message: 'PollEnded',
    service: POLL,
    timestamp: '2031-04-16T09:00:00.000Z',
    event: 'PollEnded',
    pipeline: 'orders',
    outcome: 'caught-up',
    detail: '',
    pages: 3,
  }),
  failed: JSON.stringify({ level: 'ERROR', event: 'WriteFailed', detail: 'no such table' }),
  metrics: JSON.stringify({ _aws: { Timestamp: 1 }, PollsSucceeded: 1 }),
};

async function withLines() {
  const commands = await pollCommands();
  const { logs } = commands;
  for (const name of [POLL, CONSUME, RECOVER]) logs.addFunction(name);
  for (const line of ['START RequestId: 1 Version: $LATEST', LINES.ended, LINES.metrics]) {
    logs.write({ functionName: POLL, line });
  }
  logs.write({ functionName: CONSUME, line: LINES.failed });
  return commands;
}

test('lines of all functions are told, metrics and the platform’s notes left out', async () => {
  const { run } = await withLines();
  const { code, out } = await run(['logs', 'orders']);
  expect(code).toBe(0);
  expect(out.replace(/^\S+Z/gm, 'T')).toBe(
    'T  INFO   orders-poll  PollEnded  outcome=caught-up pages=3\n' +
      'T  ERROR  orders-consume-orders  WriteFailed  detail="no such table"\n',
  );
});

test('a function and a level are chosen', async () => {
  const { run } = await withLines();
  expect((await run(['logs', 'orders', '--function', 'orders'])).out).toMatch(/^\S+ {2}ERROR.*\n$/);
  expect((await run(['logs', 'orders', '--function', 'poll'])).out).toMatch(/^\S+ {2}INFO.*\n$/);
  expect((await run(['logs', 'orders', '--level', 'warn'])).out).not.toContain('PollEnded');
});

test('--json prints lines as they were written', async () => {
  const { run } = await withLines();
  const { out } = await run(['logs', 'orders', '--function', 'poll', '--json']);
  expect(out).toBe(
    ['START RequestId: 1 Version: $LATEST', LINES.ended, LINES.metrics, ''].join('\n'),
  );
});

test('--follow goes on with what comes, prints nothing twice, and ends well with Ctrl-C', async () => {
  const { run, logs } = await withLines();
  const before = process.listenerCount('SIGINT');
  const ended = run(['logs', 'orders', '--follow', '--json', '--function', 'orders']);
  await vi.waitFor(
    () => expect(process.listenerCount('SIGINT')).toBeGreaterThan(before),
    PATIENTLY,
  );
  logs.write({ functionName: CONSUME, line: 'later' });
  const asked = vi.spyOn(logs, 'handle');
  await vi.waitFor(() => expect(asked.mock.calls.length).toBeGreaterThan(1), PATIENTLY);
  process.emit('SIGINT');
  expect(await ended).toEqual({ code: 0, out: `${LINES.failed}\nlater\n`, err: '' });
});

test.each([
  [['--level', 'loud'], 2, "--level must be debug, info, warn, error, not 'loud'.\n"],
  [
    ['--since', 'yesterday'],
    2,
    "--since takes a span such as 10m, a date such as 2031-06-12, or a time with its zone such as 2031-06-12T16:00:00Z, not 'yesterday'.\n",
  ],
  [['--function', 'x'], 2, "orders has no function 'x'; there are: poll, orders, recover.\n"],
  [[], 1, `There are no logs of ${POLL} here. Is it deployed in this stage?\n`],
])('logs orders %j ends with one sentence', async (more, code, err) => {
  const { run } = await pollCommands();
  expect(await run(['logs', 'orders', ...more])).toEqual({ code, out: '', err });
});

test('nothing written is said, and no failure', async () => {
  const { run, logs } = await pollCommands();
  for (const name of [POLL, CONSUME, RECOVER]) logs.addFunction(name);
  const { code, out, err } = await run(['logs', 'orders', '--level', 'warn']);
  expect({ code, out }).toEqual({ code: 0, out: '' });
  expect(err).toMatch(/^Nothing at warn or above was written for orders since \S+Z; --since .*\n$/);
});

test('a port that no cloud can answer at is the sentence that others give', async () => {
  const { code, err } = await said('logs', 'orders', '--cloud', 'http://127.0.0.1:9');
  expect(code).toBe(1);
  expect(err).toMatch(/^No cloud answers at that address: `penstock up` starts one/);
});

test.each([
  ['2031 Task timed out after 3.00 seconds', 'error'],
  ['REPORT RequestId: 1 Duration: 3 ms', undefined],
  ['hello', 'info'],
  ['{"level":"CRITICAL"}', 'error'],
  ['{"level":"WARN"}', 'warn'],
  ['{half', 'info'],
])('the line %j is as loud as %s', (message, level) => {
  expect(levelOf({ functionName: 'f', timestampMs: 0, message })).toBe(level);
});

test('a line that is no JSON is told as it is', () => {
  const event = { functionName: 'other', timestampMs: 0, message: 'hello {' };
  expect(logLine(event, { prefix: 'penstock-dev-' })).toBe(
    '1970-01-01T00:00:00.000Z  INFO   other  hello {',
  );
});
