import type { Rule } from '../../base/runtime/check-options.js'
import type { JobOutcome } from '../../kernel/job/job-hooks.js'
import { countPages, listGaps } from '../../kernel/job/site-coverage.js'

/** Facts that a run has found about a job. */
interface RunFacts {
  readonly status: JobOutcome
  /** Pages with an error status that says nothing about whether they exist. */
  readonly failing: number
  /** True if a start page gave no page: the site is then not seen at all. */
  readonly lacksStart: boolean
  /** The start page of the mirror, where this crawl began elsewhere. */
  readonly otherStart: string | undefined
  /** Pages that the crawl has read. */
  readonly pages: number
  /** Pages of the mirror that would be deleted, and those that it has. */
  readonly unseen: number
  readonly had: number
  /** Pages that would be deleted, and are not confirmed by an earlier crawl. */
  readonly doubted: number
  /** Time from which a crawl that does not find them is believed. Milliseconds since the epoch. */
  readonly confirmedAtMs: number
}

/** Reasons why pages stay. */
interface Gaps {
  /** Sentences; none for a crawl that saw all of its scope, and is believed. */
  readonly gaps: string[]
  /** True if the crawl saw all of its scope, and pages wait for a later one that does not find them either. */
  readonly waits: boolean
  /** True if the crawl saw all of its scope, be it another one than that of the mirror. */
  readonly sawScope: boolean
}

/** Default of `maxRemoved`. */
export const MAX_REMOVED = 0.5
/** Rule for `maxRemoved`. */
export const SHARE_RULE: Rule = {
  allowed: 'a share from 0 to 1',
  accepts: (value) => typeof value === 'number' && value >= 0 && value <= 1,
}
/**
 * Time after which a second crawl that does not find a page is believed, where the first one missed too many. Longer than maintenance
 * takes, and shorter than a day, so that the next night's crawl confirms that of this one. Milliseconds.
 */
export const CONFIRMED_AFTER_MS = 20 * 60 * 60 * 1000

/** Begins the warning of a job that could not read a part of its site. It is stored with the job. */
export const MISSED = 'Nothing is removed from the mirror'

/**
 * Finds the reasons why a crawl may not have seen the whole site, so that a page that it did not find may exist. An answer of the site
 * about a page itself (404, 410, a redirect) needs no crawl of the whole.
 *
 * @param maxRemoved share of the mirror that one crawl may remove; 0 for none, ever
 */
export function findGaps(facts: RunFacts, maxRemoved: number): Gaps {
  const { status, failing, lacksStart, otherStart, pages, unseen, had, doubted, confirmedAtMs } = facts
  const gaps = listGaps(status, { unread: failing, lacksStart }).map(
    (gap) => `${gap.replace(/^[a-z]/, (first) => first.toUpperCase())}.`,
  )
  if (status.warning?.includes(MISSED)) gaps.push(status.warning)
  const sawScope = gaps.length === 0
  if (otherStart !== undefined && unseen > 0)
    gaps.push(
      `The mirror was one of ${otherStart}: the next crawl from the new start page removes what it does not find.`,
    )
  if (gaps.length > 0 || maxRemoved === 1) return { gaps, waits: false, sawScope }
  if (unseen > 0 && maxRemoved === 0) {
    gaps.push(`${unseen} of ${countPages(had)} were not found: \`maxRemoved: 0\` keeps them.`)
    return { gaps, waits: false, sawScope }
  }
  if (unseen > 0 && pages === 1) {
    gaps.push(
      `The start page leads to no other page, and ${countPages(unseen)} of ${had} were not found: the site may be in maintenance. ` +
        '`maxRemoved: 1` removes them.',
    )
    return { gaps, waits: false, sawScope }
  }
  const waits = had > 1 && doubted > had * maxRemoved
  if (waits)
    gaps.push(
      `${unseen} of ${countPages(had)} were not found: the site may be in maintenance. A crawl after ` +
        `${new Date(confirmedAtMs).toISOString()} that does not find them either removes them; \`maxRemoved: 1\` does at once.`,
    )
  return { gaps, waits, sawScope }
}
