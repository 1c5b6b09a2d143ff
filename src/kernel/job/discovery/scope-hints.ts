import { foldersOf, patternTarget, type ScopePlan, startOf } from '../../frontier/scope/scope.js'
import type { LedgerReader, SkipReason } from '../../ledger/ledger.js'
import { yieldIfHeld } from '../../../base/concurrency/yield-turn.js'

export const START_REFUSED_BY_ROBOTS = 'robots.txt refuses the start URL: `ignoreRobotsTxt` crawls it nevertheless.'

/** Facts about a planned crawl, or about one that found little. */
interface ScopeFacts {
  readonly scope: ScopePlan
  /** Pages scraped; for a planned crawl, pages to scrape. */
  readonly pages: number
  /** Number of refused URLs by reason. */
  readonly refused: Readonly<Partial<Record<SkipReason, number>>>
  /** Reason why the crawl's rules refuse the start URL itself. */
  readonly startRefused: SkipReason | undefined
  /** True if the text of a page was not found: its links may not have been found either. @default false */
  readonly isUnread?: boolean
  /** Start URL that was asked for. @default that of the scope */
  readonly asked?: URL
}

/** Suggests options to change, most likely first. */
export function suggestScopeChanges({
  scope,
  pages,
  refused,
  startRefused,
  isUnread = false,
  asked,
}: ScopeFacts): string[] {
  const hints: string[] = []
  const path = new URL(scope.start).pathname
  const places = [path, ...foldersOf(scope).slice(1)].join(' or ')
  if (startRefused === 'ROBOTS_TXT') hints.push(START_REFUSED_BY_ROBOTS)
  if (startRefused === 'INCLUDE_PATTERN') {
    hints.push('The start URL matches no `includePaths`: it gives no document.')
  }
  if (startRefused === 'EXCLUDE_PATTERN') hints.push('The start URL matches `excludePaths`: it gives no document.')
  if (pages > 1) return hints
  const { host } = startOf(scope)
  if (asked !== undefined && asked.host !== host) hints.push(`The start URL leads to ${host}, whose pages are crawled.`)
  // The start is among the refused URLs; a hint of its own tells of it.
  const countOthers = (reason: SkipReason): number => (refused[reason] ?? 0) - (startRefused === reason ? 1 : 0)
  const above = countOthers('BACKWARD_CRAWLING')
  if (above > 0) {
    hints.push(
      `${countPages(above, 'is', 'are')} not below ${places}: set \`crawlEntireDomain\`, or start from a higher path.`,
    )
  }
  const unmatched = countOthers('INCLUDE_PATTERN')
  if (unmatched > 0) {
    hints.push(
      `${countPages(unmatched, 'matches', 'match')} no \`includePaths\`: \`discoverThrough\` fetches such pages for their links.`,
    )
  }
  const elsewhere = countOthers('EXTERNAL_LINK')
  if (elsewhere > 0 && above + unmatched === 0) {
    hints.push(
      `${countPages(elsewhere, 'is', 'are')} on other hosts: see \`allowSubdomains\` and \`allowExternalLinks\`.`,
    )
  }
  const excluded = countOthers('EXCLUDE_PATTERN')
  if (excluded > 0) hints.push(`${countPages(excluded, 'matches', 'match')} \`excludePaths\`.`)
  // No other URL was found: the links may lie on a higher path.
  if (
    hints.length === 0 &&
    !isUnread &&
    path !== '/' &&
    !scope.crawlEntireDomain &&
    Object.keys(refused).length === 0
  ) {
    hints.push(
      `Nothing else was found from ${places}: start from a higher path, if necessary with \`crawlEntireDomain\`.`,
    )
  }
  return hints
}

/** Counts URLs that links or sitemaps named. */
const countPages = (count: number, one: string, many: string): string =>
  count === 1 ? `1 page that was found ${one}` : `${count} pages that were found ${many}`

/** Rows read at once. */
const BATCH_SIZE = 500

/**
 * Tells of pages that `includePaths` names, and that are above the folders of the crawl: it leaves them out. For a crawl of several
 * pages; one of a page alone has a hint.
 */
export async function describeNamedAbove(
  scope: ScopePlan,
  ledger: Pick<LedgerReader<never>, 'counts' | 'rows'>,
  cancelled: AbortSignal,
): Promise<string | undefined> {
  const { done, skippedByReason } = await ledger.counts()
  if (done <= 1 || skippedByReason.BACKWARD_CRAWLING === undefined) return undefined
  let count = 0
  for (let after: string | undefined, isLast = false; !isLast;) {
    const rows = await ledger.rows({ outcome: 'skipped', reason: 'BACKWARD_CRAWLING', after, limit: BATCH_SIZE })
    count += rows.filter(({ url }) => isNamed(new URL(url), scope)).length
    after = rows.at(-1)?.key
    isLast = rows.length < BATCH_SIZE
    await yieldIfHeld()
    // A part of the count would say too little.
    if (cancelled.aborted) return undefined
  }
  if (count === 0) return undefined
  const pages = countPages(count, 'is named by `includePaths`, but', 'are named by `includePaths`, but')
  return `${pages} not below ${foldersOf(scope).join(' or ')}: \`crawlEntireDomain\` crawls them as well.`
}

const isNamed = (url: URL, scope: ScopePlan): boolean => {
  const text = patternTarget(url, scope)
  return (
    scope.includePaths.some((pattern) => pattern.test(text)) &&
    !scope.excludePaths.some((pattern) => pattern.test(text))
  )
}
