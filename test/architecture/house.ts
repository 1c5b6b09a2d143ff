/**
 * The order of folders, their rooms, and the plug-in folders. A new part is one more line.
 */

/** The groups of `src/`: imports go to the groups before, never up. Kernel and content know no feature. */
export const groups: readonly string[] = ['base', 'content', 'kernel', 'features', 'index', 'cli']

/** The parts of each group, in order: a folder, or a file beside it, imports only what stands before it. */
const parts: Readonly<Record<string, readonly string[]>> = {
  base: [
    'errors',
    'url',
    'url-limits',
    'url-template',
    'uuid',
    'runtime',
    'concurrency',
    'collections',
    'text',
    'network',
    'http',
    'json-schema',
    'issues',
    'accounting',
    'tracking',
    'tracing',
    'postgres',
    'sqlite',
    's3',
    'store',
    'media',
    'folder',
    'llm',
  ],
  content: [
    'encoding',
    'html',
    'robots',
    'sitemap',
    'rendering',
    'challenge',
    'embedded-data',
    'hydration',
    'office',
    'ocr',
    'pdf',
    'parse',
    'extract',
    'convert',
    'compare',
    'digest',
  ],
  kernel: ['ledger', 'frontier', 'fetch', 'cache', 'snapshot', 'enrich', 'options', 'plan', 'page', 'job', 'engine'],
  features: [
    'browser',
    'survey',
    'goal',
    'media',
    'search',
    'watch',
    'webhooks',
    'archive',
    'machines',
    'permissions',
    'linked-sheets',
    'twins',
    'host-lists',
    'unsafe-links',
    'login',
    'cookies',
    'base64',
    'boilerplate',
    'clean-content',
    'branding',
    'question',
    'prompt-injection',
    'redact-pii',
    'change-tracking',
    'json',
    'list',
    'offers',
    'screenshot',
    'since',
    'mirror',
    'summary',
    'own-features',
    'index',
    'tasks',
    'digest-parts',
    'thread',
    'create-engine',
    'default-engine',
    'report',
    'report-view',
    'toolkit',
    'opentelemetry',
  ],
}

/** Every part of `src/` as its path, in order. */
export const floors: readonly string[] = groups.flatMap(
  (group) => parts[group]?.map((part) => `${group}/${part}`) ?? [group],
)

/** The stations of a page's journey: among each other they know types only. */
export const stations: readonly string[] = [
  'content/parse',
  'content/extract',
  'content/convert',
  'content/compare',
  'content/digest',
  'kernel/ledger',
  'kernel/frontier',
  'kernel/fetch',
  'kernel/cache',
  'kernel/snapshot',
  'kernel/enrich',
]

/** Which stations a station may call: the digest is one function of four. */
export const calls: Readonly<Record<string, readonly string[]>> = {
  'content/digest': ['content/parse', 'content/extract', 'content/convert', 'content/compare'],
  // The blocks of Markdown are read where Markdown is written.
  'content/compare': ['content/convert'],
}

/**
 * The rooms (subfolders) of each part, in order: a room imports the rooms before it and the contracts of its folder, which
 * are the folder's own files that import no room. Plug-in folders are rooms as well.
 */
export const rooms: Readonly<Record<string, readonly string[]>> = {
  'base/text': ['fingerprint'],
  'features/redact-pii': ['rules'],
  'base/store': ['stores'],
  'content/embedded-data': ['payloads'],
  'content/office': ['elements', 'package', 'docx', 'epub', 'xlsx', 'odf', 'pptx', 'rtf'],
  'base/llm': ['providers', 'answers'],
  'content/pdf': ['layout', 'blocks', 'headers-footers', 'library', 'objects', 'output', 'pages'],
  'kernel/ledger': ['rows', 'sqlite', 'ledgers'],
  'kernel/frontier': ['duplicates', 'robots', 'scope', 'sitemap'],
  'kernel/fetch': ['http'],
  'kernel/cache': ['caches'],
  'content/parse': ['html', 'feeds', 'media-type', 'pages', 'text', 'parsers'],
  'content/extract': [
    'visibility',
    'fidelity',
    'styles',
    'structured-data',
    'facts',
    'pagination',
    'blocks',
    'content',
    'outline',
    'rules',
    'documentation',
    'measures',
    'selection',
    'main-content',
    'media',
    'list-names',
    'list',
  ],
  'content/convert': [
    'escape',
    'ast',
    'markdown-blocks',
    'split',
    'passage',
    'math',
    'text',
    'table',
    'read',
    'write',
    'formats',
  ],
  'content/digest': ['workers'],
  'features/browser': [
    'injected',
    'proxy',
    'process',
    'page',
    'profiles',
    'ad-block',
    'navigation',
    'actions',
    'render',
    'enhanced',
  ],
  'features/json': ['extractor'],
  'features/list': ['data', 'whole', 'learn'],
  'features/mirror': ['records', 'tables', 'folder', 'targets'],
  'features/machines': ['postgres', 'tasks', 'shared', 'pages', 'jobs'],
  'features/prompt-injection': ['languages'],
  'features/search': ['words', 'thread', 'indexes'],
  'kernel/options': ['fields', 'engine'],
  'kernel/plan': ['scrape', 'crawl'],
  'kernel/page': ['workers'],
  'kernel/job': ['discovery', 'attempt', 'lifecycle', 'delivery', 'run', 'crawl', 'handle'],
  'features/toolkit': ['tools', 'mcp'],
  cli: ['terminal', 'output', 'flags', 'shells', 'report', 'commands'],
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
  'kernel/cache/caches',
  'content/embedded-data/payloads',
  'content/parse/parsers',
  'content/convert/formats',
  'features/browser/actions',
  'features/mirror/targets',
  'features/search/indexes',
  'features/goal/site-search/indexes',
  'features/goal/site-search/declarations',
  'features/toolkit/tools',
  'cli/commands',
]
