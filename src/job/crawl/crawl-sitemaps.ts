import { discoverSitemaps } from '../../frontier/sitemap/sitemap.js'
import type { SitemapEntry } from '../../frontier/sitemap/sitemap-finding.js'
import { refuse, type ScopePlan } from '../../frontier/scope/scope.js'
import type { UrlCandidate } from '../../ledger/ledger.js'
import { childScope, withoutFragment, parseUrl } from '../../url.js'
import { pageKey } from '../../frontier/duplicates/same-page.js'
import { yieldIfHeld } from '../../concurrency/yield-turn.js'
import type { JobContext } from '../job-context.js'

/** Entries admitted at once: large enough for speed, small enough to let other work run in between. */
const BATCH_SIZE = 200

/** First number in the queue position of pages from sitemaps: after the start page, before all links. */
export const SITEMAP_POSITION = -1

/**
 * Admits the pages listed in a site's sitemaps, waiting while the queue is full.
 *
 * @param onCandidate called with each candidate and its index; returns the candidate to admit
 */
export async function readSitemaps(
  scope: ScopePlan,
  context: JobContext,
  onCandidate: (candidate: UrlCandidate, index: number) => UrlCandidate,
): Promise<void> {
  const start = new URL(scope.start)
  const findings = discoverSitemaps({
    start,
    scopePrefix: scope.crawlEntireDomain ? '/' : childScope(start),
    robotsSitemaps: await context.tools.robots.sitemapsOf(start.origin, context.signal),
    get: context.getFile,
    signal: context.signal,
  })
  let batch: UrlCandidate[] = []
  let index = 0
  for await (const finding of findings) {
    if (finding.kind === 'page') {
      const at = index++
      batch.push(...toCandidate(finding, at, scope).map((candidate) => onCandidate(candidate, at)))
      await yieldIfHeld()
    } else if (!finding.isGuess) context.record.warnings.add(`The sitemap ${finding.sitemap} ${finding.problem}.`)
    if (batch.length < BATCH_SIZE) continue
    await context.admit(batch)
    batch = []
    await context.awaitCapacity()
  }
  await context.admit(batch)
}

function toCandidate(entry: SitemapEntry, index: number, scope: ScopePlan): UrlCandidate[] {
  const parsed = parseUrl(entry.url)
  if (!parsed) return []
  const url = withoutFragment(parsed)
  const refused = refuse({ url, via: 'sitemap', depth: 0, from: new URL(scope.start) }, scope)
  return [
    {
      key: pageKey(url, scope),
      url: url.href,
      via: 'sitemap',
      depth: 0,
      foundOn: entry.from,
      place: [SITEMAP_POSITION, index],
      ...(entry.lastmod === undefined ? {} : { lastmod: entry.lastmod }),
      ...(entry.alternates === undefined ? {} : { alternates: entry.alternates }),
      ...(refused ? { refused } : {}),
    },
  ]
}
