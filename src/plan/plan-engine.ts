import { urlToString, withoutLastSlashes } from '../url.js'
import { availableParallelism } from 'node:os'
import type { PageCache } from '../cache/cache.js'
import { fileCache, memoryCache } from '../cache/caches/index.js'
import type { BrowserOptions } from '../fetch/browser-process/browser-options.js'
import type { FetchLimits } from '../fetch/fetcher.js'
import { folderProfiles } from '../fetch/profiles/folder-profiles.js'
import { memoryProfiles } from '../fetch/profiles/memory-profiles.js'
import type { ProfileStore } from '../fetch/profiles/profile.js'
import type { RetrySettings } from '../fetch/retry.js'
import type { ProxySettings } from '../fetch/proxy/proxy-routes.js'
import type { Ledger } from '../ledger/ledger.js'
import { memoryLedger } from '../ledger/ledgers/index.js'
import { folderMedia } from '../media/folder-media.js'
import type { ModelSettings } from '../llm/model-client.js'
import type { MediaSink } from '../media/media.js'
import { fileStore, memoryStore } from '../store/stores/index.js'
import type { Store } from '../store/store.js'
import { type EngineConfig, engineDefaults } from '../options/engine-config.js'
import { scrapeDefaults } from '../options/scrape-options.js'
import type { PlanDefaults } from './plan-defaults.js'
import { planProxies } from './plan-proxies.js'

type Defaults = typeof engineDefaults

/** Settings as the caller gave them, or their defaults; a setting without a default is absent when it is not given. */
type GivenSettings = { readonly [Name in keyof Defaults]: NonNullable<EngineConfig[Name]> } & {
  readonly [Name in Exclude<keyof EngineConfig, keyof Defaults>]?: NonNullable<EngineConfig[Name]>
}

/** Settings that are computed from the given ones. */
interface ComputedSettings extends PlanDefaults {
  readonly maxConcurrencyPerSite: number
  /** Maximum number of visits to a site beside those that wait for its answers. */
  readonly maxLentPerSite: number
  readonly cache: PageCache | undefined
  /** True where the engine made the cache, and has to close it. */
  readonly ownsCache: boolean
  readonly ledger: Ledger
  readonly snapshots: Store
  /** True where the engine made the store of snapshots, and has to close it. */
  readonly ownsSnapshots: boolean
  readonly threads: number
  readonly limits: FetchLimits
  readonly browser: BrowserOptions
  readonly proxies: ProxySettings
  readonly profiles: ProfileStore
  readonly adLists: readonly string[]
  readonly retry: RetrySettings
  readonly media: MediaSink | undefined
  /** Path or name of the program; undefined where none is to be run. */
  readonly ffmpeg: string | undefined
  /** Maximum number of ffmpeg processes: one core is left to the host. */
  readonly maxFfmpegProcesses: number
  readonly modelOptions: ModelSettings
  readonly baseUrl: string
  readonly now: () => number
}

/** Configuration of an engine, with all defaults filled in. A setting that is not computed is passed on as it was given. */
export type EnginePlan = ComputedSettings & Omit<GivenSettings, keyof ComputedSettings>

const MIB = 1024 * 1024

/** Maximum number of pages that wait for their sites, beside ten that are worked on: each costs little but a socket. */
const MAX_LENT = 60

/** Tokens of a request beside the page: the rules, the schema, the question. */
const FRAME_TOKENS = 2000

/** Counts the tokens of a page in one request. Token counts are estimates, which may be a fifth too low. */
const countPartTokens = ({ contextTokens, maxOutputTokens }: ModelSettings): number =>
  Math.max(500, Math.floor((contextTokens - maxOutputTokens - FRAME_TOKENS) / 1.25))

function openCache(cache: EngineConfig['cache']): PageCache | undefined {
  if (cache === false) return undefined
  return typeof cache === 'string' ? fileCache({ folder: cache }) : (cache ?? memoryCache())
}

/** Opens the store of snapshots. The default one is bounded, to bound memory; one in a folder drops nothing. */
function openSnapshots(snapshots: EngineConfig['snapshots']): Store {
  if (typeof snapshots === 'string') return fileStore({ folder: snapshots, maxBytes: Infinity })
  return snapshots ?? memoryStore({ maxBytes: 64 * MIB })
}

/** Plans an engine: fills in the defaults of a configuration. */
export function planEngine(config: EngineConfig): EnginePlan {
  const given = applyDefaults<GivenSettings>(engineDefaults, config)
  return { ...given, ...computeSettings(config, given) }
}

function computeSettings(config: EngineConfig, { maxConcurrency, ...given }: GivenSettings): ComputedSettings {
  const modelOptions = applyDefaults<ModelSettings>(engineDefaults.modelOptions, config.modelOptions)
  return {
    maxConcurrency,
    // A limit that the caller has set is not exceeded by waiting pages.
    maxLent: config.maxConcurrency === undefined ? MAX_LENT : 0,
    maxLentPerSite: (config.maxConcurrencyPerSite ?? config.maxConcurrency) === undefined ? MAX_LENT : 0,
    maxConcurrencyPerSite: config.maxConcurrencyPerSite ?? maxConcurrency,
    timeoutMs: scrapeDefaults.timeout,
    fetcher: given.fetcher,
    browser: applyDefaults<BrowserOptions>(
      { maxPages: Math.min(maxConcurrency, 2 * availableParallelism()), ...engineDefaults.browser },
      config.browser,
    ),
    parse: { maxHtmlBytes: 10 * MIB, maxDepth: 256, maxNodes: 500_000 },
    cache: openCache(config.cache),
    ownsCache: config.cache === undefined || typeof config.cache === 'string',
    ledger: config.ledger ?? memoryLedger(),
    snapshots: openSnapshots(config.snapshots),
    ownsSnapshots: config.snapshots === undefined || typeof config.snapshots === 'string',
    keepsSnapshots: config.snapshots !== undefined,
    staleIfErrorMs: given.staleIfErrorMs,
    // One core is left to the host's thread: on two cores, a second thread crawled no faster, doubled the delays of the
    // host's event loop in the 99th percentile (40 to 73 ms on a busy machine), and took 90 MB.
    threads: config.threads ?? Math.max(1, availableParallelism() - 1),
    limits: applyDefaults<FetchLimits>(engineDefaults.limits, config.limits),
    imageParser: config.imageParser,
    proxies: planProxies(config.proxies),
    profiles:
      typeof config.profiles === 'string' ? folderProfiles(config.profiles) : (config.profiles ?? memoryProfiles()),
    adLists: [...(config.adLists ?? [])],
    retry: applyDefaults<RetrySettings>(engineDefaults.retry, config.retry),
    media: typeof config.media === 'string' ? folderMedia(config.media) : config.media,
    ffmpeg: given.ffmpeg === false ? undefined : given.ffmpeg,
    maxFfmpegProcesses: Math.max(1, availableParallelism() - 1),
    modelOptions,
    partTokens: countPartTokens(modelOptions),
    budget: { ...config.budget },
    baseUrl: withoutLastSlashes(urlToString(given.baseUrl)),
    now: config.now ?? Date.now,
  }
}

/** Fills defaults in. A given value of undefined counts as absent. */
function applyDefaults<T extends object>(
  defaults: T,
  given: { readonly [Name in keyof T]?: T[Name] | undefined } = {},
): T {
  return { ...defaults, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) }
}
