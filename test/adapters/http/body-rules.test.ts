import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { httpPageSource } from '#adapters/http/page-source';
import type { BodyRules, HttpSourceOptions } from '#adapters/http/page-source';
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

describe('a refusal', () => {
  const errorKind = { of: [400], path: ['error', 'code'] };
  const refusal = async (
    answer: (response: ServerResponse) => void,
    more: Partial<HttpSourceOptions> = {},
  ) => {
    const { url } = await serve(answer);
    const source = httpPageSource({
      url,
      authorize: undefined,
      clock: systemClock,
      errorKind,
      ...more,
    });
    return source.fetchPage({ query: {}, timeoutMs: 5_000 });
  };
  const plain = { kind: 'refused', detail: 'the source answered status 400', status: 400 };

  test.each([
    ['{"error":{"code":"OLD"}}', 'OLD'],
    ['{"error":{"code":1700}}', '1700'],
    ['{"error":{"code":true}}', 'true'],
  ])('that says %s names its kind', async (body, kind) =>
    expect(await refusal((response) => response.writeHead(400).end(body))).toEqual({
      ...plain,
      errorKind: kind,
    }),
  );

  test.each([
    ['holds none', '{"error":null}'],
    ['is no JSON', '<html>'],
    ['is empty', ''],
    ['is longer than any error', `{"error":{"code":"${'x'.repeat(70_000)}"}}`],
  ])('whose body %s names none', async (_, body) =>
    expect(await refusal((response) => response.writeHead(400).end(body))).toEqual(plain),
  );

  test('that breaks off, or never ends, names none', async () => {
    const begin = (response: ServerResponse) => response.writeHead(400).write('{"error":');
    expect(
      await refusal((response) => {
        begin(response);
        setImmediate(() => response.destroy());
      }),
    ).toEqual(plain);
    expect(await refusal((response) => void begin(response), { idleMs: 50 })).toEqual(plain);
  });

  test('of another status is not read', async () => {
    const answer = await refusal((response) => {
      response.writeHead(404).end('{"error":{"code":"OLD"}}');
    });
    expect(answer).toEqual({ ...plain, detail: 'the source answered status 404', status: 404 });
  });
});
