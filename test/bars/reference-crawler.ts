import { type ReferencePage, ReferenceReader } from './reference-reader.js'
import { readRobots, readSitemaps } from './reference-site-files.js'

/** The rules of a crawl that say which pages belong to it, under the names of the interface. */
export interface CrawlRules {
  readonly url: string
  readonly includePaths?: readonly string[]
  readonly excludePaths?: readonly string[]
  readonly regexOnFullURL?: boolean
  readonly crawlEntireDomain?: boolean
  readonly maxDiscoveryDepth?: number
  /** Version 1: most segments of a path. */
  readonly maxDepth?: number
  readonly ignoreQueryParameters?: boolean
  readonly deduplicateSimilarURLs?: boolean
  /** As many pages as there are may be fetched for their links alone: the reference does not count them. */
  readonly discoverThrough?: number
  /** @default 'skip' */
  readonly sitemap?: 'include' | 'skip' | 'only'
}

/** Files that hold no page, by the end of their name. @see docs/compatibility/crawls.md#links-and-scope, and README for what no parser can read */
const NO_PAGES = new Set(
  `png jpg jpeg gif webp avif bmp ico svg tif tiff heic mp3 m4a wav ogg oga opus flac aac mp4 m4v mov avi flv wmv mkv webm
  ogv mpg mpeg woff woff2 ttf otf eot css js mjs wasm inc zip gz tgz bz2 xz zst tar rar 7z jar exe dll msi dmg pkg deb rpm
  apk iso bin`.split(/\s+/),
)

/** What there was to be found. */
export interface ReferenceCrawl {
  /** The {@link identify identity} of every page that belongs to the crawl; of those that are the same, the first. */
  readonly pages: ReadonlySet<string>
  /** Every web address that the pages of the crawl link to, and the start. */
  readonly links: ReadonlySet<string>
  /** Which of the `pages` this URL stands for; its own identity if none. */
  readonly standsFor: (url: string) => string
}

/**
 * The pages that a crawl has to scrape, found a second time by other means: level by level, one page after another in
 * the order of their links, from the written rules alone. Nothing of `src/` is in it, so that an error made there is
 * not made here again.
 *
 * @param reader keeps what it has read for the next crawl of the same site; closed by who opened it
 */
export async function referenceCrawl(rules: CrawlRules, reader?: ReferenceReader): Promise<ReferenceCrawl> {
  const ownReader = reader ?? new ReferenceReader()
  try {
    return await crawl(rules, ownReader)
  } finally {
    if (!reader) ownReader.close()
  }
}

/** A URL whose turn comes. */
interface Turn {
  readonly url: URL
  readonly isStart?: true
  /** Only its links are wanted. */
  readonly isThrough?: boolean
}

async function crawl(rules: CrawlRules, reader: ReferenceReader): Promise<ReferenceCrawl> {
  const start = new URL(rules.url)
  const { sitemap = 'skip' } = rules
  const robots = await readRobots(start.origin, reader)
  const seen = new Set([identify(start, rules)])
  const found = new Set([start.href])
  const pages = new Set<string>()
  const firsts = new Map<string, string>()
  const standsFor = new Map<string, string>()

  /** The URL's turn, unless it had one or does not belong. */
  const admit = (url: URL, isLink: boolean): Turn[] => {
    const key = identify(url, rules)
    if (seen.has(key) || !belongs(url, start, rules) || !robots.allows(url)) return []
    const isWanted = isIncluded(url, rules)
    if (!isWanted && !(isLink && rules.discoverThrough)) return []
    seen.add(key)
    return [{ url, isThrough: !isWanted }]
  }

  const keep = (url: URL, { canonical, content, isSuccess }: ReferencePage): void => {
    const identity = identify(url, rules)
    const own = canonical === undefined ? undefined : new URL(canonical)
    const named = own && isOnHost(own, url) ? identify(own, rules) : identity
    const same = isSuccess ? `${named} ${content}` : identity
    const first = firsts.get(same) ?? identity
    firsts.set(same, first)
    standsFor.set(identity, first)
    pages.add(first)
  }

  let level: Turn[] = robots.allows(start) ? [{ url: start, isStart: true }] : []
  if (sitemap !== 'skip') {
    const below = rules.crawlEntireDomain ? '/' : start.pathname.slice(0, start.pathname.lastIndexOf('/') + 1)
    const places = [...robots.sitemaps, `${start.origin}${below}sitemap.xml`, `${start.origin}/sitemap.xml`]
    for (const url of await readSitemaps(places, reader)) level.push(...admit(url, false))
  }
  for (let depth = 0; level.length > 0; depth += 1) {
    const next: Turn[] = []
    const answers = await inTurn(level, async (turn) => ({ turn, page: await reader.read(turn.url.href) }))
    for (const { turn, page } of answers) {
      const url = new URL(page.url)
      // A redirect to a place on a page leads to the page.
      if (!/^#!?\/./.test(url.hash)) url.hash = ''
      const identity = identify(url, rules)
      const hasMoved = identity !== identify(turn.url, rules)
      if (hasMoved && !turn.isStart && (seen.has(identity) || !isOnHost(url, start) || isExcluded(url, rules))) continue
      // robots.txt is asked about the target of a redirect as well.
      if (hasMoved && isOnHost(url, start) && !robots.allows(url)) continue
      seen.add(identity)
      const isWanted = turn.isStart ? isIncluded(url, rules) && !isExcluded(url, rules) : !turn.isThrough
      if (isWanted && page.isReadable) keep(url, page)
      for (const href of sitemap === 'only' ? [] : page.links) {
        if (!href.startsWith('http')) continue
        found.add(href)
        if (depth < (rules.maxDiscoveryDepth ?? Infinity)) next.push(...admit(new URL(href), true))
      }
    }
    level = next
  }
  const toPage = (url: string): string => {
    const identity = identify(new URL(url), rules)
    return standsFor.get(identity) ?? identity
  }
  return { pages, links: found, standsFor: toPage }
}

/** What makes two URLs one page. @see docs/compatibility/crawls.md#same-page */
export function identify(url: URL, rules: CrawlRules): string {
  const { host, pathname, search, hash, protocol } = url
  const query = rules.ignoreQueryParameters ? '' : search
  const route = /^#!?\/./.test(hash) ? hash : ''
  if (rules.deduplicateSimilarURLs === false) return `${protocol}//${host}${pathname}${query}${route}`
  const segments = pathname.split('/')
  if (['index.html', 'index.php'].includes(segments.at(-1) ?? '')) segments.pop()
  if (segments.at(-1) === '') segments.pop()
  return `${host.replace(/^www\./, '')}${segments.join('/')}${query}${route}`
}

const isOnHost = (url: URL, start: URL): boolean =>
  /^https?:$/.test(url.protocol) && url.host.replace(/^www\./, '') === start.host.replace(/^www\./, '')

/** Whether a URL may be fetched, whatever `includePaths` says. @see docs/compatibility/crawls.md#links-and-scope */
function belongs(url: URL, start: URL, rules: CrawlRules): boolean {
  if (!isOnHost(url, start)) return false
  const name = url.pathname.slice(url.pathname.lastIndexOf('/') + 1)
  if (name.includes('.') && NO_PAGES.has(name.slice(name.lastIndexOf('.') + 1).toLowerCase())) return false
  const segments = url.pathname.split('/').filter((part) => !['', 'index.html', 'index.php'].includes(part))
  if (segments.length > (rules.maxDepth ?? Infinity)) return false
  if (!rules.crawlEntireDomain && !isChild(url.pathname, start.pathname)) return false
  return !isExcluded(url, rules)
}

function isChild(path: string, start: string): boolean {
  const folder = /\.[a-z0-9]{2,}$/i.test(start) ? start.slice(0, start.lastIndexOf('/') + 1) : start
  if (folder.endsWith('/')) return path.startsWith(folder)
  return path === folder || path.startsWith(`${folder}/`)
}

const isFound = (patterns: readonly string[], url: URL, { regexOnFullURL }: CrawlRules): boolean =>
  patterns.some((pattern) => new RegExp(pattern).test(regexOnFullURL ? url.href : url.pathname))

const isExcluded = (url: URL, rules: CrawlRules): boolean => isFound(rules.excludePaths ?? [], url, rules)

const isIncluded = (url: URL, rules: CrawlRules): boolean =>
  !rules.includePaths?.length || isFound(rules.includePaths, url, rules)

/** Does a thing for each item, four at a time, and gives the results in the items' order. */
async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let from = 0; from < items.length; from += 4) {
    results.push(...(await Promise.all(items.slice(from, from + 4).map(work))))
  }
  return results
}
