import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { InvokeResult } from '#local/contracts';
import { asset, bench, isAlive, settingsOf, until } from './asset.ts';

function bodyOf(result: InvokeResult): unknown {
  return result.kind === 'throttled' ? undefined : JSON.parse(result.payload);
}

test('a handler is given its event and answers with JSON', async () => {
  const { invoke } = bench(settingsOf(`export const handler = async (e) => ({ sum: e.a + e.b });`));
  expect(bodyOf(await invoke({ a: 2, b: 5 }))).toEqual({ sum: 7 });
});

test('a handler that answers nothing answers null', async () => {
  const { invoke } = bench(settingsOf(`export const handler = async () => {};`));
  expect(await invoke()).toEqual({ kind: 'ok', payload: 'null' });
});

test('the context names the invocation and how long it may still take', async () => {
  const { invoke } = bench(
    settingsOf(
      `export const handler = async (e, c) => ({ ...c, left: c.getRemainingTimeInMillis() });`,
    ),
  );
  expect(bodyOf(await invoke())).toMatchObject({
    functionName: 'penstock-dev-orders-poll',
    functionVersion: '$LATEST',
    memoryLimitInMB: '256',
    invokedFunctionArn: expect.stringMatching(/^arn:aws:lambda:.*-poll$/),
    awsRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    left: expect.closeTo(20_000, -4),
  });
});

test('a function sees the declared environment and the standard one, and nothing of ours', async () => {
  process.env.PENSTOCK_LEAK = 'ours';
  const { invoke } = bench(
    settingsOf(`export const handler = async () => ({ env: process.env, cwd: process.cwd() });`, {
      environment: { PENSTOCK_STREAM: 'penstock-dev-orders' },
    }),
  );
  const { env, cwd } = bodyOf(await invoke()) as { env: Record<string, string>; cwd: string };
  delete process.env.PENSTOCK_LEAK;
  expect(env).toMatchObject({
    PENSTOCK_STREAM: 'penstock-dev-orders',
    AWS_REGION: 'eu-west-1',
    AWS_ENDPOINT_URL: 'http://127.0.0.1:4566',
    AWS_LAMBDA_FUNCTION_NAME: 'penstock-dev-orders-poll',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '256',
    LAMBDA_TASK_ROOT: cwd,
    _HANDLER: 'index.handler',
  });
  expect(Object.keys(env).filter((name) => /LEAK|VITEST|HOME|npm_/.test(name))).toEqual([]);
});

test('an environment is used again, and its start is reported once', async () => {
  const { invoke, reports, functions } = bench(
    settingsOf(`let count = 0; export const handler = async () => ++count;`),
  );
  expect([bodyOf(await invoke()), bodyOf(await invoke())]).toEqual([1, 2]);
  expect(reports.map((report) => report.coldStart)).toEqual([true, false]);
  expect(reports[0]).toMatchObject({ outcome: 'ok', memoryMb: 256 });
  expect(reports[0]!.memoryUsedMbMax).toBeGreaterThan(10);
  expect(functions.pids()).toHaveLength(1);
});

test('a handler that throws answers an error, and its environment lives on', async () => {
  const { invoke, functions } = bench(
    settingsOf(`export const handler = async () => { throw new RangeError('too far'); };`),
  );
  const [first, pids] = [await invoke(), functions.pids()];
  expect(first).toMatchObject({ kind: 'error', errorType: 'RangeError' });
  expect(bodyOf(first)).toMatchObject({ errorType: 'RangeError', errorMessage: 'too far' });
  await invoke();
  expect(functions.pids()).toEqual(pids);
});

test('a module that throws answers an init error with its words', async () => {
  const { invoke } = bench(settingsOf(`throw new TypeError('no table name');`));
  const result = await invoke();
  expect(result).toMatchObject({ kind: 'error', errorType: 'TypeError' });
  expect(bodyOf(result)).toMatchObject({ errorMessage: 'no table name' });
});

test.each([
  ['an asset without the module', 'other.mjs', '', 'Runtime.ImportModuleError'],
  ['a module without the export', 'index.mjs', '', 'Runtime.HandlerNotFound'],
  [
    'a handler with a callback',
    'index.mjs',
    'export const handler = (event, context, done) => done();',
    'Runtime.CallbackHandlerDeprecated',
  ],
])('%s answers an init error', async (_, fileName, source, errorType) => {
  const { invoke } = bench(settingsOf('', { assetDir: asset(source, fileName) }));
  expect(await invoke()).toMatchObject({ kind: 'error', errorType });
});

test('a handler in a CommonJS module is found', async () => {
  const assetDir = asset(`exports.handler = async () => 'common';`, 'index.cjs');
  const { invoke } = bench(settingsOf('', { assetDir }));
  expect(bodyOf(await invoke())).toBe('common');
});

test.each([
  ['that waits', 'await new Promise((resolve) => setTimeout(resolve, 60_000));'],
  ['that never yields', 'for (;;) {}'],
])('a handler %s past its timeout is killed', async (_, body) => {
  const { invoke, functions, lines } = bench(
    settingsOf(`export const handler = async () => { ${body} };`, { timeoutSec: 1 }),
  );
  const result = await invoke();
  expect(result).toMatchObject({ kind: 'error', errorType: 'Sandbox.Timedout' });
  expect(bodyOf(result)).toMatchObject({
    errorMessage: expect.stringMatching(
      /^RequestId: \S+ Error: Task timed out after 1.00 seconds$/,
    ),
  });
  expect(functions.pids()).toEqual([]);
  expect(lines.map(({ line }) => line)).toContainEqual(expect.stringContaining('timed out after'));
});

test.each([
  ['exits', 'process.exit(3);', 'Runtime.ExitError', 'exit status 3'],
  ['exits well', 'process.exit(0);', 'Runtime.ExitError', 'without providing a reason'],
  [
    'kills itself',
    `process.kill(process.pid, 'SIGKILL'); for (;;) {}`,
    'Runtime.ExitError',
    'killed',
  ],
  [
    'leaves a rejection',
    `Promise.reject(new Error('late')); await new Promise(() => {});`,
    'Runtime.UnhandledPromiseRejection',
    'late',
  ],
])(
  'a process that %s answers an error, and the next one starts anew',
  async (_, body, type, words) => {
    const { invoke } = bench(
      settingsOf(`export const handler = async (e) => { if (e.good) return 'well'; ${body} };`),
    );
    const result = await invoke();
    expect(result).toMatchObject({ kind: 'error', errorType: type });
    expect(bodyOf(result)).toMatchObject({ errorMessage: expect.stringContaining(words) });
    expect(bodyOf(await invoke({ good: true }))).toBe('well');
  },
);

test('a heap larger than the memory ends the process', async () => {
  const { invoke } = bench(
    settingsOf(
      `export const handler = async () => { const a = []; for (;;) a.push(new Array(1e5).fill({})); };`,
      { memoryMb: 128 },
    ),
  );
  expect(await invoke()).toMatchObject({
    errorType: 'Runtime.ExitError',
    logTail: expect.stringContaining('heap'),
  });
});

test('what a function prints is told line by line with its invocation', async () => {
  const { invoke, lines } = bench(
    settingsOf(
      `console.log('starting');
       export const handler = async (e, c) => { console.log('a\\nb'); console.error('c'); return c.awsRequestId; };`,
    ),
  );
  const requestId = bodyOf(await invoke());
  await until(() => lines.length === 4);
  const functionName = 'penstock-dev-orders-poll';
  expect(lines[0]).toEqual({ functionName, line: 'starting' });
  expect(lines.slice(1)).toEqual(
    expect.arrayContaining(['a', 'b', 'c'].map((line) => ({ functionName, requestId, line }))),
  );
});

test('invocations at once run in environments of their own, up to the reserved concurrency', async () => {
  const { invoke, functions } = bench(
    settingsOf(
      `export const handler = async () => { await new Promise((r) => setTimeout(r, 300)); return process.pid; };`,
      { reservedConcurrency: 2 },
    ),
  );
  const results = await Promise.all([invoke(), invoke(), invoke()]);
  expect(results.map(({ kind }) => kind)).toEqual(['ok', 'ok', 'throttled']);
  expect(new Set(results.slice(0, 2).map(bodyOf)).size).toBe(2);
  expect(functions.running()).toBe(0);
});

test('the functions together stay within the concurrency of the account', async () => {
  const { invoke } = bench(settingsOf(`export const handler = async () => 1;`), {
    concurrencyMax: 1,
  });
  const results = await Promise.all([invoke(), invoke()]);
  expect(results.map(({ kind }) => kind)).toEqual(['ok', 'throttled']);
});

test('an environment without work is ended', async () => {
  const { invoke, functions } = bench(settingsOf(`export const handler = async () => 1;`), {
    idleMs: 30,
  });
  await invoke();
  await until(() => functions.pids().length === 0);
  expect(bodyOf(await invoke())).toBe(1);
});

test('an event or an answer over six megabytes is an error', async () => {
  const { invoke } = bench(
    settingsOf(`export const handler = async (e) => 'x'.repeat(e.length ?? 0);`),
  );
  expect(await invoke({ text: 'x'.repeat(6 * 1024 * 1024) })).toMatchObject({
    errorType: 'RequestEntityTooLargeException',
  });
  expect(await invoke({ length: 6 * 1024 * 1024 })).toMatchObject({
    errorType: 'Function.ResponseSizeTooLarge',
  });
  expect(await invoke({ length: 6 * 1024 * 1024 - 2 })).toMatchObject({ kind: 'ok' });
});

test('stopping takes no new work, lets running work end and leaves no process', async () => {
  const { invoke, functions } = bench(
    settingsOf(
      `export const handler = async () => { await new Promise((r) => setTimeout(r, 200)); return 'done'; };`,
    ),
  );
  const running = invoke();
  await until(() => functions.pids().length === 1);
  const pids = functions.pids();
  const stopped = functions.stop();
  expect(await invoke()).toEqual({ kind: 'throttled' });
  await stopped;
  expect(bodyOf(await running)).toBe('done');
  expect(pids.filter(isAlive)).toEqual([]);
});

test('stopping with a grace kills what outlives it, and what it started', async () => {
  const { invoke, functions, lines } = bench(
    settingsOf(
      `import { spawn } from 'node:child_process';
       export const handler = async () => {
         console.log(spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']).pid);
         for (;;) {}
       };`,
    ),
  );
  const running = invoke();
  await until(() => lines.length === 1);
  const pids = [...functions.pids(), Number(lines[0]!.line)];
  await functions.stop(20);
  expect(await running).toMatchObject({ kind: 'error', errorType: 'Runtime.ExitError' });
  await until(() => !pids.some(isAlive));
});

test('what Lambda would refuse of a function is refused in one sentence', () => {
  const { functions } = bench(settingsOf(''));
  const bad = settingsOf('', { name: 'bad', environment: { AWS_REGION: 'x' }, memoryMb: 64 });
  expect(() => functions.add(bad)).toThrow(/bad: .*AWS_REGION; memory of 64 MB/);
  expect(() => functions.add(settingsOf(''))).toThrow(/exists/);
});

test('an unknown function is an error of ours', async () => {
  const { functions } = bench(settingsOf(''));
  await expect(functions.invoke('nobody', '{}')).rejects.toThrow('there is no function nobody');
  await sleep(0);
});
