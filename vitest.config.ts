import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/**
 * The projects: pure code shares its workers; whatever starts servers or processes does not; what
 * kills, waits or rings takes long; and what takes a cloud runs once more in LocalStack.
 */
const CLOUD_TESTS = ['test/whole/*.test.ts'];
/** Of the local cloud alone: no metric of ours reaches an alarm of LocalStack, which makes no faults on purpose. */
const ONE_CLOUD_TESTS = [
  'test/whole/{alarms,alarms-slow,backpressure,budget,faults,groups,redrive}.test.ts',
];
/** In LocalStack these want the machine to themselves: deployments again and again, a container of its own. */
const LONE_TESTS = ['test/whole/first-deploy.test.ts', 'test/localstack/tier/demo.test.ts'];
const LONG_TESTS = [
  'test/adapters/http/connect-limit.test.ts',
  'test/cli/{demo,guides-consuming,replay,reshard,synthesize,up}.test.ts',
  'test/local/keep.test.ts',
  'test/local/lambda/functions/{create-functions,orphans}.test.ts',
  'test/local/emulators/kinesis/clients/*.test.ts',
  'test/localstack/absent.test.ts',
  'test/parity/{kinesis,dynamodb}-parity.test.ts',
  'test/whole/{alarms,alarms-slow,breaker,budget,crash,faults,first-deploy,on-failure,pause,poll-again,redrive,reshard,rights}.test.ts',
];
const LOCALSTACK_TESTS = ['test/localstack/tier/*.test.ts'];
const PROCESS_TESTS = [
  ...CLOUD_TESTS,
  '{examples,test/examples}/**/*.test.ts',
  'test/cli/{up,launcher,synthesize,command-line}.test.ts',
  'test/demo/demo-process.test.ts',
  'test/infra/*.test.ts',
  'test/local/lambda/functions/*.test.ts',
  'test/local/{cloud,cloud-queues,cloud-storage}.test.ts',
  'test/local/kit/child-processes.test.ts',
  'test/local/template/real-app.test.ts',
  'test/parity/{kinesis,dynamodb}-*.test.ts',
];

const PROCESS = {
  pool: 'forks',
  // A hundred processes are started: their types are stripped once.
  env: { NODE_COMPILE_CACHE: join(tmpdir(), 'penstock-compile-cache'), CDK_VALIDATION: 'false' },
  // Longer than any wait in a test, whose failure says more, on a machine that has much else to do.
  testTimeout: 600_000,
  hookTimeout: 180_000,
} as const;

const LOCALSTACK = {
  globalSetup: 'test/localstack/setup.ts',
  pool: 'forks',
  env: { CDK_VALIDATION: 'false' },
  testTimeout: 600_000,
  hookTimeout: 180_000,
} as const;

export default defineConfig({
  test: {
    // Most of a process test is waiting for a process.
    maxWorkers: 4,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...PROCESS_TESTS, ...LONG_TESTS, ...LOCALSTACK_TESTS],
          pool: 'threads',
          isolate: false,
          testTimeout: 120_000,
        },
      },
      {
        test: {
          ...PROCESS,
          name: 'process',
          include: PROCESS_TESTS,
          exclude: LONG_TESTS,
        },
      },
      { test: { ...PROCESS, name: 'long', include: LONG_TESTS } },
      {
        test: {
          ...LOCALSTACK,
          name: 'localstack',
          include: [...CLOUD_TESTS, ...LOCALSTACK_TESTS],
          exclude: [...ONE_CLOUD_TESTS, ...LONE_TESTS],
        },
      },
      { test: { ...LOCALSTACK, name: 'localstack-alone', include: LONE_TESTS, maxWorkers: 1 } },
    ],
  },
});
