/** The house, as the laws see it: its floors, its plug-in folders and its doors. A new part is one more line here. */

/**
 * Every part of `src/`, from left to right: a folder, or a file beside it, imports only what stands to its left.
 * The inner lists only group them for a reader.
 */
export const floors: readonly string[] = [
  [
    'errors',
    'credits',
    'budget',
    'url',
    'uuid',
    'yield-turn',
    'until-aborted',
    'wait-among',
    'date-names',
    'more-of-list',
    'tree',
    'srcset',
    'linear-pattern',
    'optional-package',
    'worker-thread',
    'own-value',
    'parse-json',
    'office',
    'llm',
    'media',
    'store',
    'ocr',
    'pdf',
    'extractor',
  ],
  ['ledger', 'frontier', 'fetch', 'cache', 'snapshot', 'parse', 'extract', 'convert', 'compare', 'digest', 'enrich'],
  ['document', 'assemble-document'],
  ['request', 'plan'],
  [
    'page-works',
    'page-worker',
    'page-pool',
    'get-page',
    'fetch-site-file',
    'page-model',
    'page-media',
    'page-tree',
    'enrich-tools',
    'pipeline',
    'try-page',
    'job',
    'scrape-once',
    'engine-surface',
    'engine',
    'default-engine',
    'index',
  ],
  ['cli'],
].flat()

/** The stations of a page's journey: among each other they know types only. */
export const stations: readonly string[] = floors.slice(floors.indexOf('ledger'), floors.indexOf('document'))

/** Which stations a station may call: the digest is one function of four. */
export const calls: Readonly<Record<string, readonly string[]>> = {
  digest: ['parse', 'extract', 'convert', 'compare'],
  // The blocks of Markdown are read where Markdown is written.
  compare: ['convert'],
}

/** The only folders inside a folder: one plug-in a file, and `index.ts` as their registry. */
export const pluginFolders: readonly string[] = [
  'llm/providers',
  'store/stores',
  'ledger/ledgers',
  'fetch/fetchers',
  'fetch/actions',
  'fetch/captures',
  'fetch/payloads',
  'cache/caches',
  'parse/parsers',
  'convert/formats',
  'enrich/formats',
  'cli/commands',
]

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
  '@crawlee/basic': { values: ['frontier/crawlee.ts'] },
  '@crawlee/core': { values: ['frontier/crawlee.ts'] },
  tldts: { values: ['frontier/site-relation.ts', 'fetch/cookies.ts', 'fetch/ad-filter.ts'] },
  // An optional peer, as are those with no values but one place below: `loadPackage` loads them.
  '@ghostery/adblocker': { values: [], types: ['fetch/'] },
  // Read as files: its script is for pages.
  '@duckduckgo/autoconsent': { values: ['fetch/consent.ts'], lazy: true },
  re2js: { values: ['linear-pattern.ts'] },
  undici: { values: ['fetch/'] },
  playwright: { values: [], types: ['fetch/'] },
  impit: { values: [], types: ['fetch/impersonate.ts'] },
  fzstd: { values: ['fetch/'] },
  'lru-cache': { values: ['cache/caches/', 'store/stores/'] },
  cheerio: { values: ['parse/'], types: ['extract/'] },
  htmlparser2: { values: ['parse/', 'office/scan-xml.ts', 'frontier/sitemap-xml.ts'] },
  domhandler: { values: ['tree.ts'] },
  'encoding-sniffer': { values: ['parse/'] },
  'file-type': { values: ['parse/identify-file.ts'], lazy: true },
  turndown: { values: ['convert/'] },
  diff: { values: ['compare/line-diff.ts'] },
  unpdf: { values: ['pdf/open-library.ts'], lazy: true },
  // A format states its options with the schema builder that it is given, so a station needs zod's types only.
  zod: { values: ['request/'], types: ['convert/', 'enrich/'] },
}

/** What may reach for `globalThis`: it takes away what a library has left there. */
export const tidiers: readonly string[] = ['pdf/open-library.ts']

/** Modules of Node, by where they may be imported; one that is not named here may not be imported at all. */
export const builtins: Readonly<Record<string, Door>> = {
  'node:crypto': { values: [''] },
  'node:events': { values: [''] },
  'node:timers/promises': { values: [''] },
  'node:util': { values: [''] },
  'node:os': { values: ['plan/', 'fetch/'] },
  'node:module': { values: ['optional-package.ts'] },
  'node:child_process': { values: ['fetch/keeper.ts', 'media/run-program.ts', 'ocr/tesseract-ocr.ts'] },
  'node:dns/promises': { values: ['fetch/'] },
  'node:http': { values: ['fetch/'] },
  'node:net': { values: ['fetch/', 'enrich/text-formats.ts'] },
  'node:worker_threads': {
    values: ['worker-thread.ts', 'digest/worker.ts', 'fetch/filter-worker.ts'],
    types: ['digest/'],
  },
  'node:tls': { values: ['fetch/proxy-dial.ts'] },
  'node:stream': { values: ['fetch/', 'cli/'] },
  'node:v8': { values: ['pdf/pages-read.ts'] },
  'node:zlib': {
    values: [
      'worker-thread.ts',
      'fetch/',
      'office/zip.ts',
      'frontier/gunzip.ts',
      'parse/ungzip.ts',
      'pdf/',
      'store/compress.ts',
    ],
  },
  // Of the fetchers only those that find, unpack and start a browser touch files.
  'node:fs': { values: ['cli/', 'fetch/npm-chromium.ts', 'store/folder-reader.ts', 'ledger/owner-mark.ts'] },
  'node:fs/promises': {
    values: [
      'cli/',
      'fetch/npm-chromium.ts',
      'fetch/find-browser.ts',
      'fetch/launch-browser.ts',
      'fetch/scratch-folder.ts',
      'media/folder-media.ts',
      'fetch/folder-profiles.ts',
      'fetch/ad-lists.ts',
      'fetch/socket-owner.ts',
      'fetch/consent.ts',
      'ledger/spill-file.ts',
      'store/folder-files.ts',
      'store/folder-reader.ts',
      'store/folder-space.ts',
      'store/stores/file.ts',
    ],
  },
  'node:path': {
    values: [
      'cli/',
      'optional-package.ts',
      'fetch/npm-chromium.ts',
      'fetch/scratch-folder.ts',
      'media/folder-media.ts',
      'fetch/folder-profiles.ts',
      'fetch/consent.ts',
      'ledger/spill-file.ts',
      'store/folder-files.ts',
      'store/folder-space.ts',
      'store/stores/file.ts',
    ],
  },
  'node:url': { values: ['media/folder-media.ts'] },
  'node:stream/promises': { values: ['fetch/npm-chromium.ts'] },
  'node:process': { values: ['cli/'] },
  'node:readline': { values: ['cli/'] },
}

/** Who may name what stands in `request/`: the door of the house, and `plan/`, which turns options into slices. */
export const optionReaders: readonly string[] = [
  'request/',
  'plan/',
  'engine-surface.ts',
  'engine.ts',
  'index.ts',
  'cli/',
]

/** What code outside `cli/` may ask of `process`. Its listeners may be taken away again, never added to. */
export const processMembers: readonly string[] = [
  'memoryUsage',
  'versions',
  'listenerCount',
  'listeners',
  'rawListeners',
  'off',
  'removeListener',
  // Of the group of a program that was started here.
  'kill',
]
