import { expect, onTestFinished, test } from 'vitest';
import { exited, timedOut } from '#local/lambda/functions/invocation-failure';
import { openRuntimeApi } from '#local/lambda/functions/runtime-api';
import type { RuntimeReport } from '#local/lambda/functions/runtime-api';
import { ruleTest } from '#test/local/rules/rule-test';

/** The API as any runtime sees it: over HTTP, at the paths AWS documents. */
async function openApi() {
  const reports: RuntimeReport[] = [];
  const api = await openRuntimeApi((report) => reports.push(report));
  onTestFinished(() => api.close());
  const root = `http://${api.address}/2018-06-01/runtime`;
  const post = (place: string, body: string, headers: Record<string, string> = {}) =>
    fetch(`${root}/${place}`, { method: 'POST', body, headers });
  const give = (requestId: string) =>
    api.give({
      requestId,
      deadlineMs: 1_764_419_696_789,
      functionArn: 'arn:aws:lambda:eu-west-1:000000000000:function:poll',
      traceId: 'Root=1-abc',
      payload: '{"n":1}',
    });
  return { api, reports, post, give, next: () => fetch(`${root}/invocation/next`) };
}

ruleTest('lambda', 'runtime-api', async () => {
  const { give, next } = await openApi();
  for (const order of ['work first', 'runtime first']) {
    if (order === 'work first') give('id-1');
    const asked = next();
    if (order === 'runtime first') give('id-1');
    const response = await asked;
    expect(await response.text()).toBe('{"n":1}');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'lambda-runtime-aws-request-id': 'id-1',
      'lambda-runtime-deadline-ms': '1764419696789',
      'lambda-runtime-invoked-function-arn': 'arn:aws:lambda:eu-west-1:000000000000:function:poll',
      'lambda-runtime-trace-id': 'Root=1-abc',
    });
  }
});

ruleTest('lambda', 'runtime-api-once', async () => {
  const { give, next, post, reports } = await openApi();
  give('id-1');
  await next();
  expect((await post('invocation/id-1/response', '"done"')).status).toBe(202);
  expect(reports.at(-1)).toEqual({ kind: 'response', payload: '"done"', rssKbMax: undefined });
  expect((await post('invocation/id-1/response', '"again"')).status).toBe(400);
  expect((await post('invocation/id-2/response', '"other"')).status).toBe(400);
  expect(reports.map(({ kind }) => kind)).toEqual(['ready', 'response']);
});

ruleTest('lambda', 'runtime-api-error', async () => {
  const { give, next, post, reports } = await openApi();
  give('id-1');
  await next();
  await post('invocation/id-1/error', '{"errorType":"Other"}', {
    'Lambda-Runtime-Function-Error-Type': 'Handler.Broken',
  });
  expect(reports.at(-1)).toEqual({
    kind: 'error',
    payload: '{"errorType":"Other"}',
    errorType: 'Handler.Broken',
  });
});

ruleTest('lambda', 'runtime-api-init-error', async () => {
  const { post, reports } = await openApi();
  expect((await post('init/error', '{}')).status).toBe(202);
  expect(reports).toEqual([{ kind: 'init-error', payload: '{}', errorType: undefined }]);
});

test('an unknown path of an invocation is not found', async () => {
  const { give, next, post } = await openApi();
  give('id-1');
  await next();
  expect((await post('invocation/id-1/elsewhere', '')).status).toBe(404);
});

test('a closed API refuses the next question', async () => {
  const { api, next } = await openApi();
  api.close();
  await expect(next()).rejects.toThrow();
});

ruleTest('lambda', 'failure-words', () => {
  const message = (failure: { payload: string }) =>
    (JSON.parse(failure.payload) as { errorMessage: string }).errorMessage;
  expect(message(timedOut('id-1', 3))).toBe(
    'RequestId: id-1 Error: Task timed out after 3.00 seconds',
  );
  expect(message(exited('id-1', { code: 1, signal: null }))).toBe(
    'RequestId: id-1 Error: Runtime exited with error: exit status 1',
  );
  expect(message(exited('id-1', { code: null, signal: 'SIGKILL' }))).toBe(
    'RequestId: id-1 Error: Runtime exited with error: signal: killed',
  );
  expect(message(exited('id-1', { code: 0, signal: null }))).toBe(
    'RequestId: id-1 Error: Runtime exited without providing a reason',
  );
});
