import { existsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { inlineWasm } from './build/inline-wasm.mjs'

/** The bars in full: hours of crawling in some minutes, for which `npm test` has no time. */
export default defineConfig({
  plugins: [inlineWasm],
  test: {
    server: { deps: { inline: ['chardetng-wasm'] } },
    include: [
      'test/bars/**/*.test.ts',
      'test/features/{archive/hostile-records,archive/kill-archive,search/kill-index,together/{archived-sites,soak},watch/watch-year}.test.ts',
    ],
    env: { BARS: 'whole' },
    maxWorkers: 1,
    globalSetup: ['test/features/browser/choose-browser.ts'].filter((file) => existsSync(file)),
    // What frameworks were installed in is taken away again: hundreds of megabytes in small files.
    hookTimeout: 60_000,
  },
})
