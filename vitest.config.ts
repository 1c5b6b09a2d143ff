import { defineConfig } from 'vitest/config'

/**
 * Tests with a process for each file: they replace a module, measure the memory of the process, or collect its traces. All
 * others share processes, and load the library once for each process rather than for each file: what they leave behind,
 * they take back themselves.
 */
const isolated = [
  'test/{bars,opentelemetry,package,quality}/**/*.test.ts',
  'test/collections/compressed-blocks.test.ts',
  'test/concurrency/passing-map.test.ts',
  'test/digest/failing-threads.test.ts',
]

export default defineConfig({
  test: {
    // Longer than the default time of a page: one that hangs fails with its own reason.
    testTimeout: 60_000,
    // More than the cores of a small machine: many tests wait for a server that is slow on purpose.
    maxWorkers: 3,
    // A busy machine may take longer than the second that `expect.poll` has by default.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      { extends: true, test: { name: 'shared', include: ['test/**/*.test.ts'], exclude: isolated, isolate: false } },
      { extends: true, test: { name: 'isolated', include: isolated } },
    ],
  },
})
