import { expect, test } from 'vitest';
import type { InvokeResult } from '#local/contracts';
import { createInvokeApi, isInvokePath } from '#local/invoke-api';
import { ask } from '#test/local/ask';

function open(result: InvokeResult = { kind: 'ok', payload: '{"done":true}' }) {
  const invoked: [string, unknown][] = [];
  const accepted: [string, string][] = [];
  const api = createInvokeApi({
    invoker: {
      async invoke(functionName, payload) {
        invoked.push([functionName, payload]);
        return result;
      },
    },
    hasFunction: (functionName) => functionName === 'fn',
    accept: (functionName, payload) => void accepted.push([functionName, payload]),
  });
  const invoke = (name: string, body: string, headers: Record<string, string> = {}) =>
    ask(api, 'POST', `/2015-03-31/functions/${name}/invocations`, { body, headers });
  return { invoke, invoked, accepted };
}

test.each([
  'fn',
  'fn:$LATEST',
  encodeURIComponent('arn:aws:lambda:us-east-1:000000000000:function:fn'),
  encodeURIComponent('000000000000:function:fn:$LATEST'),
])('%s is invoked, and its answer awaited', async (name) => {
  const { invoke, invoked } = open();
  expect(await invoke(name, '{"n":1}')).toMatchObject({ status: 200, text: '{"done":true}' });
  expect(invoked).toEqual([['fn', '{"n":1}']]);
});

test('an event is accepted, and nobody waits for it', async () => {
  const { invoke, invoked, accepted } = open();
  const answer = await invoke('fn', '{"n":1}', { 'x-amz-invocation-type': 'Event' });
  expect(answer.status).toBe(202);
  expect([invoked, accepted]).toEqual([[], [['fn', '{"n":1}']]]);
});

test('a dry run runs nothing', async () => {
  const { invoke, invoked } = open();
  expect((await invoke('fn', '', { 'x-amz-invocation-type': 'DryRun' })).status).toBe(204);
  expect(invoked).toEqual([]);
});

test('a function’s error is an answer with a mark', async () => {
  const { invoke } = open({
    kind: 'error',
    errorType: 'E',
    payload: '{"errorType":"E"}',
    logTail: 'oh',
  });
  const answer = await invoke('fn', '', { 'x-amz-log-type': 'Tail' });
  expect(answer).toMatchObject({ status: 200, text: '{"errorType":"E"}' });
  expect(answer.headers).toMatchObject({
    'x-amz-function-error': 'Unhandled',
    'x-amz-log-result': 'b2g=',
  });
});

test.each([
  ['fn', '{}', { kind: 'throttled' } as const, 429, 'TooManyRequestsException'],
  ['other', '{}', undefined, 404, 'ResourceNotFoundException'],
  ['fn', '{', undefined, 400, 'InvalidRequestContentException'],
])('%s with %s and %j is %i %s', async (name, body, result, status, code) => {
  const answer = await open(result).invoke(name, body);
  expect([answer.status, answer.headers['x-amzn-errortype']]).toEqual([status, code]);
});

test('other paths are not of this interface', () => {
  expect(isInvokePath('/2015-03-31/functions/fn/invocations')).toBe(true);
  expect(isInvokePath('/2015-03-31/functions/fn')).toBe(false);
});
