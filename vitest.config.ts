import { defineConfig } from 'vitest/config'

/**
 * Folders whose tests leave nothing behind in their process: they replace no module, and what they share has no hooks that a
 * second file would need. Their files share processes, and load the library once for each process rather than for each file.
 */
const shared = [
  'compare,convert,enrich,errors,extract,extractor,html,injected,job,llm,media,office,options,page',
  'parse,pdf,plan,relevance,report,site-search,snapshot,store,text,toolkit,tracing,url,watch',
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
      { extends: true, test: { name: 'shared', include: shared, isolate: false } },
      { extends: true, test: { name: 'isolated', include: ['test/**/*.test.ts'], exclude: shared } },
    ],
  },
})
