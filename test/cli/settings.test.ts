import { expect, test } from 'vitest';
import { parameterValues, secretValues } from '#cli/cloud/settings';
import { loadAll, pick } from '#cli/load';

const pipelines = await loadAll('dev');

test('parameters take the environment’s value, else the file’s default', () => {
  expect(
    parameterValues(pipelines, { ORDERS_API_URL: 'https://shop.example/orders' }),
  ).toMatchObject({
    OrdersApiUrl: 'https://shop.example/orders',
    QuakesApiUrl: 'https://earthquake.usgs.gov/fdsnws/event/1/query',
  });
});

test('a missing variable is named in one sentence, an empty one is missing too', () => {
  expect(() => parameterValues(pipelines, {})).toThrow(
    'ORDERS_API_URL is not set: a pipeline needs it.',
  );
  expect(() => parameterValues(pipelines, { ORDERS_API_URL: '' })).toThrow(
    'ORDERS_API_URL is not set',
  );
});

test('a secret’s value comes from the variable of its name', () => {
  expect(secretValues(pipelines, { stage: 'dev', env: { ORDERS_API_TOKEN: 't' } })).toEqual([
    { name: 'penstock/dev/orders-api-token', value: 't' },
  ]);
  expect(() => secretValues(pipelines, { stage: 'dev', env: {} })).toThrow(
    'ORDERS_API_TOKEN is not set: a pipeline needs it.',
  );
});

test('an unknown pipeline is answered with those there are', () => {
  expect(() => pick(pipelines, 'order')).toThrow(
    "There is no pipeline 'order'; there are: orders, quakes.",
  );
});
