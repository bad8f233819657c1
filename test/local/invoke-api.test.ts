import { expect, test } from 'vitest';
import type { InvokeResult } from '#local/contracts';
import { createInvokeApi, isInvokePath } from '#local/invoke-api';
import { ask } from '#test/local/ask';
import { ruleTest } from '#test/local/rules/rule-test';

function open(result: InvokeResult = { kind: 'ok', payload: '{"done":true}', logTail: 'oh' }) {
  const invoked: unknown[][] = [];
  const accepted: [string, string][] = [];
  const api = createInvokeApi({
    async invoke(...asked) {
      invoked.push(asked);
      return result;
    },
    hasFunction: (functionName) => functionName === 'fn',
    accept: (functionName, payload) => void accepted.push([functionName, payload]),
  });
  const invoke = (name: string, body: string, headers: Record<string, string> = {}) =>
    ask(api, 'POST', `/2015-03-31/functions/${name}/invocations`, { body, headers });
  return { api, invoke, invoked, accepted };
}

ruleTest('lambda', 'invoke-names', async () => {
  const arn = 'arn:aws:lambda:us-east-1:000000000000:function:fn';
  for (const name of [
    'fn',
    'fn:$LATEST',
    arn,
    `${arn}:$LATEST`,
    '000000000000:function:fn:$LATEST',
  ]) {
    const { invoke, invoked } = open();
    const answer = await invoke(encodeURIComponent(name), '{"n":1}');
    expect(answer).toMatchObject({ status: 200, text: '{"done":true}' });
    expect(answer.headers).toMatchObject({ 'x-amz-executed-version': '$LATEST' });
    expect(invoked).toEqual([['fn', '{"n":1}', undefined]]);
  }
});

ruleTest('lambda', 'invoke-qualifier', async () => {
  const { api, invoke, invoked } = open();
  const path = '/2015-03-31/functions/fn/invocations';
  for (const answer of [
    await invoke('fn:prod', '{}'),
    await ask(api, 'POST', `${path}?Qualifier=prod`),
  ]) {
    expect([answer.status, JSON.parse(answer.text).Message]).toEqual([
      404,
      'Function not found: arn:aws:lambda:us-east-1:000000000000:function:fn:prod',
    ]);
  }
  expect(invoked).toEqual([]);
  expect((await ask(api, 'POST', `${path}?Qualifier=$LATEST`)).status).toBe(200);
});

ruleTest('lambda', 'invoke-event', async () => {
  const { invoke, invoked, accepted } = open();
  const answer = await invoke('fn', '{"n":1}', { 'x-amz-invocation-type': 'Event' });
  expect(answer.status).toBe(202);
  expect([invoked, accepted]).toEqual([[], [['fn', '{"n":1}']]]);
});

ruleTest('lambda', 'invoke-dry-run', async () => {
  const { invoke, invoked } = open();
  expect((await invoke('fn', '', { 'x-amz-invocation-type': 'DryRun' })).status).toBe(204);
  expect(invoked).toEqual([]);
});

const FAILED: InvokeResult = {
  kind: 'error',
  errorType: 'E',
  payload: '{"errorType":"E"}',
  logTail: 'oh',
};

ruleTest('lambda', 'invoke-function-error', async () => {
  const answer = await open(FAILED).invoke('fn', '');
  expect(answer).toMatchObject({ status: 200, text: '{"errorType":"E"}' });
  expect(answer.headers['x-amz-function-error']).toBe('Unhandled');
  expect((await open().invoke('fn', '')).headers).not.toHaveProperty('x-amz-function-error');
});

ruleTest('lambda', 'invoke-log-tail', async () => {
  for (const result of [undefined, FAILED]) {
    const { invoke } = open(result);
    const told = await invoke('fn', '', { 'x-amz-log-type': 'Tail' });
    expect(told.headers['x-amz-log-result']).toBe('b2g=');
    expect((await invoke('fn', '')).headers).not.toHaveProperty('x-amz-log-result');
  }
});

ruleTest('lambda', 'invoke-throttled', async () => {
  for (const [by, Reason] of [
    ['function', 'ReservedFunctionConcurrentInvocationLimitExceeded'],
    ['account', 'ConcurrentInvocationLimitExceeded'],
  ] as const) {
    const answer = await open({ kind: 'throttled', by }).invoke('fn', '{}');
    expect([answer.status, answer.headers['x-amzn-errortype']]).toEqual([
      429,
      'TooManyRequestsException',
    ]);
    expect(JSON.parse(answer.text)).toEqual({ Reason, Type: 'User', message: 'Rate Exceeded.' });
  }
});

ruleTest('lambda', 'invoke-refused', async () => {
  const cases: [string, string, Record<string, string>, number, string][] = [
    ['other', '{}', {}, 404, 'ResourceNotFoundException'],
    ['%', '{}', {}, 404, 'ResourceNotFoundException'],
    ['fn', '{', {}, 400, 'InvalidRequestContentException'],
    ['fn', '{}', { 'x-amz-invocation-type': 'Later' }, 400, 'ValidationException'],
    ['fn', '{}', { 'x-amz-log-type': 'Head' }, 400, 'ValidationException'],
    ['fn', '{}', { 'x-amz-client-context': 'e30=' }, 200, ''],
    ['fn', '{}', { 'x-amz-client-context': 'bm9uZQ==' }, 400, 'InvalidRequestContentException'],
    ['fn', '{}', { 'x-amz-durable-execution-name': 'x' }, 400, 'InvalidParameterValueException'],
  ];
  for (const [name, body, headers, status, code] of cases) {
    const answer = await open().invoke(name, body, headers);
    expect([answer.status, answer.headers['x-amzn-errortype'] ?? '']).toEqual([status, code]);
  }
});

ruleTest(
  'lambda',
  'size-request',
  async () => {
    const bodyOf = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2));
    const { invoke, accepted } = open();
    const event = { 'x-amz-invocation-type': 'Event' };
    expect((await invoke('fn', bodyOf(6 * 1_048_576))).status).toBe(200);
    expect((await invoke('fn', bodyOf(1_048_576), event)).status).toBe(202);
    for (const [bytes, headers, words] of [
      [6 * 1_048_576 + 1, {}, 'Request must be smaller than 6291456 bytes'],
      [1_048_577, event, '1048577 byte payload is too large for the Event invocation type'],
    ] as const) {
      const answer = await invoke('fn', bodyOf(bytes), headers);
      expect([answer.status, answer.headers['x-amzn-errortype']]).toEqual([
        413,
        'RequestTooLargeException',
      ]);
      expect(answer.text).toContain(words);
    }
    expect(accepted).toHaveLength(1);
  },
  'at the API',
);

test('other paths are not of this interface', () => {
  expect(isInvokePath('/2015-03-31/functions/fn/invocations')).toBe(true);
  expect(isInvokePath('/2015-03-31/functions/fn')).toBe(false);
});
