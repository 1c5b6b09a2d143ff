import type { Refusal, SkipReason, Via } from '../../ledger/ledger.js'
import { childScope, isBelow, isSameHost, isWebUrl, pathDepth } from '../../url.js'
import type { PathPattern } from './path-pattern.js'
import { findLengthFault, findUrlFault } from './url-limits.js'
import { isHomePage, relate, type SiteRelation } from './site-relation.js'

/** Which URLs belong to a crawl: the slice of the plan that the scope reads. */
export interface ScopePlan {
  /** The start URL; moves to another host only when the start page redirects there. */
  readonly start: string
  readonly includePaths: readonly PathPattern[]
  readonly excludePaths: readonly PathPattern[]
  readonly regexOnFullURL: boolean
  /** Follow any link on the host, not only child paths of the start URL. */
  readonly crawlEntireDomain: boolean
  /** Follow links to other hosts of the start URL's domain; their path is not asked about. */
  readonly allowSubdomains: boolean
  /** Follow links from pages of the site to other sites, home pages aside, and no further. */
  readonly allowExternalLinks: boolean
  /** Deepest discovery depth that is scraped; `Infinity` when not limited. */
  readonly maxDiscoveryDepth: number
  /** Most path segments of a scraped URL (v1 `maxDepth`); `Infinity` when not limited. */
  readonly maxPathDepth: number
  readonly ignoreQueryParameters: boolean
  readonly deduplicateSimilarURLs: boolean
  /** Whether links to pictures are followed: there is something that reads them. @default false */
  readonly readsPictures?: boolean
}

/** What is asked of the scope: a URL and how it was found. */
export interface ScopeQuestion {
  readonly url: URL
  readonly via: Via
  readonly depth: number
  /** The page that it was found on, or that redirects to it. */
  readonly from?: URL
}

/** One rule: for which URLs it is asked, and what it says against one. */
interface Guard {
  readonly reason: SkipReason
  /**
   * How a URL must have been found for the rule to be asked. A start URL answers only to the patterns; a page that
   * redirects has been admitted already, so that only where it leads to is asked about.
   */
  readonly asked: readonly Via[]
  /** What is wrong with the URL; undefined when nothing is. */
  readonly against: (question: ScopeQuestion, plan: ScopePlan, site: URL) => string | undefined
}

const found: readonly Via[] = ['link', 'sitemap', 'previous']
const foundOrRedirected: readonly Via[] = [...found, 'redirect']

/** The guards, in the order in which they are asked; the first that refuses decides. */
const guards: readonly Guard[] = [
  {
    // Before all others: nothing else is to look at it.
    reason: 'TRAP',
    asked: foundOrRedirected,
    against: ({ url }) => findLengthFault(url.href.length),
  },
  {
    reason: 'NON_WEB_PROTOCOL',
    asked: foundOrRedirected,
    against: ({ url }) => (isWebUrl(url) ? undefined : `\`${url.protocol}\` is neither http nor https`),
  },
  {
    reason: 'EXTERNAL_LINK',
    asked: foundOrRedirected,
    against: refuseElsewhere,
  },
  {
    reason: 'TRAP',
    asked: found,
    against: ({ url }) => findUrlFault(url),
  },
  {
    reason: 'FILE_TYPE',
    asked: found,
    against: ({ url }, { readsPictures = false }) => {
      const type = fileType(url)
      const isRefused = type !== undefined && (unreadable.has(type) || (pictures.has(type) && !readsPictures))
      return isRefused ? `a .${type} file holds no page to read` : undefined
    },
  },
  {
    reason: 'DEPTH_LIMIT',
    asked: found,
    against: ({ url }, { maxPathDepth }) =>
      pathDepth(url) > maxPathDepth
        ? `the path has ${pathDepth(url)} segments; \`maxDepth\` is ${maxPathDepth}`
        : undefined,
  },
  {
    reason: 'DISCOVERY_DEPTH',
    asked: found,
    against: ({ depth }, { maxDiscoveryDepth }) =>
      depth > maxDiscoveryDepth
        ? `${depth} links away from the start; \`maxDiscoveryDepth\` is ${maxDiscoveryDepth}`
        : undefined,
  },
  {
    reason: 'BACKWARD_CRAWLING',
    asked: found,
    against: ({ url }, { crawlEntireDomain }, site) => {
      const scope = childScope(site)
      return crawlEntireDomain || !isSameHost(url, site) || isBelow(scope, url)
        ? undefined
        : `not below ${scope}; \`crawlEntireDomain\` follows every link of the host`
    },
  },
  {
    reason: 'EXCLUDE_PATTERN',
    asked: ['seed', ...foundOrRedirected],
    against: ({ url }, plan) => {
      const pattern = plan.excludePaths.find((candidate) => candidate.test(searched(url, plan)))
      return pattern ? `\`excludePaths\` has ${pattern.source}` : undefined
    },
  },
  {
    reason: 'INCLUDE_PATTERN',
    asked: ['seed', ...found],
    against: ({ url }, plan) =>
      plan.includePaths.length === 0 || plan.includePaths.some((pattern) => pattern.test(searched(url, plan)))
        ? undefined
        : `no pattern of \`includePaths\` is found in ${searched(url, plan)}`,
  },
]

/**
 * Why the crawl does not scrape this URL; undefined when it does.
 *
 * Pure: the same question and plan always get the same answer, and no URL makes it throw.
 * @see docs/compatibility.md#links-and-scope
 */
export function refuse(question: ScopeQuestion, plan: ScopePlan): Refusal | undefined {
  const site = new URL(plan.start)
  for (const { reason, asked, against } of guards) {
    if (!asked.includes(question.via)) continue
    const message = against(question, plan, site)
    if (message !== undefined) return { reason, message }
  }
  return undefined
}

/** @see docs/compatibility.md#links-and-scope */
function refuseElsewhere({ url, via, from }: ScopeQuestion, plan: ScopePlan, site: URL): string | undefined {
  const relation = relate(url, site)
  if (isOnSite(relation, plan)) return undefined
  const elsewhere = `${url.host} is not the host of the crawl, ${site.host}`
  if (!plan.allowExternalLinks) {
    return relation === 'same domain' ? `${elsewhere}; \`allowSubdomains\` follows such links` : elsewhere
  }
  // A page elsewhere that moves within its own domain is still the page that was linked.
  const cameFromSite = from === undefined || isOnSite(relate(from, site), plan)
  if (!cameFromSite && !(via === 'redirect' && relate(url, from) !== 'elsewhere')) {
    return `found on ${from.host}: other sites are followed one step, and no further`
  }
  return isHomePage(url) && cameFromSite ? `the home page of ${url.host}, another site` : undefined
}

/** Whether pages there are the crawl's own: their links are followed. */
export const isOnSite = (relation: SiteRelation, { allowSubdomains }: ScopePlan): boolean =>
  relation === 'same host' || (relation === 'same domain' && allowSubdomains)

/** What the patterns are searched in. */
export const searched = (url: URL, { regexOnFullURL }: ScopePlan): string => (regexOnFullURL ? url.href : url.pathname)

/** The extension of the last path segment, in lower case. */
const fileType = (url: URL): string | undefined => /\.([a-z0-9]+)$/i.exec(url.pathname)?.[1]?.toLowerCase()

const setOf = (...lists: readonly string[]): ReadonlySet<string> => new Set(lists.flatMap((types) => types.split(' ')))

/** Pictures: only an engine with an image parser reads them. */
const pictures = setOf('png jpg jpeg jfif gif webp avif bmp ico tif tiff heic heif jxl psd')

/** Types of file that hold no page: what no parser can make text of, and what belongs to the pages that name it. */
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
