import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Two projects: pure code shares its workers; whatever starts servers or processes does not. */
const PROCESS_TESTS = [
  'test/whole/*.test.ts',
  'test/cli/{demo,up,launcher,synthesize,command-line}.test.ts',
  'test/demo/demo-process.test.ts',
  'test/infra/*.test.ts',
  'test/local/lambda/functions/*.test.ts',
  'test/local/{cloud,cloud-storage}.test.ts',
  'test/local/template/real-app.test.ts',
];

export default defineConfig({
  test: {
    // Most of a process test is waiting for a process.
    maxWorkers: 4,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: PROCESS_TESTS,
          pool: 'threads',
          isolate: false,
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'process',
          include: PROCESS_TESTS,
          pool: 'forks',
          // A hundred processes are started: their types are stripped once. `cdk synth` validates.
          env: {
            NODE_COMPILE_CACHE: join(tmpdir(), 'penstock-compile-cache'),
            CDK_VALIDATION: 'false',
          },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
