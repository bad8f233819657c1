import { describe, expect, test } from 'vitest';
import { parameterName, requiredSecrets, requiredSettings } from '#config/required-settings';
import { settingsOf, ticketsInput } from '#test/config/pipeline-input';

test('settings are the URL and the query values that name a variable', () => {
  expect(requiredSettings(settingsOf(ticketsInput()))).toEqual([
    { env: 'TICKETS_API_URL' },
    { env: 'TICKETS_TEAM', default: 'all' },
  ]);
});

test('a variable that stands twice is asked for once', () => {
  const twice = { env: 'TEAM' };
  const query = { team: twice, also: twice, plain: 'x' };
  const source = { url: 'https://a.example', query, auth: { kind: 'none' } as const };
  expect(requiredSettings({ source, consumers: [] })).toEqual([{ env: 'TEAM' }]);
});

describe('of a handler', () => {
  const input = ticketsInput();
  const handlers = [
    { name: 'mail', environment: { TEAM: { env: 'TICKETS_TEAM', default: 'all' }, MODE: 'x' } },
    { name: 'bill', environment: { BILL_URL: { env: 'BILLING_URL' } } },
  ].map((one) => ({
    kind: 'handler' as const,
    file: './h.ts',
    per: 'record' as const,
    ...one,
    secrets: ['tickets-token', `${one.name}-key`],
  }));
  const settings = settingsOf({ ...input, consumers: [...input.consumers, ...handlers] });

  test('the settings join those of the source, each variable once', () => {
    expect(requiredSettings(settings)).toEqual([
      { env: 'TICKETS_API_URL' },
      { env: 'TICKETS_TEAM', default: 'all' },
      { env: 'BILLING_URL' },
    ]);
  });

  test("the secrets join the source's, each once", () => {
    expect(requiredSecrets(settings)).toEqual(['tickets-token', 'mail-key', 'bill-key']);
  });
});

test.each([
  ['ORDERS_API_URL', 'OrdersApiUrl'],
  ['URL', 'Url'],
  ['S3_V2_NAME', 'S3V2Name'],
])('%s is the parameter %s', (env, parameter) => {
  expect(parameterName(env)).toBe(parameter);
});
