import { discoverSitemaps, sitemapLimits } from '../../frontier/sitemap/sitemap.js'
import { SitemapWarnings } from '../../frontier/sitemap/sitemap-warnings.js'
import { describeUnsearched, findUnreadRobots } from '../../frontier/sitemap/unread-robots.js'
import type { CrawlPlan } from '../../plan/crawl-plan.js'
import type { SitemapEntry } from '../../../content/sitemap/sitemap-finding.js'
import { refuse, type ScopePlan, type ScopeSite } from '../../frontier/scope/scope.js'
import type { UrlCandidate } from '../../ledger/ledger.js'
import { withoutFragment, parseUrl } from '../../../base/url.js'
import { pageKey } from '../../frontier/duplicates/same-page.js'
import { yieldIfHeld } from '../../../base/concurrency/yield-turn.js'
import type { JobContext } from '../job-context.js'

/** Entries admitted at once: large enough for speed, small enough to let other work run in between. */
const BATCH_SIZE = 200

/** First number in the queue position of pages from sitemaps: after the start page, before all links. */
export const SITEMAP_POSITION = -1

/** Parameters of reading a site's sitemaps. */
interface ReadOptions {
  readonly use: 'include' | 'only'
  readonly robots: CrawlPlan['robots']
  readonly scope: ScopePlan
  /** Site whose sitemaps are read. */
  readonly site: ScopeSite
  /** Pages that the crawl may have. */
  readonly limit: number
  /** Called with each candidate and its index; returns the candidate to admit. */
  onCandidate(candidate: UrlCandidate, index: number): UrlCandidate
}

/** Entries of a sitemap read for each page that the crawl may have: many may be out of scope. */
const ENTRIES_A_PAGE = 10

/**
 * Admits the pages listed in a site's sitemaps, waiting while the queue is full. While robots.txt cannot be read, none is requested: nothing
 * is allowed then.
 *
 * @see RFC 9309 section 2.3.1.4
 */
export async function readSitemaps(
  { use, robots, scope, site, limit, onCandidate }: ReadOptions,
  context: JobContext,
): Promise<void> {
  const { start, folders } = site
  const unread = await findUnreadRobots(start, robots, context.tools.robots, context.signal)
  if (unread !== undefined) {
    context.warn(describeUnsearched(start, unread))
    return
  }
  const findings = discoverSitemaps({
    start,
    folders,
    allowSubdomains: scope.allowSubdomains,
    robotsSitemaps: await context.tools.robots.sitemapsOf(start.origin, context.signal),
    get: context.getFile,
    signal: context.signal,
    limits: { fileEntries: Math.max(sitemapLimits.fileEntries, ENTRIES_A_PAGE * limit) },
  })
  const warnings = new SitemapWarnings(start, use, (message) => context.warn(message))
  let batch: UrlCandidate[] = []
  let index = 0
  for await (const finding of findings) {
    warnings.add(finding)
    if (finding.kind === 'problem' && finding.isFailure)
      for (const hook of context.hooks) hook.missed?.(`The sitemap ${finding.sitemap} ${finding.problem}`)
    if (finding.kind === 'page') {
      const at = index++
      batch.push(...toCandidate(finding, at, scope, start).map((candidate) => onCandidate(candidate, at)))
      await yieldIfHeld()
    }
    if (batch.length < BATCH_SIZE) continue
    await context.admit(batch)
    batch = []
    await context.awaitCapacity()
  }
  warnings.conclude()
  await context.admit(batch)
}

function toCandidate(entry: SitemapEntry, index: number, scope: ScopePlan, start: URL): UrlCandidate[] {
  const parsed = parseUrl(entry.url)
  if (!parsed) return []
  const url = withoutFragment(parsed)
  const refused = refuse({ url, via: 'sitemap', depth: 0, from: start }, scope)
  return [
    {
      key: pageKey(url, scope),
      url: url.href,
      via: 'sitemap',
      depth: 0,
      foundOn: entry.from,
      place: [SITEMAP_POSITION, index],
      lastmod: entry.lastmod,
      alternates: entry.alternates,
      refused,
    },
  ]
}
