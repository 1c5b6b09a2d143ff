import { discoverSitemaps } from '../../frontier/sitemap/sitemap.js'
import type { SitemapEntry } from '../../frontier/sitemap/sitemap-finding.js'
import { refuse, type ScopePlan } from '../../frontier/scope/scope.js'
import type { UrlCandidate } from '../../ledger/ledger.js'
import { childScope, withoutFragment } from '../../url.js'
import { pageKey } from '../../frontier/duplicates/same-page.js'
import { yieldIfHeld } from '../../concurrency/yield-turn.js'
import type { JobContext } from '../job-strategy.js'

/** Entries admitted at once: enough to be quick, few enough to give other work its turn. */
const BATCH = 200

/** Sitemap pages come right after the start page, in the order of the site's files. */
export const SITEMAP_PLACE = -1

/**
 * Admits the pages that a site's sitemaps name, as fast as the job takes them up.
 *
 * @param look is shown each before it is admitted
 */
export async function readSitemaps(
  scope: ScopePlan,
  stage: JobContext,
  look?: (candidate: UrlCandidate) => void,
): Promise<void> {
  const start = new URL(scope.start)
  const findings = discoverSitemaps({
    start,
    scopePrefix: scope.crawlEntireDomain ? '/' : childScope(start),
    robotsSitemaps: await stage.robots.sitemapsOf(start.origin, stage.signal),
    get: stage.getFile,
    signal: stage.signal,
  })
  let batch: UrlCandidate[] = []
  let index = 0
  for await (const finding of findings) {
    if (finding.kind === 'page') {
      const candidates = toCandidate(finding, index++, scope)
      for (const candidate of candidates) look?.(candidate)
      batch.push(...candidates)
      await yieldIfHeld()
    } else if (!finding.isGuess) stage.warn(`The sitemap ${finding.sitemap} ${finding.problem}.`)
    if (batch.length < BATCH) continue
    await stage.admit(batch)
    batch = []
    await stage.awaitRoom()
  }
  await stage.admit(batch)
}

function toCandidate(entry: SitemapEntry, index: number, scope: ScopePlan): UrlCandidate[] {
  if (!URL.canParse(entry.url)) return []
  const url = withoutFragment(new URL(entry.url))
  const refused = refuse({ url, via: 'sitemap', depth: 0, from: new URL(scope.start) }, scope)
  return [
    {
      key: pageKey(url, scope),
      url: url.href,
      via: 'sitemap',
      depth: 0,
      foundOn: entry.from,
      place: [SITEMAP_PLACE, index],
      ...(entry.lastmod === undefined ? {} : { lastmod: entry.lastmod }),
      ...(entry.alternates === undefined ? {} : { alternates: entry.alternates }),
      ...(refused ? { refused } : {}),
    },
  ]
}
