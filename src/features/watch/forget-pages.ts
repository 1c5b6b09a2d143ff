import { crawlLimit, type WatchPlan } from './plan-watch.js'
import { crawlUnit, type LocatedFacts, PAGE_TARGET } from './watch-state.js'

/**
 * Finds the pages whose histories are deleted at the end of a check: those that no target owns any more, and of each crawl
 * the pages removed or no longer found that exceed its limit, oldest first.
 *
 * @param pages all pages of the watch
 * @returns their URLs
 */
export function findForgotten(plan: WatchPlan, pages: readonly LocatedFacts[]): readonly string[] {
  const urls = new Set(plan.urls)
  const left = new Map(plan.crawls.map((crawl) => [crawlUnit(crawl), crawlLimit(crawl)]))
  // Newest first, so that the oldest exceed the limit.
  const byAge = pages.toSorted((a, b) => b.check - a.check)
  return byAge.flatMap(({ url, target, isGone, isUnlisted, atMs }) => {
    if (urls.has(url)) return []
    const room = target === PAGE_TARGET ? undefined : left.get(target)
    if (room === undefined) return [url]
    if (!isGone && !isUnlisted && atMs !== undefined) return []
    left.set(target, room - 1)
    return room > 0 ? [] : [url]
  })
}

/**
 * Finds the pages that a crawl found before and does not find now, as many as its limit; those that waited longest first.
 *
 * @param number number of the check whose crawl has ended
 * @returns their URLs
 */
export function findMissing(
  { urls, crawl }: { readonly urls: readonly string[]; readonly crawl: WatchPlan['crawls'][number] },
  pages: readonly LocatedFacts[],
  number: number,
): readonly string[] {
  const unit = crawlUnit(crawl)
  return pages
    .filter(
      ({ url, target, check, isGone, isUnlisted, atMs }) =>
        target === unit && check !== number && !isGone && !isUnlisted && atMs !== undefined && !urls.includes(url),
    )
    .toSorted((a, b) => a.check - b.check)
    .slice(0, crawlLimit(crawl))
    .map(({ url }) => url)
}
