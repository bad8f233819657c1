import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { InvokeResult } from '#local/contracts';
import { ruleTest } from '#test/local/rules/rule-test';
import { bench, isAlive, settingsOf, until } from './asset.ts';

function bodyOf(result: InvokeResult): unknown {
  return result.kind === 'throttled' ? undefined : JSON.parse(result.payload);
}

ruleTest('lambda', 'handler-event', async () => {
  const { invoke } = bench(settingsOf(`export const handler = async (e) => ({ sum: e.a + e.b });`));
  expect(bodyOf(await invoke({ a: 2, b: 5 }))).toEqual({ sum: 7 });
});

ruleTest('lambda', 'handler-nothing', async () => {
  const { invoke } = bench(settingsOf(`export const handler = async () => {};`));
  expect(await invoke()).toMatchObject({ kind: 'ok', payload: 'null' });
});

ruleTest('lambda', 'handler-sync', async () => {
  const { invoke } = bench(settingsOf(`export const handler = (e) => [e.a];`));
  expect(bodyOf(await invoke({ a: 2 }))).toEqual([2]);
});

ruleTest('lambda', 'context', async () => {
  const { invoke } = bench(
    settingsOf(
      `export const handler = async (e, c) => ({ ...c, left: c.getRemainingTimeInMillis() });`,
    ),
  );
  const context = bodyOf(await invoke());
  expect(context).toEqual({
    functionName: 'penstock-dev-orders-poll',
    functionVersion: '$LATEST',
    memoryLimitInMB: '256',
    invokedFunctionArn: expect.stringMatching(/^arn:aws:lambda:.*-poll$/),
    awsRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    logGroupName: '/aws/lambda/penstock-dev-orders-poll',
    logStreamName: expect.stringMatching(/^\d{4}\/\d\d\/\d\d\/\[\$LATEST\][0-9a-f]{32}$/),
    xRayTraceId: expect.stringMatching(/^Root=1-/),
    left: expect.closeTo(20_000, -4),
  });
});

ruleTest('lambda', 'context-client', async () => {
  const { functions } = bench(
    settingsOf(`export const handler = async (e, c) => c.clientContext;`),
  );
  const answer = await functions.invoke('penstock-dev-orders-poll', '{}', '{"custom":{"k":"v"}}');
  expect(bodyOf(answer)).toEqual({ custom: { k: 'v' } });
});

ruleTest('lambda', 'trace-id', async () => {
  const { invoke } = bench(
    settingsOf(`export const handler = async () => process.env._X_AMZN_TRACE_ID;`),
  );
  const ids = [bodyOf(await invoke()), bodyOf(await invoke())];
  expect(ids[0]).toMatch(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24};Parent=[0-9a-f]{16};Sampled=0$/);
  expect(ids[1]).not.toEqual(ids[0]);
});

ruleTest('lambda', 'environment-variables', async () => {
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

ruleTest('lambda', 'warm-reuse', async () => {
  const { invoke, reports, functions } = bench(
    settingsOf(`let count = 0; export const handler = async () => ++count;`),
  );
  expect([bodyOf(await invoke()), bodyOf(await invoke())]).toEqual([1, 2]);
  expect(reports.map((report) => report.coldStart)).toEqual([true, false]);
  expect(reports[0]).toMatchObject({ outcome: 'ok', memoryMb: 256 });
  expect(reports[0]!.memoryUsedMbMax).toBeGreaterThan(10);
  expect(functions.pids()).toHaveLength(1);
});

ruleTest('lambda', 'handler-throws', async () => {
  const { invoke, functions } = bench(
    settingsOf(`export const handler = async () => { throw new RangeError('too far'); };`),
  );
  const [first, pids] = [await invoke(), functions.pids()];
  expect(first).toMatchObject({ kind: 'error', errorType: 'RangeError' });
  expect(bodyOf(first)).toMatchObject({ errorType: 'RangeError', errorMessage: 'too far' });
  await invoke();
  expect(functions.pids()).toEqual(pids);
});

ruleTest('lambda', 'init-error', async () => {
  const { invoke } = bench(settingsOf(`throw new TypeError('no table name');`));
  const result = await invoke();
  expect(result).toMatchObject({ kind: 'error', errorType: 'TypeError' });
  expect(bodyOf(result)).toMatchObject({ errorMessage: 'no table name' });
});

for (const [kind, body] of [
  ['one that waits', 'await new Promise((resolve) => setTimeout(resolve, 60_000));'],
  ['one that never yields', 'for (;;) {}'],
] as const) {
  ruleTest(
    'lambda',
    'timeout',
    async () => {
      const { invoke, functions, platform } = bench(
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
      const lines = platform.map(({ line }) => line);
      expect(lines).toContainEqual(
        expect.stringMatching(/^\d{4}-.*Z \S+ Task timed out after 1.00 seconds$/),
      );
      expect(lines.at(-1)).toContain('\tStatus: timeout\t');
    },
    kind,
  );
}

const endsWith = (body: string, errorType: string, words: string) => async () => {
  const { invoke } = bench(
    settingsOf(`export const handler = async (e) => { if (e.good) return 'well'; ${body} };`),
  );
  const result = await invoke();
  expect(result).toMatchObject({ kind: 'error', errorType });
  expect(bodyOf(result)).toMatchObject({ errorMessage: expect.stringContaining(words) });
  expect(bodyOf(await invoke({ good: true }))).toBe('well');
};
const EXIT = 'Runtime.ExitError';
const KILL = `process.kill(process.pid, 'SIGKILL'); for (;;) {}`;
const REJECT = `Promise.reject(new Error('late')); await new Promise(() => {});`;

ruleTest('lambda', 'crash', endsWith('process.exit(3);', EXIT, 'exit status 3'), 'by itself');
ruleTest(
  'lambda',
  'crash',
  endsWith('process.exit(0);', EXIT, 'without providing a reason'),
  'well',
);
ruleTest('lambda', 'crash', endsWith(KILL, EXIT, 'signal: killed'), 'by a signal');
ruleTest(
  'lambda',
  'unhandled-rejection',
  endsWith(REJECT, 'Runtime.UnhandledPromiseRejection', 'late'),
);

ruleTest('lambda', 'memory-heap', async () => {
  const { invoke } = bench(
    settingsOf(
      `export const handler = async () => { const a = []; for (;;) a.push(new Array(1e5).fill({})); };`,
      { memoryMb: 128 },
    ),
  );
  expect(await invoke()).toMatchObject({
    errorType: 'Runtime.ExitError',
    payload: expect.stringContaining('Runtime exited with error: signal: aborted'),
    logTail: expect.stringContaining('heap'),
  });
});

ruleTest('lambda', 'log-lines', async () => {
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

ruleTest('lambda', 'warm-one-at-once', async () => {
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

ruleTest('lambda', 'concurrency-account', async () => {
  const { invoke } = bench(settingsOf(`export const handler = async () => 1;`), {
    concurrencyMax: 1,
  });
  const results = await Promise.all([invoke(), invoke()]);
  expect(results.map(({ kind }) => kind)).toEqual(['ok', 'throttled']);
});

ruleTest('lambda', 'warm-idle', async () => {
  const { invoke, functions } = bench(settingsOf(`export const handler = async () => 1;`), {
    idleMs: 30,
  });
  await invoke();
  await until(() => functions.pids().length === 0);
  expect(bodyOf(await invoke())).toBe(1);
});

ruleTest('lambda', 'size-response', async () => {
  const { invoke } = bench(
    settingsOf(`export const handler = async (e) => 'x'.repeat(e.length ?? 0);`),
  );
  expect(await invoke({ length: 6 * 1024 * 1024 + 99 })).toMatchObject({
    errorType: 'Function.ResponseSizeTooLarge',
    payload: expect.stringContaining('exceeded maximum allowed payload size (6291556 bytes).'),
  });
  expect(await invoke({ length: 6 * 1024 * 1024 + 98 })).toMatchObject({ kind: 'ok' });
});

ruleTest(
  'lambda',
  'size-request',
  async () => {
    const { invoke, functions } = bench(settingsOf(`export const handler = async () => 1;`));
    expect(await invoke({ text: 'x'.repeat(6 * 1024 * 1024) })).toMatchObject({
      errorType: 'RequestTooLargeException',
    });
    expect(functions.pids()).toEqual([]);
  },
  'a synchronous one',
);

ruleTest('lambda', 'concurrency-reserved', async () => {
  const { invoke } = bench(
    settingsOf(`export const handler = async () => 1;`, { reservedConcurrency: 0 }),
  );
  expect(await invoke()).toEqual({ kind: 'throttled', by: 'function' });
});

ruleTest('lambda', 'log-platform', async () => {
  const { invoke, platform } = bench(
    settingsOf(`export const handler = async (e, c) => c.awsRequestId;`),
  );
  const [id, warm] = [String(bodyOf(await invoke())), String(bodyOf(await invoke()))];
  expect(platform.map(({ line }) => line)).toEqual([
    `START RequestId: ${id} Version: $LATEST`,
    `END RequestId: ${id}`,
    expect.stringMatching(
      /^REPORT RequestId: \S+\tDuration: \d+\.\d\d ms\tBilled Duration: \d+ ms\tMemory Size: 256 MB\tMax Memory Used: \d+ MB\tInit Duration: \d+\.\d\d ms\t$/,
    ),
    `START RequestId: ${warm} Version: $LATEST`,
    `END RequestId: ${warm}`,
    expect.not.stringContaining('Init Duration'),
  ]);
});

test('a function that is changed starts anew, and what runs of it ends as it began', async () => {
  const { invoke, functions } = bench(
    settingsOf(
      `export const handler = async (e) => {
         if (e.waits) await new Promise((r) => setTimeout(r, 300));
         return process.env.WORD ?? 'none';
       };`,
    ),
  );
  const running = invoke({ waits: true });
  await until(() => functions.running() === 1 && functions.pids().length === 1);
  functions.update('penstock-dev-orders-poll', { environment: { WORD: 'new' } });
  expect(bodyOf(await invoke())).toBe('new');
  expect(bodyOf(await running)).toBe('none');
  await until(() => functions.pids().length === 1);
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
  expect(await invoke()).toMatchObject({ kind: 'throttled' });
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
