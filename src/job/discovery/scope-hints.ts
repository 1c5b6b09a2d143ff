import type { ScopePlan } from '../../frontier/scope/scope.js'
import type { SkipReason } from '../../ledger/ledger.js'

export const START_REFUSED_BY_ROBOTS = 'robots.txt refuses the start URL: `ignoreRobotsTxt` crawls it nevertheless.'

/** Facts about a planned crawl, or about one that found little. */
export interface ScopeFacts {
  readonly scope: ScopePlan
  /** Pages scraped; for a planned crawl, pages to scrape. */
  readonly pages: number
  /** Number of refused URLs by reason. */
  readonly refused: Readonly<Partial<Record<SkipReason, number>>>
  /** Reason why the crawl's rules refuse the start URL itself. */
  readonly startRefused: SkipReason | undefined
}

/** Suggests options to change, most likely first. */
export function suggestScopeChanges({ scope, pages, refused, startRefused }: ScopeFacts): string[] {
  const hints: string[] = []
  const path = new URL(scope.start).pathname
  if (startRefused === 'ROBOTS_TXT') hints.push(START_REFUSED_BY_ROBOTS)
  if (startRefused === 'INCLUDE_PATTERN') {
    hints.push(
      'The start URL matches no `includePaths`: it gives no document, and only pages linked from it are found.',
    )
  }
  if (startRefused === 'EXCLUDE_PATTERN') hints.push('The start URL matches `excludePaths`: it gives no document.')
  if (pages > 1) return hints
  const above = refused.BACKWARD_CRAWLING ?? 0
  if (above > 0) {
    hints.push(`${above} linked pages are not below ${path}: set \`crawlEntireDomain\`, or start from a higher path.`)
  }
  const unmatched = refused.INCLUDE_PATTERN ?? 0
  if (unmatched > 0) {
    hints.push(
      `${unmatched} linked pages match no \`includePaths\`: \`discoverThrough\` fetches such pages for their links.`,
    )
  }
  const elsewhere = refused.EXTERNAL_LINK ?? 0
  if (elsewhere > 0 && above + unmatched === 0) {
    hints.push(`${elsewhere} links lead to other hosts: see \`allowSubdomains\` and \`allowExternalLinks\`.`)
  }
  // No other URL was found: the links may lie on a higher path.
  if (hints.length === 0 && path !== '/' && !scope.crawlEntireDomain && Object.keys(refused).length === 0) {
    hints.push(
      `Nothing else was found from ${path}: start from a higher path, if necessary with \`crawlEntireDomain\`.`,
    )
  }
  return hints
}
