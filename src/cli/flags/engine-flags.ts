import type { EngineConfig } from '../../index.js'
import { engineDefaults } from '../../options/defaults.js'
import type { OptionShape, ValueKind } from '../../options/option-shapes.js'
import type { Flag } from './flag.js'
import { writeDefault } from './write-default.js'

/** The engine's settings that make no sense for one command, that take code, or that a flag of the request stands for already. */
type Unasked =
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
type Setting = Exclude<keyof EngineConfig, Unasked | Nested>
type SettingFlag = readonly [name: string, kind: ValueKind, meaning: string]
type FlagsOf<Name extends PropertyKey> = Readonly<Record<Name, SettingFlag>>

// The types hold this table to the engine's configuration: a setting that is added there is missed here.
const settings: FlagsOf<Setting> & { readonly [Name in Nested]: FlagsOf<keyof NonNullable<EngineConfig[Name]>> } = {
  threads: ['threads', 'number', 'Threads for parsing and converting; 0 for none. Default: cores - 1, at least 1'],
  fileTimeoutMs: ['file-timeout-ms', 'number', 'Milliseconds that reading a file may take (PDF)'],
  maxConcurrencyPerSite: [
    'max-concurrency-per-site',
    'number',
    'Pages at once on one site. Default: --max-concurrency',
  ],
  userAgent: ['user-agent', 'string', 'Sent as User-Agent where --headers names none. Default: trawl/<version>'],
  allowPrivateNetworks: [
    'private-networks',
    'boolean',
    'Let pages on private and loopback addresses be fetched. Default: on, as this is your own machine',
  ],
  fetcher: ['fetcher', 'string', 'auto, http or browser: auto starts a browser only for pages that need one'],
  browser: {
    executablePath: ['browser-path', 'string', 'The Chromium or Chrome to start. Default: the first that is found'],
    cdpEndpoint: ['browser-endpoint', 'string', 'The DevTools address of a browser that runs already'],
    maxPages: ['browser-pages', 'number', 'Pages open at once in the browser. Default: two for each core'],
    pagesPerBrowser: ['pages-per-browser', 'number', 'Pages after which a browser is replaced'],
    sandbox: ['browser-sandbox', 'boolean', "Chromium's own sandbox. Default: where it works"],
  },
  proxies: {
    basic: ['proxies', 'list', 'Proxy for --proxy basic and the first try of auto: http://, https:// or socks5://'],
    enhanced: ['enhanced-proxies', 'list', 'Proxy for --proxy enhanced and the second try of auto'],
    byCountry: ['proxies-by-country', 'object', 'Proxies of countries: {"DE":["http://user:password@host:port"]}'],
    skipTlsVerification: ['insecure-proxies', 'boolean', 'Accept any certificate of an https proxy. Default: off'],
  },
  cache: ['cache', 'string', 'Folder that pages are remembered in, for this command and the next. Default: nowhere'],
  snapshots: ['snapshots', 'string', 'Folder that pages are kept in to be compared with later. Default: nowhere'],
  staleIfErrorMs: [
    'stale-if-error-ms',
    'number',
    'How much older than --max-age a page of the cache may be where the site fails',
  ],
  profiles: ['profiles', 'string', 'Folder that profiles are kept in. Default: memory, until the command ends'],
  adLists: ['ad-lists', 'list', 'File or URL of a filter list in the syntax of EasyList, for --block-ads'],
  limits: {
    wireBytes: ['max-wire-bytes', 'number', 'Most bytes of a body on the wire'],
    bodyBytes: ['max-body-bytes', 'number', 'Most bytes of a body after decompression'],
    headerBytes: ['max-header-bytes', 'number', 'Most bytes of response headers'],
    redirects: ['max-redirects', 'number', 'Most redirects followed for one page'],
  },
  retry: {
    maxRetries: ['max-retries', 'number', 'Tries after the first one, for what may pass'],
    backoffMs: ['backoff-ms', 'number', 'Pause before the first retry, doubled before each other'],
    maxBackoffMs: ['max-backoff-ms', 'number', 'Longest pause, whatever the site asks for'],
  },
  media: [
    'media',
    'string',
    'The folder that screenshots, PDF files, sound and films go to. Default: they stand in the document',
  ],
  ffmpeg: ['ffmpeg', 'string', 'The program that takes sound out of films. Default: ffmpeg, where it is installed'],
  maxWaitingBytes: ['max-waiting-bytes', 'number', 'Start no page while more bytes of documents wait to be written'],
  webhookSecret: ['webhook-secret', 'string', 'What reports to --webhook are signed with. Default: nothing'],
}

/** The flags that set up the engine: the same for every command. */
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

/** The default of a setting, or of one within a setting. */
function findDefault(path: readonly string[]): unknown {
  let found: unknown = engineDefaults
  for (const name of path)
    found = typeof found === 'object' ? new Map(Object.entries({ ...found })).get(name) : undefined
  return found
}
