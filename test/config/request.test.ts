/** What a file may say of how a page is asked for. */
import { describe, expect, test } from 'vitest';
import { toRequestForm } from '#functions/poll/to-request-form';
import { requiredSettings } from '#config/required-settings';
import { faultsOf, settingsOf, ticketsInput } from '#test/config/pipeline-input';

const asking = (request: object, over: object = {}) => {
  const { source, ...file } = ticketsInput();
  return { ...file, source: { ...source, request, ...over } };
};
const BODY = { query: 'query Q', variables: { after: null, size: 0 } };
const PARAMS = {
  pagination: { kind: 'cursor', param: 'variables.after', next: 'next' },
  pageSize: { param: 'variables.size', value: 50 },
};

test('a body and headers are read, with the parameters that stand in the body', () => {
  const headers = { 'X-Team': { env: 'TICKETS_TEAM_HEADER' }, Accept: 'application/hal+json' };
  const settings = settingsOf(asking({ method: 'POST', headers, body: BODY }, PARAMS));
  expect(toRequestForm(settings.source, { TICKETS_TEAM_HEADER: 'blue' })).toEqual({
    method: 'POST',
    headers: { 'X-Team': 'blue', Accept: 'application/hal+json' },
    body: { template: BODY, params: ['since', 'variables.size', 'variables.after'] },
  });
  expect(requiredSettings(settings).map(({ env }) => env)).toContain('TICKETS_TEAM_HEADER');
});

test('a header from the environment is one line', () => {
  const { source } = settingsOf(asking({ headers: { 'X-Team': { env: 'TICKETS_TEAM_HEADER' } } }));
  expect(() => toRequestForm(source, { TICKETS_TEAM_HEADER: 'a\r\nb: c' })).toThrow(
    /^source\.request\.headers\.X-Team is not one line of ASCII$/,
  );
});

describe('a request is refused in a sentence', () => {
  const AT = 'source.request';
  test.each([
    [{ method: 'PUT' }, {}, `${AT}.method: must be 'GET' or 'POST'`],
    [{ body: BODY }, PARAMS, `${AT}.body: needs request.method: 'POST'`],
    [
      { headers: { authorization: 'Bearer x' } },
      {},
      `${AT}.headers.authorization: is a credential: name a secret in source.auth instead`,
    ],
    [
      { headers: { Cookie: 'a=b' } },
      {},
      `${AT}.headers.Cookie: is a credential: name a secret in source.auth instead`,
    ],
    [
      { headers: { 'Content-Length': '3' } },
      {},
      `${AT}.headers.Content-Length: is set by the connection: leave it out`,
    ],
    [
      { headers: { 'x-api-key': 'k' } },
      { auth: { kind: 'api-key', secret: 'tickets-key', header: 'X-Api-Key' } },
      `${AT}.headers.x-api-key: is already source.auth.header`,
    ],
    [
      { headers: { 'X-Team': 'grün' } },
      {},
      `${AT}.headers.X-Team: must be one line of ASCII: no header holds anything else`,
    ],
    [
      { method: 'POST', body: { query: 'q', variables: null } },
      PARAMS,
      "source.pageSize.param: must lead through objects of source.request.body: 'variables.size' does not",
    ],
    [{ method: 'POST', body: { at: new Date(0) } }, {}, `${AT}.body: must be JSON`],
    [
      { method: 'POST', body: BODY },
      { ...PARAMS, pagination: { kind: 'link', next: 'next' } },
      "source.pagination.kind: must not be 'link' with request.body: a link says by itself what is asked for, and the body would ask for another thing",
    ],
    [
      { method: 'POST', body: { size: 1 } },
      {
        pagination: { kind: 'none' },
        incremental: { kind: 'delta-link', next: 'delta' },
        deletes: undefined,
      },
      "source.incremental.kind: must not be 'delta-link' with request.body: a link says by itself what is asked for, and the body would ask for another thing",
    ],
  ])('%j %j', (request, over, sentence) => {
    expect(faultsOf(asking(request, over))[0]).toBe(sentence);
  });
});
