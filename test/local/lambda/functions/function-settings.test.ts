import { expect, test } from 'vitest';
import { environmentVariables } from '#local/lambda/functions/environment-variables';
import { functionFaults } from '#local/lambda/functions/function-settings';
import type { FunctionSettings } from '#local/lambda/functions/function-settings';
import { ruleTest } from '#test/local/rules/rule-test';

const SETTINGS: FunctionSettings = {
  name: 'penstock-dev-orders-poll',
  arn: 'arn:aws:lambda:eu-west-1:000000000000:function:penstock-dev-orders-poll',
  assetDir: '/assets/poll',
  handler: 'index.handler',
  environment: { PENSTOCK_STREAM: 'penstock-dev-orders' },
  memoryMb: 512,
  timeoutSec: 61,
};

const faultsOf = (over: Partial<FunctionSettings>) => functionFaults({ ...SETTINGS, ...over });

ruleTest('lambda', 'environment-reserved', () => {
  expect(
    faultsOf({ environment: { AWS_REGION: 'x', _HANDLER: 'y', AWS_LAMBDA_LOG_FORMAT: 'z' } }),
  ).toEqual(['the environment declares reserved variables: AWS_REGION, _HANDLER']);
});

ruleTest('lambda', 'environment-size', () => {
  expect(faultsOf({ environment: { BIG: 'x'.repeat(4_086) } })).toEqual([]);
  expect(faultsOf({ environment: { BIG: 'x'.repeat(4_087) } })).toEqual([
    'the environment is larger than 4096 bytes',
  ]);
});

ruleTest('lambda', 'environment-names', () => {
  for (const name of ['A', '1A', '_A', 'A-B', 'A B', '']) {
    expect(faultsOf({ environment: { [name]: 'x' } })).toEqual([
      `the variable ${JSON.stringify(name)} is not a letter, then letters, digits or underscores`,
    ]);
  }
  expect(faultsOf({ environment: { aB: '', A_1: 'x' } })).toEqual([]);
});

ruleTest('lambda', 'settings-bounds', () => {
  const wrong: [Partial<FunctionSettings>, string][] = [
    [{ handler: 'index' }, 'is not "module.export"'],
    [{ handler: '.handler' }, 'is not "module.export"'],
    [{ memoryMb: 127 }, 'memory of 127 MB'],
    [{ memoryMb: 10_241 }, 'memory of 10241 MB'],
    [{ timeoutSec: 0 }, 'timeout of 0 s'],
    [{ timeoutSec: 901 }, 'timeout of 901 s'],
    [{ timeoutSec: 2.5 }, 'timeout of 2.5 s'],
    [{ reservedConcurrency: -1 }, 'reserved concurrency of -1'],
  ];
  for (const [over, words] of wrong)
    expect(faultsOf(over)).toEqual([expect.stringContaining(words)]);
  expect(faultsOf({ memoryMb: 128, timeoutSec: 1 })).toEqual([]);
  expect(faultsOf({ memoryMb: 10_240, timeoutSec: 900, reservedConcurrency: 0 })).toEqual([]);
  expect(faultsOf({ handler: 'lib/index.one.handler' })).toEqual([]);
});

test('the variables are the declared ones, the cloud’s and Lambda’s own', () => {
  expect(
    environmentVariables(SETTINGS, {
      runtimeApi: '127.0.0.1:9001',
      region: 'eu-west-1',
      logStreamName: '2026/11/29/[$LATEST]abc',
      aws: { AWS_ENDPOINT_URL: 'http://127.0.0.1:4566', AWS_ACCESS_KEY_ID: 'local' },
      compileCacheDir: '/tmp/cache',
    }),
  ).toEqual({
    PENSTOCK_STREAM: 'penstock-dev-orders',
    AWS_ENDPOINT_URL: 'http://127.0.0.1:4566',
    AWS_ACCESS_KEY_ID: 'local',
    PATH: '/usr/local/bin:/usr/bin:/bin',
    LANG: 'en_US.UTF-8',
    TZ: ':UTC',
    _HANDLER: 'index.handler',
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_REGION: 'eu-west-1',
    AWS_DEFAULT_REGION: 'eu-west-1',
    AWS_LAMBDA_FUNCTION_NAME: 'penstock-dev-orders-poll',
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '512',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/penstock-dev-orders-poll',
    AWS_LAMBDA_LOG_STREAM_NAME: '2026/11/29/[$LATEST]abc',
    AWS_LAMBDA_RUNTIME_API: '127.0.0.1:9001',
    AWS_XRAY_CONTEXT_MISSING: 'LOG_ERROR',
    LAMBDA_TASK_ROOT: '/assets/poll',
    LAMBDA_RUNTIME_DIR: expect.stringMatching(/lambda\/functions$/),
    NODE_COMPILE_CACHE: '/tmp/cache',
    NODE_PATH: expect.stringMatching(/penstock-runtime-modules/),
  });
});
