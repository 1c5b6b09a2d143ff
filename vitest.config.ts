import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    // The machine may be busy with other work: files run two at a time, each in a process of its own.
    maxWorkers: 2,
  },
})
