import type { EngineConfig } from '../../index.js'
import { engineDefaults } from '../../options/defaults.js'
import type { OptionShape, ValueKind } from '../../options/option-shapes.js'
import type { Flag } from './flag.js'
import { writeDefault } from './write-default.js'

/** Settings without a flag: they make no sense for one command, take code, or have a flag of the request in their place. */
type SettingWithoutFlag =
  | 'baseUrl'
  | 'budget'
  | 'creditLimit'
  | 'imageParser'
  | 'ledger'
  | 'maxConcurrency'
  | 'mediaExtractor'
  | 'model'
  | 'modelOptions'
  | 'now'
  | 'ocr'
  | 'retentionMs'
type Nested = 'browser' | 'limits' | 'proxies' | 'retry'
type Setting = Exclude<keyof EngineConfig, SettingWithoutFlag | Nested>
type SettingFlag = readonly [name: string, kind: ValueKind, meaning: string]
type FlagsOf<Name extends PropertyKey> = Readonly<Record<Name, SettingFlag>>

// The type makes the compiler report a new setting of the engine that has no flag.
const settings: FlagsOf<Setting> & { readonly [Name in Nested]: FlagsOf<keyof NonNullable<EngineConfig[Name]>> } = {
  threads: [
    'threads',
    'number',
    'Worker threads for parsing and conversion; 0 for none. Default: cores - 1, at least 1',
  ],
  fileTimeoutMs: ['file-timeout-ms', 'number', 'Maximum time to read one file, such as a PDF. Milliseconds'],
  maxConcurrencyPerSite: [
    'max-concurrency-per-site',
    'number',
    'Concurrent pages of one site. Default: --max-concurrency',
  ],
  userAgent: ['user-agent', 'string', 'User-Agent header, unless --headers has one. Default: trawl/<version>'],
  allowPrivateNetworks: [
    'private-networks',
    'boolean',
    'Allow pages on private and loopback addresses. Default: on, as this is your own machine',
  ],
  fetcher: ['fetcher', 'string', 'auto, http or browser; auto starts a browser only for pages that need one'],
  browser: {
    executablePath: ['browser-path', 'string', 'Chromium or Chrome executable. Default: the first one found'],
    cdpEndpoint: ['browser-endpoint', 'string', 'DevTools URL of a running browser'],
    maxPages: ['browser-pages', 'number', 'Concurrent pages in the browser. Default: two per core'],
    pagesPerBrowser: ['pages-per-browser', 'number', 'Pages after which a browser is replaced'],
    sandbox: ['browser-sandbox', 'boolean', "Chromium's own sandbox. Default: where it works"],
  },
  proxies: {
    basic: ['proxies', 'list', 'Proxy for --proxy basic and the first attempt of auto: http://, https:// or socks5://'],
    enhanced: ['enhanced-proxies', 'list', 'Proxy for --proxy enhanced and the second attempt of auto'],
    byCountry: ['proxies-by-country', 'object', 'Proxies by country: {"DE":["http://user:password@host:port"]}'],
    skipTlsVerification: ['insecure-proxies', 'boolean', 'Accept any certificate of an https proxy. Default: off'],
  },
  cache: ['cache', 'string', 'Folder of the page cache, shared with later commands. Default: no cache'],
  snapshots: ['snapshots', 'string', 'Folder of page snapshots, for comparison in later commands. Default: none'],
  staleIfErrorMs: [
    'stale-if-error-ms',
    'number',
    'Additional age, beyond --max-age, of a cached page that may be used when the site fails. Milliseconds',
  ],
  profiles: ['profiles', 'string', 'Folder of browser profiles. Default: memory, until the command ends'],
  adLists: ['ad-lists', 'list', 'File or URL of a filter list in EasyList syntax, for --block-ads'],
  limits: {
    wireBytes: ['max-wire-bytes', 'number', 'Maximum bytes of a body as transferred'],
    bodyBytes: ['max-body-bytes', 'number', 'Maximum bytes of a body after decompression'],
    headerBytes: ['max-header-bytes', 'number', 'Maximum bytes of response headers'],
    redirects: ['max-redirects', 'number', 'Maximum redirects for one page'],
  },
  retry: {
    maxRetries: ['max-retries', 'number', 'Retries after temporary failures'],
    backoffMs: ['backoff-ms', 'number', 'Delay before the first retry, doubled before each further one. Milliseconds'],
    maxBackoffMs: ['max-backoff-ms', 'number', 'Maximum delay, whatever the site asks for. Milliseconds'],
  },
  media: ['media', 'string', 'Folder for screenshots, PDF, audio and video files. Default: inlined in the document'],
  ffmpeg: ['ffmpeg', 'string', 'Program that extracts audio from video. Default: ffmpeg, if installed'],
  maxWaitingBytes: ['max-waiting-bytes', 'number', 'Start no page while more bytes of documents wait to be written'],
  webhookSecret: ['webhook-secret', 'string', 'Secret that signs the reports to --webhook. Default: none'],
}

/** Flags of the engine, the same for every command. */
export const engineFlags = (): Flag[] =>
  Object.entries(settings).flatMap(([setting, flag]) =>
    isFlag(flag)
      ? [toFlag([setting], flag)]
      : Object.entries(flag).map(([inner, nested]) => toFlag([setting, inner], nested)),
  )

const isFlag = (entry: (typeof settings)[keyof typeof settings]): entry is SettingFlag => Array.isArray(entry)

const toFlag = (path: [string, ...string[]], [name, kind, meaning]: SettingFlag): Flag => {
  const shape: OptionShape = { kinds: [kind], choices: [] }
  return {
    name,
    target: 'engine',
    path,
    shape,
    meaning: writeDefault(meaning, findDefault(path)),
    section: 'The engine',
  }
}

/** Finds the default of a setting, or of a nested one. */
function findDefault(path: readonly string[]): unknown {
  let found: unknown = engineDefaults
  for (const name of path)
    found = typeof found === 'object' ? new Map(Object.entries({ ...found })).get(name) : undefined
  return found
}
