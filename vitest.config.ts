import { defineConfig } from 'vitest/config'

/**
 * Folders whose tests call functions of the library, and change nothing that outlives a test. Their files share the
 * processes that run them, and load the library once for each process rather than once for each file.
 */
const plain = [
  'compare,convert,enrich,errors,extract,extractor,frontier,html,injected,llm,office,options',
  'parse,pdf,plan,relevance,site-search,snapshot,text,toolkit,tracing,url',
].map((folders) => `test/{${folders}}/**/*.test.ts`)

export default defineConfig({
  test: {
    // Longer than the default time of a page: one that hangs fails with its own reason.
    testTimeout: 60_000,
    // More than the cores of a small machine: many tests wait for a server that is slow on purpose.
    maxWorkers: 3,
    // A busy machine may take longer than the second that `expect.poll` has by default.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      { extends: true, test: { name: 'plain', include: plain, isolate: false } },
      { extends: true, test: { name: 'isolated', include: ['test/**/*.test.ts'], exclude: plain } },
    ],
  },
})
