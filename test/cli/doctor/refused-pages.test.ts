/** Which line of the file penstock doctor names where the source, or its token endpoint, does not answer. */
import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { PipelineInput } from '#config/pipeline-input';
import { whileListening } from '#test/demo/running-server';
import { briefly, examine, SOURCE } from './examine.ts';
import type { FakeApi } from './fake-api.ts';

type Source = PipelineInput['source'];

const wrongIn = async (api: FakeApi, source: Partial<Source> = {}) => {
  const report = await examine({ api, file: { source: { ...SOURCE, ...source } } });
  return briefly(report).filter((one) => one.startsWith('error'));
};

const refusing = (status: number): FakeApi => ({
  respond: (response, { cursor }) =>
    cursor !== null && Number(cursor) > 1 && (response.writeHead(status).end(), true),
});

describe('of a second page', () => {
  test.each([401, 403])('that is refused with %d, the credentials are named', async (status) =>
    expect(await wrongIn(refusing(status))).toEqual(['error auth source.auth']),
  );

  test('that is a login in HTML, the credentials are named', async () =>
    expect(
      await wrongIn({ page: (page, { cursor }) => (cursor === null ? page : '<html>log in') }),
    ).toEqual(['error no-page source.auth']));

  test.each([
    ['page', 'pages', { kind: 'page', param: 'cursor' }],
    ['offset', 'total', { kind: 'offset', param: 'cursor' }],
  ] as const)(
    'by %s that is refused with 404, what ends such a run is named',
    async (_, member, pagination) => {
      const found = await wrongIn(refusing(404), { pagination });
      expect(found).toEqual([`error end-refused source.pagination.${member}`]);
    },
  );

  test('whose token is refused, the parameter is named', async () =>
    expect(await wrongIn(refusing(400))).toEqual(['error token-refused source.pagination.param']));
});

describe('of an answer', () => {
  test('that is larger than a function holds, the size of a page is named', async () => {
    const api: FakeApi = { page: () => `[${' '.repeat(33 * 1024 * 1024)}]` };
    expect(await wrongIn(api)).toEqual(['error page-too-large source.pageSize']);
  });

  test.each([
    ['that is empty', { page: () => '' }],
    [
      'whose compression is broken',
      { respond: (response) => (response.setHeader('content-encoding', 'gzip'), false) },
    ],
  ] as const satisfies readonly (readonly [string, FakeApi])[])(
    '%s, no timeout is named',
    async (_, api) => expect(await wrongIn(api)).toEqual(['error broken-answer null']),
  );
});

describe('of a token endpoint', () => {
  const auth = (tokenUrl: string): Source['auth'] => ({
    kind: 'oauth2',
    tokenUrl,
    clientId: 'reader',
    secret: 'rows-token',
  });
  const answering = (status: number, body: string) =>
    createServer((_request, response) => void response.writeHead(status).end(body));
  const wrongAt = async (status: number, body: string) => {
    let found: readonly string[] = [];
    await whileListening(answering(status, body), async (url) => {
      found = await wrongIn({}, { auth: auth(`${url}/token`) });
    });
    return found;
  };

  test('that is not there, its URL is named', async () => {
    let gone = '';
    await whileListening(answering(200, ''), async (url) => void (gone = url));
    expect(await wrongIn({}, { auth: auth(`${gone}/token`) })).toEqual([
      'error token-endpoint source.auth.tokenUrl',
    ]);
  });

  test.each([
    ['at another path', 404, '<html>', 'error token-endpoint source.auth.tokenUrl'],
    ['that knows the client not', 401, '{}', 'error auth source.auth'],
    ['that takes another secret', 400, '{"error":"invalid_client"}', 'error auth source.auth'],
    ['that answers no token', 200, '{}', 'error token-endpoint source.auth.tokenUrl'],
  ])('%s, it is named, and not the source', async (_, status, body, found) => {
    expect(await wrongAt(status, body)).toEqual([found]);
  });
});
