import { defineConfig } from 'vitest/config'
import { inlineWasm } from './build/inline-wasm.mjs'

/**
 * Tests with a process for each file: they replace a module, run the code of guides, or measure the memory, the processor
 * time, the sockets, the timers or the traces of the process. All others share processes, and load the library once for each
 * process rather than for each file: what they leave behind, they take back themselves.
 */
const isolated = [
  'test/bars/{fuzz,pdf,pdf-memory}.test.ts',
  'test/docs/{code,loaders,servers,shared-stores}.test.ts',
  'test/opentelemetry/start-telemetry.test.ts',
  'test/collections/compressed-blocks.test.ts',
  'test/concurrency/passing-map.test.ts',
  'test/convert/growth.test.ts',
  'test/digest/{failing-threads,hostile,thread-count}.test.ts',
  'test/engine/engine.test.ts',
  'test/extract/list-growth.test.ts',
  'test/fetch/fetchers/http-{lifecycle,limits}.test.ts',
  'test/frontier/sitemap-broken.test.ts',
  'test/job/webhook-faults.test.ts',
]

export default defineConfig({
  plugins: [inlineWasm],
  test: {
    // Its module of WebAssembly is inlined, as in the bundle: Node does not import one.
    server: { deps: { inline: ['chardetng-wasm'] } },
    // Longer than the default time of a page: one that hangs fails with its own reason.
    testTimeout: 60_000,
    // More than the cores of a small machine: many tests wait for a server that is slow on purpose.
    maxWorkers: 4,
    globalSetup: 'test/site/choose-browser.ts',
    // A busy machine may take longer than the second that `expect.poll` has by default.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      { extends: true, test: { name: 'shared', include: ['test/**/*.test.ts'], exclude: isolated, isolate: false } },
      { extends: true, test: { name: 'isolated', include: isolated } },
    ],
  },
})
