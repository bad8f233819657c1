import { describe, expect, test } from 'vitest';
import { httpPageSource } from '#adapters/http/page-source';
import type { BodyRules } from '#adapters/http/page-source';
import { systemClock } from '#adapters/system/clock';
import { serve } from './scripted-server.ts';

async function ask(body: string, rules: BodyRules, headers: Record<string, string> = {}) {
  const accepted: (string | undefined)[] = [];
  const server = await serve((response, _at, request) => {
    accepted.push(request.headers.accept);
    response.writeHead(200, headers).end(body);
  });
  const { url } = server;
  const source = httpPageSource({ url, authorize: undefined, clock: systemClock, ...rules });
  return { accepted, answer: await source.fetchPage({ query: {}, timeoutMs: 5_000 }) };
}

describe('a body of lines', () => {
  test('is an array of what they hold, and is asked for by its type', async () => {
    const { accepted, answer } = await ask('{"n":1.0}\n\n{"n":2}\n', { form: 'lines' });
    expect(JSON.stringify(answer.kind === 'page' && answer.body)).toBe('[{"n":1.0},{"n":2}]');
    expect(accepted).toEqual(['application/x-ndjson, */*;q=0.5']);
  });

  test('may be empty', async () => {
    const { answer } = await ask('', { form: 'lines' });
    expect(answer).toMatchObject({ kind: 'page', body: [] });
  });

  test('holds one array as one value, and not as many', async () => {
    const { answer } = await ask('[{"n":1},{"n":2}]', { form: 'lines' });
    expect(answer).toMatchObject({ kind: 'page', body: [[{ n: 1 }, { n: 2 }]] });
  });
});

describe('an error of status 200', () => {
  const errors = {
    path: ['errors'],
    waitIf: { path: ['errors', '0', 'extensions', 'code'], values: ['THROTTLED'] },
  };
  const throttled = '{"errors":[{"message":"x","extensions":{"code":"THROTTLED"}}],"data":null}';

  test('POLL-32: that throttles is a wait, as long as its headers say', async () => {
    const unnamed = await ask(throttled, { errors });
    expect(unnamed.answer).toEqual({ kind: 'wait', status: 200, waitMs: undefined });
    const named = await ask(throttled, { errors }, { 'retry-after': '7' });
    expect(named.answer).toEqual({ kind: 'wait', status: 200, waitMs: 7_000 });
  });

  test('of another kind is refused', async () => {
    const { answer } = await ask('{"errors":["x"]}', { errors });
    const detail = 'the source answered an error: `errors` holds an array';
    expect(answer).toEqual({ kind: 'refused', detail });
  });

  test('in the last of many lines takes the lines before it back', async () => {
    const { answer } = await ask('{"n":1}\n{"errors":["x"]}\n', { errors, form: 'lines' });
    expect(answer.kind).toBe('refused');
  });
});
