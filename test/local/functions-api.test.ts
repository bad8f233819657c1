import { expect } from 'vitest';
import { createFunctionsApi, isFunctionsPath } from '#local/functions-api';
import { functionFaults } from '#local/lambda/functions/function-settings';
import type { FunctionSettings } from '#local/lambda/functions/function-settings';
import { ask } from '#test/local/ask';
import { ruleTest } from '#test/local/rules/rule-test';

const settingsOf = (name: string): FunctionSettings => ({
  name,
  arn: `arn:aws:lambda:us-east-1:000000000000:function:${name}`,
  assetDir: '/assets',
  handler: 'index.handler',
  environment: { WORD: 'old' },
  memoryMb: 256,
  timeoutSec: 7,
});

function open(...names: readonly string[]) {
  const all = new Map(names.map((name) => [name, settingsOf(name)]));
  const api = createFunctionsApi({
    list: () => [...all.values()],
    update(name, change) {
      const settings = { ...all.get(name)!, ...change };
      const faults = functionFaults(settings);
      if (faults.length > 0) throw new Error(faults.join('; '));
      all.set(name, settings);
      return settings;
    },
  });
  const call = async (method: string, path: string, body?: object) => {
    expect(isFunctionsPath(path.split('?')[0]!)).toBe(true);
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const { status, headers, text } = await ask(api, method, path, sent);
    return { status, code: headers['x-amzn-errortype'], body: text === '' ? {} : JSON.parse(text) };
  };
  return { call, all };
}

const PATH = '/2015-03-31/functions';

ruleTest('lambda', 'functions-described', async () => {
  const { call } = open('b', 'a', 'c');
  const configuration = {
    FunctionName: 'a',
    FunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:a',
    Handler: 'index.handler',
    Timeout: 7,
    MemorySize: 256,
    Environment: { Variables: { WORD: 'old' } },
    Version: '$LATEST',
    State: 'Active',
  };
  const { body } = await call('GET', `${PATH}/a`);
  expect(body).toMatchObject({ Configuration: configuration });
  expect((await call('GET', `${PATH}/a/configuration`)).body).toMatchObject(configuration);
  const first = await call('GET', `${PATH}/?MaxItems=2`);
  const names = ({ body: { Functions } }: { body: { Functions: { FunctionName: string }[] } }) =>
    Functions.map(({ FunctionName }) => FunctionName);
  expect(names(first)).toEqual(['a', 'b']);
  const { NextMarker } = first.body;
  const second = await call('GET', `${PATH}/?MaxItems=2&Marker=${NextMarker}`);
  expect([names(second), second.body.NextMarker]).toEqual([['c'], undefined]);
  expect(await call('GET', `${PATH}/none`)).toMatchObject({
    status: 404,
    code: 'ResourceNotFoundException',
  });
});

ruleTest('lambda', 'functions-updated', async () => {
  const { call, all } = open('a');
  const change = { Environment: { Variables: { WORD: 'new' } }, Timeout: 9, MemorySize: 512 };
  const { body } = await call('PUT', `${PATH}/a/configuration`, change);
  expect(body).toMatchObject({ ...change, FunctionName: 'a' });
  expect(all.get('a')).toMatchObject({
    environment: { WORD: 'new' },
    timeoutSec: 9,
    memoryMb: 512,
  });
  const wrong = await call('PUT', `${PATH}/a/configuration`, { Timeout: 901 });
  expect([wrong.code, wrong.body.message]).toEqual([
    'InvalidParameterValueException',
    'a timeout of 901 s is not 1–900',
  ]);
});

ruleTest('lambda', 'functions-concurrency', async () => {
  const { call, all } = open('a');
  const path = '/2017-10-31/functions/a/concurrency';
  const put = await call('PUT', path, { ReservedConcurrentExecutions: 0 });
  expect(put.body).toEqual({ ReservedConcurrentExecutions: 0 });
  expect(all.get('a')!.reservedConcurrency).toBe(0);
  const read = () => call('GET', '/2019-09-30/functions/a/concurrency');
  expect((await read()).body).toEqual({ ReservedConcurrentExecutions: 0 });
  expect((await call('DELETE', path)).status).toBe(204);
  expect((await read()).body).toEqual({});
});

ruleTest('lambda', 'functions-unsupported', async () => {
  const { call } = open('a');
  const layers = await call('PUT', `${PATH}/a/configuration`, { Layers: [] });
  expect(layers.body.message).toBe('emulator limit: parameter Layers is not supported');
  expect(await call('POST', PATH, {})).toMatchObject({
    status: 404,
    code: 'UnknownOperationException',
  });
});
