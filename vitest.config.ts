import { defineConfig } from 'vitest/config';

/** Two projects: pure code shares its workers; whatever starts servers or processes does not. */
const PROCESS_TESTS = [
  'test/local/**',
  'test/cli/**',
  'test/demo/**',
  'test/whole/**',
  'test/infra/**',
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
        },
      },
      {
        test: {
          name: 'process',
          include: PROCESS_TESTS.map((place) => `${place}/*.test.ts`),
          pool: 'forks',
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
