/** The tests that are to notice a change of `lib/core/batch` or `lib/core/partition`. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/core/{batch,partition}/*.test.ts', 'test/core/capacity/key-spread.test.ts'],
    pool: 'threads',
    // Stryker's own time is what a slow mutant runs out of.
    testTimeout: 600_000,
  },
});
