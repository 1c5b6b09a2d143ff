import type { Refusal, SkipReason, Via } from '../../ledger/ledger.js'
import { groupBy } from '../../../base/collections/group-by.js'
import { childScope, isBelow, isSameHost, isWebUrl, pathDepth, siteOf } from '../../../base/url.js'
import type { PathPattern } from '../../../base/text/path-pattern.js'
import { findLengthFault, findUrlFault } from '../../../base/url-limits.js'
import { domainOf, relate, type SiteRelation } from './site-relation.js'

/** The slice of the plan that defines which URLs belong to a crawl. */
export interface ScopePlan {
  /** The start URL, or where it leads if that is another host: see `moveScope`. */
  readonly start: string
  /** URL on the host of the start URL that it leads to: pages below the folder of this URL belong to the crawl as well. */
  readonly movedTo?: string
  /** Scopes of further start URLs, in their order; a URL belongs to the crawl if it is in one of all. They have no others. */
  readonly others?: readonly ScopePlan[]
  readonly includePaths: readonly PathPattern[]
  readonly excludePaths: readonly PathPattern[]
  readonly regexOnFullURL: boolean
  /** Follow any link on the host, not only child paths of the start URL. */
  readonly crawlEntireDomain: boolean
  /** Follow links to other hosts of the start URL's domain, whatever their path. */
  readonly allowSubdomains: boolean
  /** Follow links from pages of the site to other sites, and no further. */
  readonly allowExternalLinks: boolean
  /** Maximum discovery depth of a scraped page; `Infinity` for no limit. */
  readonly maxDiscoveryDepth: number
  /** Maximum path segments of a scraped URL (version 1 `maxDepth`); `Infinity` for no limit. */
  readonly maxPathDepth: number
  readonly ignoreQueryParameters: boolean
  readonly deduplicateSimilarURLs: boolean
  /** True to follow links to images, because an image parser is configured. @default false */
  readonly readsImages?: boolean
  /** True to follow links to all types of files. @default false */
  readonly readsFiles?: boolean
}

/** A URL to check, and how it was found. */
export interface ScopeQuestion {
  readonly url: URL
  readonly via: Via
  readonly depth: number
  /** The page that links or redirects to it. */
  readonly from?: URL
}

/** A rule of the scope. */
interface ScopeRule {
  readonly reason: SkipReason
  /**
   * Ways of discovery that the rule applies to. Start URLs are checked only against the patterns. A page that redirects
   * was admitted already, so that its target is checked against fewer rules.
   */
  readonly appliesTo: readonly Via[]
  /** Tests for a crawl that the rule can refuse a URL of. @default true */
  readonly isUsed?: (plan: ScopePlan) => boolean
  /** Returns the reason why the rule refuses the URL; undefined when it does not. */
  readonly findObjection: (question: ScopeQuestion, plan: ScopePlan, site: ScopeSite) => string | undefined
}

const found: readonly Via[] = ['link', 'sitemap', 'previous', 'search']
const foundOrRedirected: readonly Via[] = [...found, 'redirect']

/** The rules in order; the first one that refuses decides. */
const scopeRules: readonly ScopeRule[] = [
  {
    // First, because the other rules must not process such a URL.
    reason: 'TRAP',
    appliesTo: foundOrRedirected,
    findObjection: ({ url }) => findLengthFault(url.href.length),
  },
  {
    reason: 'NON_WEB_PROTOCOL',
    appliesTo: foundOrRedirected,
    findObjection: ({ url }) => (isWebUrl(url) ? undefined : `\`${url.protocol}\` is neither http nor https`),
  },
  {
    reason: 'EXTERNAL_LINK',
    appliesTo: foundOrRedirected,
    findObjection: refuseOtherSite,
  },
  {
    reason: 'TRAP',
    appliesTo: found,
    findObjection: ({ url }) => findUrlFault(url),
  },
  {
    reason: 'FILE_TYPE',
    appliesTo: found,
    findObjection: ({ url }, { readsImages, readsFiles = false }) =>
      !readsFiles && isNamedLikeFile(url, readsImages) ? `a .${fileType(url)} file holds no page to read` : undefined,
  },
  {
    reason: 'DEPTH_LIMIT',
    appliesTo: found,
    isUsed: ({ maxPathDepth }) => maxPathDepth !== Infinity,
    findObjection: ({ url }, { maxPathDepth }) =>
      pathDepth(url) > maxPathDepth
        ? `the path has ${pathDepth(url)} segments; \`maxDepth\` is ${maxPathDepth}`
        : undefined,
  },
  {
    reason: 'DISCOVERY_DEPTH',
    appliesTo: found,
    isUsed: ({ maxDiscoveryDepth }) => maxDiscoveryDepth !== Infinity,
    findObjection: ({ depth }, { maxDiscoveryDepth }) =>
      depth > maxDiscoveryDepth
        ? `${depth} ${depth === 1 ? 'link' : 'links'} away from the start; \`maxDiscoveryDepth\` is ${maxDiscoveryDepth}`
        : undefined,
  },
  {
    reason: 'BACKWARD_CRAWLING',
    appliesTo: found,
    isUsed: ({ crawlEntireDomain }) => !crawlEntireDomain,
    findObjection: ({ url }, _plan, { start, folders }) => {
      if (!isSameHost(url, start)) return undefined
      return folders.some((folder) => isBelow(folder, url))
        ? undefined
        : `not below ${folders.join(' or ')}; \`crawlEntireDomain\` follows every link of the host`
    },
  },
  {
    reason: 'EXCLUDE_PATTERN',
    appliesTo: ['seed', ...foundOrRedirected],
    isUsed: ({ excludePaths }) => excludePaths.length > 0,
    findObjection: ({ url }, plan) => {
      const pattern = plan.excludePaths.find((candidate) => candidate.test(patternTarget(url, plan)))
      return pattern ? `\`excludePaths\` has ${pattern.source}` : undefined
    },
  },
  {
    reason: 'INCLUDE_PATTERN',
    appliesTo: ['seed', ...found],
    isUsed: ({ includePaths }) => includePaths.length > 0,
    findObjection: ({ url }, plan) =>
      plan.includePaths.some((pattern) => pattern.test(patternTarget(url, plan)))
        ? undefined
        : `no pattern of \`includePaths\` is found in ${patternTarget(url, plan)}`,
  },
]

/**
 * Returns the reason why the crawl refuses this URL; undefined when it is in scope.
 *
 * Pure: the result depends on the arguments alone, and no URL makes it throw.
 *
 * @see docs/compatibility/crawls.md#links-and-scope
 */
export function refuse(question: ScopeQuestion, plan: ScopePlan): Refusal | undefined {
  const site = readScope(plan)
  for (const { reason, appliesTo, findObjection } of site.rules) {
    if (!appliesTo.includes(question.via)) continue
    const message = findObjection(question, plan, site)
    if (message === undefined) continue
    const refusal = { reason, message }
    return plan.others === undefined ? refusal : refuseByOthers(question, plan, refusal)
  }
  return undefined
}

/** Asks the scopes of further start URLs on the site of the URL, or of the page with the link. @param refusal of the first scope */
function refuseByOthers(question: ScopeQuestion, plan: ScopePlan, refusal: Refusal): Refusal | undefined {
  const { url, from } = question
  let nearest = refusal
  for (const scopes of [othersAt(url, plan), from === undefined ? [] : othersAt(from, plan)]) {
    const scope = findNearest(url, scopes)
    const own = scope && refuse(question, scope)
    if (scope && own === undefined) return undefined
    if (own && nearest.reason === 'EXTERNAL_LINK') nearest = own
  }
  return nearest
}

/** Finds the scope, of those on a site, that a URL is in if it is in any: they differ in hosts and folders alone. */
function findNearest(url: URL, scopes: readonly ScopePlan[]): ScopePlan | undefined {
  const isHere = (scope: ScopePlan): boolean => isSameHost(url, startOf(scope))
  const isIn = (scope: ScopePlan): boolean =>
    scope.crawlEntireDomain || foldersOf(scope).some((folder) => isBelow(folder, url))
  return scopes.find((scope) => isHere(scope) && isIn(scope)) ?? scopes.find((scope) => !isHere(scope)) ?? scopes[0]
}

/** The scopes of further start URLs by host, and by domain, because a crawl may have many and asks about thousands of URLs. */
const sites = new WeakMap<ScopePlan, ReadonlyMap<string, readonly ScopePlan[]>>()

/** Lists the scopes of further start URLs that are on the host of a URL, or on its domain if this is the same for the crawl. */
function othersAt(url: URL, plan: ScopePlan): readonly ScopePlan[] {
  const { others = [], allowSubdomains } = plan
  if (others.length === 0) return others
  const keyOf = (one: URL): string => (allowSubdomains ? domainOf(one) : null) ?? siteOf(one)
  const known = sites.get(plan) ?? groupBy(others, (scope) => keyOf(startOf(scope)))
  sites.set(plan, known)
  return known.get(keyOf(url)) ?? []
}

/** Tests for a URL on the site of a further start URL, whose links are followed. */
export const isOnOtherSite = (url: URL, plan: ScopePlan): boolean =>
  othersAt(url, plan).some((scope) => isOnSite(relate(url, startOf(scope)), scope))

/** Site of one or several start URLs. */
export interface ScopeSite {
  readonly start: URL
  /** Path prefixes that the crawl stays below there. */
  readonly folders: readonly string[]
}

/** Lists the sites of a crawl, each with the folders of all start URLs on it. @param only the scope whose site is wanted. @default all */
export function listSites(plan: ScopePlan, only?: ScopePlan): ScopeSite[] {
  const { others = [], crawlEntireDomain } = plan
  const hosts = groupBy([plan, ...others], (scope) => siteOf(startOf(scope)))
  return [...hosts.values()].flatMap((scopes) => {
    const [first] = scopes
    if (!first || (only !== undefined && !scopes.includes(only))) return []
    return { start: startOf(first), folders: crawlEntireDomain ? ['/'] : scopes.flatMap(foldersOf) }
  })
}

/** Facts of a scope, which hold for all URLs. */
interface ReadScope extends ScopeSite {
  /** The rules that can refuse a URL, in order. */
  readonly rules: readonly ScopeRule[]
}

/** Scopes that were read, because a crawl asks about thousands of URLs. */
const scopes = new WeakMap<ScopePlan, ReadScope>()

function readScope(plan: ScopePlan): ReadScope {
  const known = scopes.get(plan)
  if (known !== undefined) return known
  const start = new URL(plan.start)
  const places = [start, ...(plan.movedTo === undefined ? [] : [new URL(plan.movedTo)])]
  const rules = scopeRules.filter(({ isUsed }) => isUsed?.(plan) ?? true)
  const scope = { start, folders: places.map(childScope), rules }
  scopes.set(plan, scope)
  return scope
}

/** Returns the start URL of a scope. */
export const startOf = (plan: ScopePlan): URL => readScope(plan).start

/** Returns the path prefixes that a crawl stays below, unless it has `crawlEntireDomain`. */
export const foldersOf = (plan: ScopePlan): readonly string[] => readScope(plan).folders

/** @see docs/compatibility/crawls.md#links-and-scope */
function refuseOtherSite({ url, via, from }: ScopeQuestion, plan: ScopePlan, { start }: ScopeSite): string | undefined {
  const relation = relate(url, start)
  if (isOnSite(relation, plan)) return undefined
  const elsewhere = `${url.host} is not the host of the crawl, ${start.host}`
  if (!plan.allowExternalLinks) {
    return relation === 'same domain' ? `${elsewhere}; \`allowSubdomains\` follows such links` : elsewhere
  }
  if (from === undefined || isOnSite(relate(from, start), plan)) return undefined
  // A page of another site that was admitted by a link may redirect within its own domain.
  return via === 'redirect' && relate(url, from) !== 'elsewhere'
    ? undefined
    : `found on ${from.host}: other sites are followed one step, and no further`
}

/** Returns true if pages there belong to the crawl, so that their links are followed. */
export const isOnSite = (relation: SiteRelation, { allowSubdomains }: ScopePlan): boolean =>
  relation === 'same host' || (relation === 'same domain' && allowSubdomains)

/** Returns the part of a URL that the patterns are matched against. */
export const patternTarget = (url: URL, { regexOnFullURL }: ScopePlan): string =>
  regexOnFullURL ? url.href : url.pathname

/** The extension of the last path segment, in lower case. */
export const fileType = (url: URL): string | undefined => /\.([a-z0-9]+)$/i.exec(url.pathname)?.[1]?.toLowerCase()

/** Tests for a URL whose name is that of a file without a page. @param readsImages true where an image is a page */
export function isNamedLikeFile(url: URL, readsImages = false): boolean {
  const type = fileType(url)
  return type !== undefined && (unreadable.has(type) || (imageTypes.has(type) && !readsImages))
}

const setOf = (...lists: readonly string[]): ReadonlySet<string> => new Set(lists.flatMap((types) => types.split(' ')))

/** Image types; only an engine with an image parser reads them. */
const imageTypes = setOf('png jpg jpeg jfif gif webp avif bmp ico tif tiff heic heif jxl psd')

/**
 * File types without a page: no parser extracts text from them, or they are resources of the pages that link to them.
 */
const unreadable = setOf(
  'svg svgz',
  'mp3 m4a wav ogg oga opus flac aac wma mid midi aiff m3u8',
  'mp4 m4v mov avi flv wmv mkv webm ogv mpg mpeg 3gp swf',
  'woff woff2 ttf otf eot',
  'css js mjs wasm inc',
  'zip gz tgz bz2 tbz2 xz txz zst lz4 lzma tar rar 7z cab jar',
  'exe dll msi dmg pkg deb rpm apk ipa aab appimage iso bin dylib pyc',
  'sqlite db mdb parquet npy npz pickle pkl h5 onnx safetensors',
)
