import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    testTimeout: 30_000,
    // A hook under test is a real process: more files at once than cores only makes them wait for each other.
    maxWorkers: 3,
  },
});
