import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Longer than the default time of a page: one that hangs fails with its own reason.
    testTimeout: 60_000,
    // The machine may be busy with other work: files run two at a time, each in a process of its own.
    maxWorkers: 2,
    // A busy machine may take longer than the second that `expect.poll` has by default.
    expect: { poll: { timeout: 20_000 } },
  },
})
