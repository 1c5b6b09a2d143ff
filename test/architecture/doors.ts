/**
 * Which modules may import a library or a module of Node (its "doors"), and which may read options or ask `process`. A new
 * library is one more line.
 */

/** Where a library, or a module of Node, may be imported. A path that ends in `/` is a folder. */
export interface Door {
  readonly values: readonly string[]
  /** Where its types may be named as well. */
  readonly types?: readonly string[]
  /** Loaded on first use only: `await import(…)`. */
  readonly lazy?: true
}

/** One door for each library. */
export const vendors: Readonly<Record<string, Door>> = {
  '@crawlee/core': { values: ['kernel/frontier/crawlee.ts'] },
  tldts: {
    values: ['kernel/frontier/scope/site-relation.ts', 'features/browser/ad-block/ad-filter.ts'],
  },
  // An optional peer, as are those with no values but one place below: `loadPackage` loads them.
  '@ghostery/adblocker': { values: [], types: ['features/browser/ad-block/'] },
  // An optional peer: `base/postgres/pg-driver.ts` loads it, and states the part of its types that is used.
  pg: { values: [] },
  // An optional peer: `base/s3/s3-bucket.ts` loads it, and states the part of its types that is used.
  aws4fetch: { values: [] },
  // An optional peer: `base/sqlite/driver.ts` loads it.
  libsql: { values: [] },
  // An optional peer: `features/toolkit/mcp/mcp-sdk.ts` loads it, and states the part of its types that is used.
  '@modelcontextprotocol/sdk': { values: [] },
  // An optional peer, for an entry of its own: who imports that has it.
  '@opentelemetry/api': { values: ['features/opentelemetry/'] },
  // Read as files: its script is for pages.
  '@duckduckgo/autoconsent': { values: ['features/browser/ad-block/consent.ts'], lazy: true },
  'tough-cookie': { values: ['base/http/cookies.ts'], lazy: true },
  re2js: { values: ['base/text/linear-pattern.ts'] },
  undici: { values: ['base/http/'], types: ['base/network/connect.ts', 'kernel/fetch/', 'base/llm/post-json.ts'] },
  playwright: { values: [], types: ['features/browser/'] },
  impit: { values: [], types: ['features/browser/enhanced/impersonate.ts'] },
  fzstd: { values: ['base/http/zstd.ts'] },
  'lru-cache': {
    values: ['kernel/cache/caches/', 'base/store/stores/', 'features/permissions/', 'features/twins/llms-files.ts'],
  },
  cheerio: { values: ['content/parse/'] },
  entities: { values: ['content/parse/html/tokenize.ts'] },
  htmlparser2: {
    values: ['content/parse/feeds/', 'content/office/package/scan-xml.ts', 'content/sitemap/sitemap-xml.ts'],
  },
  domhandler: { values: ['content/html/tree.ts'] },
  'encoding-sniffer': { values: ['content/encoding/decode-text.ts'] },
  'chardetng-wasm': { values: ['content/encoding/guess-encoding.ts'] },
  'file-type': { values: ['content/parse/media-type/identify-file.ts'], lazy: true },
  diff: { values: ['content/compare/line-diff.ts'] },
  yaml: { values: ['cli/commands/watch.ts'], lazy: true },
  croner: { values: ['features/watch/timetable.ts'], lazy: true },
  unpdf: { values: ['content/pdf/library/open-library.ts'], lazy: true },
  'mdast-util-from-markdown': { values: ['features/report-view/markdown.ts'] },
  'mdast-util-gfm': { values: ['features/report-view/markdown.ts'] },
  'micromark-extension-gfm': { values: ['features/report-view/markdown.ts'] },
  // A format states its options with the schema builder that it is given, so a station or a feature needs zod's types only.
  zod: {
    values: ['kernel/options/', 'cli/flags/flag-options.ts'],
    types: [
      'base/json-schema/answer-schema.ts',
      'base/issues/',
      'kernel/enrich/format.ts',
      'content/convert/',
      'features/watch/watch-options.ts',
      'features/toolkit/tool.ts',
      'features/toolkit/toolkit-options.ts',
    ],
  },
}

/** What may reach for `globalThis`: it takes away what a library has left there. */
export const tidiers: readonly string[] = ['content/pdf/library/open-library.ts']

/** Modules of Node, by where they may be imported; one that is not named here may not be imported at all. */
export const builtins: Readonly<Record<string, Door>> = {
  'node:crypto': { values: [''] },
  'node:async_hooks': { values: ['kernel/frontier/crawlee.ts'] },
  'node:events': { values: [''] },
  'node:timers/promises': { values: [''] },
  'node:diagnostics_channel': { values: ['base/tracing/channels.ts'] },
  'node:util': { values: [''] },
  // Compiles what a caller gives for a page, and runs nothing.
  'node:vm': { values: ['features/own-features/adopt-features.ts'] },
  'node:perf_hooks': { values: ['content/digest/workers/thread-count.ts'] },
  'node:os': {
    values: ['kernel/plan/', 'kernel/fetch/', 'features/browser/', 'base/runtime/thread-priority.ts'],
  },
  'node:module': { values: ['base/runtime/optional-package.ts'] },
  'node:child_process': {
    values: [
      'features/browser/process/orphan-reaper.ts',
      'features/media/run-program.ts',
      'content/ocr/tesseract-ocr.ts',
    ],
  },
  'node:dns/promises': { values: ['base/network/egress.ts'] },
  'node:http': { values: ['base/http/', 'kernel/fetch/'] },
  'node:net': {
    values: ['base/http/', 'base/network/', 'kernel/fetch/', 'features/browser/', 'base/json-schema/text-formats.ts'],
  },
  'node:worker_threads': {
    values: [
      'base/runtime/worker-thread.ts',
      'content/digest/workers/worker.ts',
      'features/browser/ad-block/filter-worker.ts',
      'features/search/thread/index-thread.ts',
      'features/search/thread/search-worker.ts',
    ],
    types: ['content/digest/'],
  },
  'node:tls': { values: ['base/network/proxy-dial.ts', 'base/http/client-certificates.ts'] },
  'node:stream': { values: ['base/http/', 'kernel/fetch/', 'features/browser/', 'cli/'] },
  'node:v8': {
    values: ['base/store/value-bytes.ts', 'content/pdf/pages/pages-read.ts', 'features/machines/pages/page-task.ts'],
  },
  'node:zlib': {
    values: [
      'base/runtime/worker-thread.ts',
      'base/http/',
      'features/browser/process/npm-chromium.ts',
      'content/office/package/zip.ts',
      'content/sitemap/gunzip.ts',
      'content/parse/media-type/identify-file.ts',
      'content/pdf/',
      'base/collections/compressed-blocks.ts',
      'base/store/compress.ts',
      'features/machines/pages/page-task.ts',
      'features/report/',
      'features/archive/',
    ],
  },
  // Of the fetchers only those that find, unpack and start a browser touch files.
  'node:fs': {
    values: [
      'cli/',
      // Folders of pages, which the caller names.
      'base/folder/',
      'features/mirror/',
      // A key is read before the engine is made, so that a wrong one is refused at the call.
      'kernel/options/fields/identity.ts',
      'features/browser/process/npm-chromium.ts',
      'base/store/folder-reader.ts',
      'base/store/process-lock.ts',
      'base/sqlite/private-file.ts',
    ],
  },
  'node:fs/promises': {
    values: [
      'cli/',
      // Folders of pages, which the caller names.
      'base/folder/',
      'features/mirror/',
      'features/browser/process/npm-chromium.ts',
      'features/browser/process/find-browser.ts',
      'features/browser/process/launch-browser.ts',
      'base/runtime/make-folder.ts',
      'base/folder/folder-media.ts',
      'features/browser/profiles/folder-profiles.ts',
      'features/browser/ad-block/ad-filter.ts',
      'features/browser/proxy/socket-owner.ts',
      'features/browser/ad-block/consent.ts',
      'base/store/spill-file.ts',
      'base/store/folder-files.ts',
      'base/store/folder-reader.ts',
      'base/store/disk-quota.ts',
      'base/store/stores/file.ts',
      'features/report/report-file.ts',
      'features/archive/',
    ],
  },
  'node:path': {
    values: [
      'cli/',
      // Folders of pages, which the caller names.
      'base/folder/',
      'features/mirror/',
      'base/runtime/optional-package.ts',
      'base/runtime/make-folder.ts',
      'features/browser/process/npm-chromium.ts',
      'features/browser/process/launch-browser.ts',
      'base/folder/folder-media.ts',
      'features/browser/profiles/folder-profiles.ts',
      'features/browser/ad-block/consent.ts',
      'base/store/spill-file.ts',
      'base/store/folder-files.ts',
      'base/store/disk-quota.ts',
      'base/store/stores/file.ts',
      'features/report/',
      'features/archive/',
    ],
  },
  'node:url': { values: ['base/folder/folder-media.ts'] },
  'node:stream/promises': { values: ['features/browser/process/npm-chromium.ts'] },
  'node:process': { values: ['cli/'] },
  'node:readline': { values: ['cli/'] },
}

/** Who may name what stands in `kernel/options/`: the door of the house, and `kernel/plan/`, which turns options into slices. */
export const optionReaders: readonly string[] = [
  'kernel/options/',
  'kernel/plan/',
  'kernel/engine/',
  'features/',
  'features/toolkit/',
  'index.ts',
  'cli/',
]

/**
 * What code outside `cli/` may ask of `process`. Its listeners may be taken away again, never added to; `kill` is for the group of
 * a program that was started here, and to ask whether the process lives that has begun a file; `pid` is in the name of such a file.
 */
export const processMembers: readonly string[] =
  'memoryUsage constrainedMemory cpuUsage versions listenerCount listeners rawListeners off removeListener kill pid'.split(
    ' ',
  )
