/**
 * The order of folders, their rooms, and the plug-in folders. A new part is one more line.
 */

/**
 * Every part of `src/`, in order: a folder, or a file beside it, imports only what stands before it. The inner lists
 * ("floors") only group them for a reader.
 */
export const floors: readonly string[] = [
  ['errors', 'url', 'uuid'],
  [
    'runtime',
    'concurrency',
    'collections',
    'html',
    'http',
    'text',
    'relevance',
    'site-search',
    'accounting',
    'tracing',
    'injected',
  ],
  ['postgres', 'sqlite', 's3', 'store', 'office', 'llm', 'media', 'ocr', 'pdf', 'extractor'],
  [
    'ledger',
    'frontier',
    'fetch',
    'cache',
    'snapshot',
    'parse',
    'extract',
    'convert',
    'compare',
    'digest',
    'enrich',
    'search',
  ],
  [
    'options',
    'plan',
    'page',
    'job',
    'watch',
    'report',
    'report-view',
    'engine',
    'features',
    'toolkit',
    'opentelemetry',
    'index',
  ],
  ['cli'],
].flat()

/** The stations of a page's journey: among each other they know types only. */
export const stations: readonly string[] = floors.slice(floors.indexOf('ledger'), floors.indexOf('options'))

/** Which stations a station may call: the digest is one function of four. */
export const calls: Readonly<Record<string, readonly string[]>> = {
  digest: ['parse', 'extract', 'convert', 'compare'],
  // The blocks of Markdown are read where Markdown is written.
  compare: ['convert'],
  // Chunks are made in the thread that indexes them.
  search: ['convert'],
}

/**
 * The rooms (subfolders) of each folder, in order: a room imports the rooms before it and the contracts of its folder, which
 * are the folder's own files that import no room. Plug-in folders are rooms as well.
 */
export const rooms: Readonly<Record<string, readonly string[]>> = {
  text: ['fingerprint'],
  injected: ['branding', 'growth'],
  store: ['stores'],
  office: ['elements', 'package', 'docx', 'epub', 'xlsx', 'odf', 'pptx', 'rtf'],
  llm: ['providers'],
  pdf: ['layout', 'blocks', 'headers-footers', 'library', 'objects', 'output', 'pages'],
  ledger: ['memory', 'sqlite', 'postgres', 'tasks', 'shared', 'ledgers'],
  frontier: ['duplicates', 'permissions', 'robots', 'scope', 'policies', 'sitemap'],
  fetch: [
    'network',
    'proxy',
    'browser-process',
    'identity',
    'browser-page',
    'profiles',
    'http',
    'ad-block',
    'navigation',
    'rendering',
    'challenge',
    'actions',
    'embedded-data',
    'payloads',
    'hydration',
    'browser',
    'fetchers',
  ],
  cache: ['caches'],
  parse: ['html', 'feeds', 'media-type', 'pages', 'text', 'parsers'],
  extract: [
    'visibility',
    'fidelity',
    'structured-data',
    'pagination',
    'blocks',
    'content',
    'outline',
    'rules',
    'documentation',
    'features',
    'selection',
    'main-content',
    'media',
    'menu',
    'repeats',
    'list-names',
    'list',
  ],
  convert: ['escape', 'ast', 'markdown-blocks', 'split', 'math', 'text', 'table', 'read', 'write', 'formats'],
  digest: ['workers'],
  enrich: [
    'branding',
    'model',
    'json-schema',
    'json',
    'structured-data',
    'offers',
    'media',
    'extractor',
    'list',
    'formats',
  ],
  'site-search': ['reading', 'indexes', 'declarations'],
  search: ['words', 'thread', 'indexes'],
  options: ['issues', 'fields', 'engine'],
  plan: ['scrape', 'crawl'],
  page: ['list-data', 'search-page', 'workers', 'list', 'remote'],
  job: ['discovery', 'attempt', 'boilerplate', 'lifecycle', 'delivery', 'webhook', 'run', 'crawl', 'handle'],
  features: ['twins'],
  toolkit: ['tools', 'mcp'],
  cli: ['terminal', 'output', 'flags', 'shells', 'commands'],
}

/** Rooms that may hold more files than others, each with its reason. */
export const fullRooms: Readonly<Record<string, string>> = {}

/**
 * Rooms of plug-ins: one plug-in a file, and `index.ts` as their registry. They may hold as many files as there are
 * plug-ins.
 */
export const pluginFolders: readonly string[] = [
  'base/llm/providers',
  'base/store/stores',
  'kernel/ledger/ledgers',
  'kernel/fetch/fetchers',
  'kernel/fetch/actions',
  'kernel/fetch/payloads',
  'kernel/cache/caches',
  'content/parse/parsers',
  'content/convert/formats',
  'features/enrich/formats',
  'features/search/indexes',
  'features/site-search/indexes',
  'features/site-search/declarations',
  'features/toolkit/tools',
  'cli/commands',
]
