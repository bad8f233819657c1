import { expect, test } from 'vitest';
import { environmentVariables } from '#local/lambda/functions/environment-variables';
import { functionFaults } from '#local/lambda/functions/function-settings';
import type { FunctionSettings } from '#local/lambda/functions/function-settings';

const SETTINGS: FunctionSettings = {
  name: 'penstock-dev-orders-poll',
  arn: 'arn:aws:lambda:eu-west-1:000000000000:function:penstock-dev-orders-poll',
  assetDir: '/assets/poll',
  handler: 'index.handler',
  environment: { PENSTOCK_STREAM: 'penstock-dev-orders' },
  memoryMb: 512,
  timeoutSec: 61,
};

test.each([
  [{ environment: { AWS_REGION: 'x', _HANDLER: 'y' } }, 'reserved variables: AWS_REGION, _HANDLER'],
  [{ environment: { BIG: 'x'.repeat(4090) } }, 'larger than 4096 bytes'],
  [{ handler: 'index' }, 'is not "module.export"'],
  [{ handler: '.handler' }, 'is not "module.export"'],
  [{ memoryMb: 127 }, 'memory of 127 MB'],
  [{ memoryMb: 10_241 }, 'memory of 10241 MB'],
  [{ timeoutSec: 0 }, 'timeout of 0 s'],
  [{ timeoutSec: 901 }, 'timeout of 901 s'],
  [{ timeoutSec: 2.5 }, 'timeout of 2.5 s'],
  [{ reservedConcurrency: -1 }, 'reserved concurrency of -1'],
])('%j is refused', (over, words) => {
  expect(functionFaults({ ...SETTINGS, ...over })).toEqual([expect.stringContaining(words)]);
});

test.each([
  {},
  { memoryMb: 128, timeoutSec: 1 },
  { memoryMb: 10_240, timeoutSec: 900, reservedConcurrency: 0 },
  { handler: 'lib/index.one.handler' },
  { environment: { BIG: 'x'.repeat(4086) } },
])('%j is accepted', (over) => {
  expect(functionFaults({ ...SETTINGS, ...over })).toEqual([]);
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
    LAMBDA_TASK_ROOT: '/assets/poll',
    LAMBDA_RUNTIME_DIR: expect.stringMatching(/lambda\/functions$/),
    NODE_COMPILE_CACHE: '/tmp/cache',
  });
});
