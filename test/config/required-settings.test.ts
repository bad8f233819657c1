import { expect, test } from 'vitest';
import { parameterName, requiredSettings } from '#config/required-settings';
import { settingsOf, ticketsInput } from '#test/config/pipeline-input';

test('settings are the URL and the query values that name a variable', () => {
  expect(requiredSettings(settingsOf(ticketsInput()).source)).toEqual([
    { env: 'TICKETS_API_URL' },
    { env: 'TICKETS_TEAM', default: 'all' },
  ]);
});

test('a variable that stands twice is asked for once', () => {
  const twice = { env: 'TEAM' };
  const source = { url: 'https://a.example', query: { team: twice, also: twice, plain: 'x' } };
  expect(requiredSettings(source)).toEqual([{ env: 'TEAM' }]);
});

test.each([
  ['ORDERS_API_URL', 'OrdersApiUrl'],
  ['URL', 'Url'],
  ['S3_V2_NAME', 'S3V2Name'],
])('%s is the parameter %s', (env, parameter) => {
  expect(parameterName(env)).toBe(parameter);
});
