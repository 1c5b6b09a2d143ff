import { availableParallelism } from 'node:os'
import { boundCache } from '../cache/bound-cache.js'
import type { AskedCache } from '../cache/cache.js'
import { fileCache, memoryCache } from '../cache/caches/index.js'
import { InvalidRequestError } from '../../base/errors.js'
import type { FeatureFetcher } from '../fetch/feature-fetcher.js'
import type { FetchLimits } from '../fetch/fetcher.js'
import type { ProxiesByKind, ProxySettings } from '../../base/network/proxy-routes.js'
import type { RetrySettings } from '../fetch/retry.js'
import type { Ledger } from '../ledger/ledger.js'
import { memoryLedger } from '../ledger/ledgers/index.js'
import type { ModelSettings } from '../../base/llm/model-client.js'
import { folderMedia } from '../../base/folder/folder-media.js'
import type { MediaSink } from '../../base/media/media.js'
import { readDirectoryOrigin, readIdentityKey } from '../options/fields/identity.js'
import { createRequestSigner, type RequestSigner } from '../../base/http/request-signer.js'
import { type EngineConfig, engineDefaults } from '../options/engine-config.js'
import { scrapeDefaults } from '../options/scrape-options.js'
import type { ParsePlan } from '../../content/parse/parser.js'
import { hasThreadPriority } from '../../base/runtime/thread-priority.js'
import type { Store } from '../../base/store/store.js'
import { fileStore, memoryStore } from '../../base/store/stores/index.js'
import { urlToString, withoutLastSlashes } from '../../base/url.js'
import type { PlanDefaults } from './plan-defaults.js'
import { readMemoryLimit, type EngineMemory, planMemory } from './plan-memory.js'
import { parseProxy, type Proxy } from '../../base/network/proxy.js'
import type { ProxiesConfig, ProxyLists } from '../options/fields/proxies.js'

/** Plans the proxies of an engine. A plain list of a country is for both kinds. */
function planProxies(config: ProxiesConfig = {}): ProxySettings {
  const { byCountry = {}, skipTlsVerification = false, ...lists } = config
  return {
    ...planLists(lists),
    byCountry: Object.fromEntries(
      Object.entries(byCountry).map(([country, listed]) => [country.toUpperCase(), planLists(listed)]),
    ),
    skipTlsVerification,
  }
}

function planLists(lists: readonly string[] | ProxyLists): ProxiesByKind {
  const { basic = [], enhanced = [] } = isList(lists) ? { basic: lists, enhanced: lists } : lists
  return { basic: basic.flatMap(parse), enhanced: enhanced.flatMap(parse) }
}

const isList = (lists: readonly string[] | ProxyLists): lists is readonly string[] => Array.isArray(lists)

const parse = (url: string): Proxy[] => [parseProxy(url) ?? []].flat()

type Defaults = typeof engineDefaults

/** Settings as the caller gave them, or their defaults. A setting without a default is absent when it is not given. */
type GivenSettings = { readonly [Name in keyof Defaults]: NonNullable<EngineConfig[Name]> } & {
  readonly [Name in Exclude<keyof EngineConfig, keyof Defaults | 'features'>]?: NonNullable<EngineConfig[Name]>
}

/** Settings that are computed from the given ones. */
interface ComputedSettings extends PlanDefaults {
  readonly maxConcurrencyPerSite: number
  /** Maximum number of further requests to one site, of pages that have lent their place while they wait for it. */
  readonly maxLentPerSite: number
  readonly cache: AskedCache | undefined
  /** True where the engine opened the cache, and has to close it. */
  readonly ownsCache: boolean
  readonly ledger: Ledger
  readonly snapshots: Store
  /** True where the engine opened the store of snapshots, and has to close it. */
  readonly ownsSnapshots: boolean
  /** Fetcher of the caller, in the place of the network. */
  readonly ownFetcher: FeatureFetcher | undefined
  readonly memory: EngineMemory
  /** Number of worker threads; 0 for none. */
  readonly threads: number
  /** True if one more thread may work on the core of the host's thread while that has time. */
  readonly spareThread: boolean
  readonly limits: FetchLimits
  readonly proxies: ProxySettings
  /** Signs requests; undefined where they are not signed. The plan has no key. */
  readonly signer: RequestSigner | undefined
  readonly identity: undefined
  readonly retry: RetrySettings
  readonly media: MediaSink | undefined
  readonly modelOptions: ModelSettings
  readonly baseUrl: string
  /** Clock: returns milliseconds since the epoch. */
  readonly now: () => number
}

/** Plan of an engine: its configuration with all defaults. A setting that is not computed is passed on as it was given. */
export type EnginePlan = ComputedSettings & Omit<GivenSettings, keyof ComputedSettings>

const MIB = 1024 * 1024

/** Maximum size of the trees that parsers build. */
const PARSE_LIMITS: ParsePlan = { maxHtmlBytes: 10 * MIB, maxDepth: 256, maxNodes: 500_000 }

/** Tokens of a request to a model in addition to the page: the rules, the schema, the question. */
const PROMPT_TOKENS = 2000

/** Minimum of tokens of a page in one request, for models with a small context. */
const MIN_PART_TOKENS = 500

/** Factor by which a token count may be too low, because it is an estimate. */
const TOKEN_ERROR = 1.25

/** Counts the tokens of a page that fit in one request to the model. */
const countPartTokens = ({ contextTokens, maxOutputTokens }: ModelSettings): number =>
  Math.max(MIN_PART_TOKENS, Math.floor((contextTokens - maxOutputTokens - PROMPT_TOKENS) / TOKEN_ERROR))

/** Counts the cores of the machine without the one that is left to the host's thread; at least 1. */
export const countSpareCores = (): number => Math.max(1, availableParallelism() - 1)

/** Timeout of one call of a cache of the host. Milliseconds. */
const CACHE_TIMEOUT_MS = 10_000

/** Opens the cache of pages; undefined for none. */
function openCache(cache: EngineConfig['cache'], maxBytes: number): AskedCache | undefined {
  if (cache === false) return undefined
  if (typeof cache === 'object') return boundCache(cache, CACHE_TIMEOUT_MS)
  return cache === undefined ? memoryCache({ maxBytes }) : fileCache({ folder: cache })
}

/** Opens the store of snapshots. One in memory drops the least recently used snapshots; one in a folder keeps all. */
function openSnapshots(snapshots: EngineConfig['snapshots'], maxBytes: number): Store {
  if (typeof snapshots === 'string') return fileStore({ folder: snapshots, maxBytes: Infinity })
  return snapshots ?? memoryStore({ maxBytes })
}

/**
 * Plans an engine, from a checked configuration without its features.
 *
 * @param memory what its container has. @default that of this process
 */
export function planEngine(config: EngineConfig, memory = planMemory(readMemoryLimit())): EnginePlan {
  const given = applyDefaults<GivenSettings>(engineDefaults, config)
  return { ...given, ...computeSettings(config, given, memory) }
}

function computeSettings(config: EngineConfig, given: GivenSettings, memory: EngineMemory): ComputedSettings {
  const maxConcurrency = config.maxConcurrency ?? Math.min(given.maxConcurrency, memory.maxPages)
  const modelOptions = applyDefaults<ModelSettings>(engineDefaults.modelOptions, config.modelOptions)
  return {
    maxConcurrency,
    // A limit that the caller has set is not exceeded by waiting pages.
    sharesPages: config.ledger?.tasks !== undefined,
    maxLent: config.maxConcurrency === undefined ? memory.maxLent : 0,
    maxLentPerSite: (config.maxConcurrencyPerSite ?? config.maxConcurrency) === undefined ? memory.maxLent : 0,
    maxConcurrencyPerSite: config.maxConcurrencyPerSite ?? maxConcurrency,
    timeoutMs: scrapeDefaults.timeout,
    fetcher: typeof given.fetcher === 'string' ? given.fetcher : 'auto',
    ownFetcher: typeof given.fetcher === 'string' ? undefined : given.fetcher,
    parse: { ...PARSE_LIMITS, maxDocumentLength: config.maxDocumentLength ?? PARSE_LIMITS.maxDocumentLength },
    cache: openCache(config.cache, memory.cacheBytes),
    ownsCache: config.cache === undefined || typeof config.cache === 'string',
    ledger: config.ledger ?? memoryLedger({ maxTotalBytes: memory.ledgerBytes }),
    snapshots: openSnapshots(config.snapshots, memory.snapshotBytes),
    ownsSnapshots: config.snapshots === undefined || typeof config.snapshots === 'string',
    keepsSnapshots: config.snapshots !== undefined,
    staleIfErrorMs: given.staleIfErrorMs,
    memory,
    threads: config.threads ?? Math.min(memory.maxThreads, countSpareCores()),
    spareThread: config.threads === undefined && memory.maySpare && availableParallelism() > 1 && hasThreadPriority(),
    limits: applyDefaults<FetchLimits>(engineDefaults.limits, config.limits),
    imageParser: config.imageParser,
    proxies: planProxies(config.proxies),
    signer: planSigner(config),
    identity: undefined,
    retry: applyDefaults<RetrySettings>(engineDefaults.retry, config.retry),
    media: typeof config.media === 'string' ? folderMedia(config.media) : config.media,
    modelOptions,
    partTokens: countPartTokens(modelOptions),
    budget: { ...config.budget },
    enhancedCredits: given.enhancedCredits,
    baseUrl: withoutLastSlashes(urlToString(given.baseUrl)),
    now: config.now ?? Date.now,
  }
}

/**
 * Creates the signer of an engine's requests; undefined without an identity.
 *
 * @throws InvalidRequestError if the identity cannot sign: requests are never sent unsigned in silence
 */
function planSigner({ identity, now = Date.now }: EngineConfig): RequestSigner | undefined {
  if (!identity) return undefined
  const key = readIdentityKey(identity.key)
  const origin = readDirectoryOrigin(identity.directoryUrl)
  if (key && origin !== undefined) return createRequestSigner({ key, origin, now })
  const [path, message] = key
    ? (['directoryUrl', 'no https origin'] as const)
    : (['key', 'no private Ed25519 key (not shown)'] as const)
  throw new InvalidRequestError([{ code: 'custom', path: ['identity', path], message }])
}

/** Merges given values over defaults. A given value of undefined counts as absent. */
function applyDefaults<T extends object>(
  defaults: T,
  given: { readonly [Name in keyof T]?: T[Name] | undefined } = {},
): T {
  return { ...defaults, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) }
}
