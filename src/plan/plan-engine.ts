import { takeUrl, withoutLastSlashes } from '../url.js'
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
import type { LanguageModel } from '../llm/llm.js'
import type { ModelSettings } from '../llm/model-client.js'
import type { MediaSink } from '../media/media.js'
import type { MediaExtractor } from '../media/media-extractor.js'
import { fileStore, memoryStore } from '../store/stores/index.js'
import type { Store } from '../store/store.js'
import { engineDefaults, scrapeDefaults } from '../options/defaults.js'
import type { EngineConfig } from '../options/engine-config.js'
import type { Ocr } from '../ocr/ocr.js'
import type { PlanDefaults } from './plan-defaults.js'
import { planProxies } from './plan-proxies.js'

/** What an engine works with: its configuration with everything decided. */
export interface EnginePlan extends PlanDefaults {
  readonly maxConcurrencyPerSite: number
  /** Visits to a site that may wait for its answers beside those. */
  readonly maxLentPerSite: number
  readonly allowPrivateNetworks: boolean
  readonly userAgent?: string
  readonly cache: PageCache | undefined
  /** Whether the engine made the cache, and so has to close it. */
  readonly ownsCache: boolean
  readonly ledger: Ledger
  readonly snapshots: Store
  /** Whether the engine made the store of snapshots, and so has to close it. */
  readonly ownsSnapshots: boolean
  readonly threads: number
  readonly fileTimeoutMs: number
  readonly ocr: Ocr | undefined
  readonly limits: FetchLimits
  readonly browser: BrowserOptions
  readonly proxies: ProxySettings
  readonly profiles: ProfileStore
  readonly adLists: readonly string[]
  readonly retry: RetrySettings
  readonly media: MediaSink | undefined
  /** The program, by its path or name; undefined where none is to be run. */
  readonly ffmpeg: string | undefined
  /** Of ffmpeg, so many at once: one core is left to the host. */
  readonly ffmpegs: number
  readonly mediaExtractor: MediaExtractor | undefined
  readonly model: LanguageModel | undefined
  readonly modelSettings: ModelSettings
  /** Credits. */
  readonly creditLimit: number
  readonly maxWaitingBytes: number
  readonly webhookSecret: string | undefined
  readonly baseUrl: string
  readonly retentionMs: number
  readonly now: () => number
}

const MIB = 1024 * 1024

/** Pages that may wait for their sites, beside ten that are worked on: each costs a socket, and hardly anything else. */
const MAX_LENT = 60

/** What a request has beside the page: the rules, the schema, the question. */
const FRAME_TOKENS = 2000

/** Tokens are estimated, and estimates may be a fifth too low. */
const countPartTokens = ({ contextTokens, maxOutputTokens }: ModelSettings): number =>
  Math.max(500, Math.floor((contextTokens - maxOutputTokens - FRAME_TOKENS) / 1.25))

function planCacheOf(cache: EngineConfig['cache']): PageCache | undefined {
  if (cache === false) return undefined
  return typeof cache === 'string' ? fileCache({ folder: cache }) : (cache ?? memoryCache())
}

/** The engine's own store is bounded, so that its memory is flat; one in a folder forgets nothing. */
function planSnapshots(snapshots: EngineConfig['snapshots']): Store {
  if (typeof snapshots === 'string') return fileStore({ folder: snapshots, maxBytes: Infinity })
  return snapshots ?? memoryStore({ maxBytes: 64 * MIB })
}

/** Decides what a configuration leaves open. */
export function planEngine(config: EngineConfig): EnginePlan {
  const maxConcurrency = config.maxConcurrency ?? engineDefaults.maxConcurrency
  const modelSettings = fill<ModelSettings>(engineDefaults.modelOptions, config.modelOptions)
  return {
    maxConcurrency,
    // Bounds that were given are kept to.
    maxLent: config.maxConcurrency === undefined ? MAX_LENT : 0,
    maxLentPerSite: (config.maxConcurrencyPerSite ?? config.maxConcurrency) === undefined ? MAX_LENT : 0,
    maxConcurrencyPerSite: config.maxConcurrencyPerSite ?? maxConcurrency,
    timeoutMs: scrapeDefaults.timeout,
    fetcher: config.fetcher ?? engineDefaults.fetcher,
    browser: fill<BrowserOptions>(
      { maxPages: Math.min(maxConcurrency, 2 * availableParallelism()), ...engineDefaults.browser },
      config.browser,
    ),
    parse: { maxHtmlBytes: 10 * MIB, maxDepth: 256, maxNodes: 500_000 },
    allowPrivateNetworks: config.allowPrivateNetworks ?? engineDefaults.allowPrivateNetworks,
    ...(config.userAgent === undefined ? {} : { userAgent: config.userAgent }),
    cache: planCacheOf(config.cache),
    ownsCache: config.cache === undefined || typeof config.cache === 'string',
    ledger: config.ledger ?? memoryLedger(),
    snapshots: planSnapshots(config.snapshots),
    ownsSnapshots: config.snapshots === undefined || typeof config.snapshots === 'string',
    keepsSnapshots: config.snapshots !== undefined,
    staleIfErrorMs: config.staleIfErrorMs ?? engineDefaults.staleIfErrorMs,
    threads: config.threads ?? Math.max(1, availableParallelism() - 1),
    fileTimeoutMs: config.fileTimeoutMs ?? engineDefaults.fileTimeoutMs,
    ocr: config.ocr,
    limits: fill<FetchLimits>(engineDefaults.limits, config.limits),
    imageParser: config.imageParser,
    proxies: planProxies(config.proxies),
    profiles:
      typeof config.profiles === 'string' ? folderProfiles(config.profiles) : (config.profiles ?? memoryProfiles()),
    adLists: [...(config.adLists ?? [])],
    retry: fill<RetrySettings>(engineDefaults.retry, config.retry),
    media: typeof config.media === 'string' ? folderMedia(config.media) : config.media,
    ffmpeg: config.ffmpeg === false ? undefined : (config.ffmpeg ?? engineDefaults.ffmpeg),
    ffmpegs: Math.max(1, availableParallelism() - 1),
    mediaExtractor: config.mediaExtractor,
    model: config.model,
    modelSettings,
    partTokens: countPartTokens(modelSettings),
    budget: { ...config.budget },
    creditLimit: config.creditLimit ?? engineDefaults.creditLimit,
    maxWaitingBytes: config.maxWaitingBytes ?? engineDefaults.maxWaitingBytes,
    webhookSecret: config.webhookSecret,
    baseUrl: withoutLastSlashes(takeUrl(config.baseUrl ?? engineDefaults.baseUrl)),
    retentionMs: config.retentionMs ?? engineDefaults.retentionMs,
    now: config.now ?? Date.now,
  }
}

/** The defaults, with what was given in place of them; a name that is there with no value was not given. */
function fill<T extends object>(defaults: T, given: { readonly [Name in keyof T]?: T[Name] | undefined } = {}): T {
  return { ...defaults, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) }
}
