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
  '@crawlee/core': { values: ['frontier/crawlee.ts'] },
  tldts: { values: ['frontier/scope/site-relation.ts', 'fetch/profiles/cookies.ts', 'fetch/ad-block/ad-filter.ts'] },
  // An optional peer, as are those with no values but one place below: `loadPackage` loads them.
  '@ghostery/adblocker': { values: [], types: ['fetch/'] },
  // An optional peer: `postgres/pg-driver.ts` loads it, and states the part of its types that is used.
  pg: { values: [] },
  // An optional peer: `s3/s3-bucket.ts` loads it, and states the part of its types that is used.
  aws4fetch: { values: [] },
  // An optional peer: `sqlite/driver.ts` loads it.
  libsql: { values: [] },
  // An optional peer: `toolkit/mcp/mcp-sdk.ts` loads it, and states the part of its types that is used.
  '@modelcontextprotocol/sdk': { values: [] },
  // An optional peer, for an entry of its own: who imports that has it.
  '@opentelemetry/api': { values: ['opentelemetry/'] },
  // Read as files: its script is for pages.
  '@duckduckgo/autoconsent': { values: ['fetch/ad-block/consent.ts'], lazy: true },
  re2js: { values: ['text/linear-pattern.ts'] },
  undici: { values: ['http/'], types: ['fetch/', 'llm/post-json.ts'] },
  playwright: { values: [], types: ['fetch/'] },
  impit: { values: [], types: ['fetch/http/impersonate.ts'] },
  fzstd: { values: ['fetch/'] },
  'lru-cache': {
    values: ['cache/caches/', 'store/stores/', 'frontier/policies/', 'features/twins/llms-files.ts'],
  },
  cheerio: { values: ['parse/'] },
  entities: { values: ['parse/html/tokenize.ts'] },
  htmlparser2: { values: ['parse/feeds/', 'office/package/scan-xml.ts', 'frontier/sitemap/sitemap-xml.ts'] },
  domhandler: { values: ['html/tree.ts'] },
  'encoding-sniffer': { values: ['parse/'] },
  'chardetng-wasm': { values: ['parse/text/guess-encoding.ts'] },
  'file-type': { values: ['parse/media-type/identify-file.ts'], lazy: true },
  diff: { values: ['compare/line-diff.ts'] },
  yaml: { values: ['cli/watch-file.ts'], lazy: true },
  croner: { values: ['text/cron-times.ts'], lazy: true },
  unpdf: { values: ['pdf/library/open-library.ts'], lazy: true },
  'mdast-util-from-markdown': { values: ['report-view/markdown.ts'] },
  'mdast-util-gfm': { values: ['report-view/markdown.ts'] },
  'micromark-extension-gfm': { values: ['report-view/markdown.ts'] },
  // A format states its options with the schema builder that it is given, so a station needs zod's types only.
  zod: { values: ['options/'], types: ['convert/', 'enrich/', 'toolkit/tool.ts'] },
}

/** What may reach for `globalThis`: it takes away what a library has left there. */
export const tidiers: readonly string[] = ['pdf/library/open-library.ts']

/** Modules of Node, by where they may be imported; one that is not named here may not be imported at all. */
export const builtins: Readonly<Record<string, Door>> = {
  'node:crypto': { values: [''] },
  'node:async_hooks': { values: ['concurrency/async-context.ts'] },
  'node:events': { values: [''] },
  'node:timers/promises': { values: [''] },
  'node:diagnostics_channel': { values: ['tracing/channels.ts'] },
  'node:util': { values: [''] },
  'node:perf_hooks': { values: ['runtime/host-load.ts'] },
  'node:os': { values: ['plan/', 'fetch/', 'runtime/thread-priority.ts'] },
  'node:module': { values: ['runtime/optional-package.ts'] },
  'node:child_process': {
    values: ['fetch/browser-process/orphan-reaper.ts', 'media/run-program.ts', 'ocr/tesseract-ocr.ts'],
  },
  'node:dns/promises': { values: ['fetch/'] },
  'node:http': { values: ['fetch/'] },
  'node:net': { values: ['fetch/', 'enrich/json-schema/text-formats.ts'] },
  'node:worker_threads': {
    values: [
      'runtime/worker-thread.ts',
      'digest/workers/worker.ts',
      'fetch/ad-block/filter-worker.ts',
      'ledger/postgres/database.ts',
      'ledger/postgres/postgres-worker.ts',
      'search/thread/index-thread.ts',
      'search/thread/search-worker.ts',
    ],
    types: ['digest/', 'ledger/postgres/protocol.ts'],
  },
  'node:tls': { values: ['fetch/proxy/proxy-dial.ts'] },
  'node:stream': { values: ['fetch/', 'cli/'] },
  'node:v8': { values: ['ledger/memory/document-bytes.ts', 'pdf/pages/pages-read.ts', 'page/remote/page-task.ts'] },
  'node:zlib': {
    values: [
      'runtime/worker-thread.ts',
      'fetch/',
      'office/package/zip.ts',
      'frontier/sitemap/gunzip.ts',
      'parse/media-type/ungzip.ts',
      'pdf/',
      'collections/compressed-blocks.ts',
      'store/compress.ts',
      'page/remote/page-task.ts',
      'report/',
    ],
  },
  // Of the fetchers only those that find, unpack and start a browser touch files.
  'node:fs': {
    values: [
      'cli/',
      // A key is read before the engine is made, so that a wrong one is refused at the call.
      'options/fields/identity.ts',
      'fetch/browser-process/npm-chromium.ts',
      'store/folder-reader.ts',
      'ledger/sqlite/process-lock.ts',
      'sqlite/private-file.ts',
    ],
  },
  'node:fs/promises': {
    values: [
      'cli/',
      'fetch/browser-process/npm-chromium.ts',
      'fetch/browser-process/find-browser.ts',
      'fetch/browser-process/launch-browser.ts',
      'fetch/browser-process/scratch-folder.ts',
      'runtime/make-folder.ts',
      'media/folder-media.ts',
      'fetch/profiles/folder-profiles.ts',
      'fetch/ad-block/ad-lists.ts',
      'fetch/network/socket-owner.ts',
      'fetch/ad-block/consent.ts',
      'ledger/memory/spill-file.ts',
      'store/body-files.ts',
      'store/folder-files.ts',
      'store/folder-reader.ts',
      'store/disk-quota.ts',
      'store/stores/file.ts',
      'report/report-file.ts',
    ],
  },
  'node:path': {
    values: [
      'cli/',
      'runtime/optional-package.ts',
      'runtime/make-folder.ts',
      'fetch/browser-process/npm-chromium.ts',
      'fetch/browser-process/scratch-folder.ts',
      'media/folder-media.ts',
      'fetch/profiles/folder-profiles.ts',
      'fetch/ad-block/consent.ts',
      'ledger/memory/spill-file.ts',
      'store/body-files.ts',
      'store/folder-files.ts',
      'store/disk-quota.ts',
      'store/stores/file.ts',
      'report/',
    ],
  },
  'node:url': { values: ['media/folder-media.ts'] },
  'node:stream/promises': { values: ['fetch/browser-process/npm-chromium.ts'] },
  'node:process': { values: ['cli/'] },
  'node:readline': { values: ['cli/'] },
}

/** Who may name what stands in `options/`: the door of the house, and `plan/`, which turns options into slices. */
export const optionReaders: readonly string[] = [
  'options/',
  'plan/',
  'engine/',
  'features/',
  'toolkit/',
  'index.ts',
  'cli/',
]

/**
 * What code outside `cli/` may ask of `process`. Its listeners may be taken away again, never added to; `kill` is for the group of
 * a program that was started here.
 */
export const processMembers: readonly string[] =
  'memoryUsage cpuUsage versions listenerCount listeners rawListeners off removeListener kill'.split(' ')
