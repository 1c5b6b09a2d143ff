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
  /** Pages of the mirror that were not found, and those that answered 404 or 410. */
  readonly unseen: number
  readonly gone: number
  /** Pages that the mirror has. */
  readonly had: number
  /** Pages of both kinds that are not confirmed by an earlier crawl, and those of them that answered. */
  readonly doubted: number
  readonly doubtedGone: number
  /** Time from which a crawl that does not find them is believed. Milliseconds since the epoch. */
  readonly confirmedAtMs: number
}

/** Reasons why pages stay. */
export interface Gaps {
  /** Sentences; none for a crawl that saw all of its scope, and is believed. */
  readonly gaps: string[]
  /** True if the crawl saw all of its scope, and pages wait for a later one that does not find them either. */
  readonly waits: boolean
  /** True if pages that answered 404 or 410 stay, because they are too many at once. */
  readonly keepsGone: boolean
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
 * about a page itself (404, 410, a redirect) needs no crawl of the whole. But a site that is broken answers 404 for every page: what
 * is too much at once is believed of neither.
 *
 * @param maxRemoved share of the mirror that one crawl may remove; 0 for none, ever
 */
export function findGaps(facts: RunFacts, maxRemoved: number): Gaps {
  const { status, failing, lacksStart, otherStart, pages, unseen, gone, had } = facts
  const gaps = listGaps(status, { unread: failing, lacksStart }).map(
    (gap) => `${gap.replace(/^[a-z]/, (first) => first.toUpperCase())}.`,
  )
  if (status.warning?.includes(MISSED)) gaps.push(status.warning)
  const sawScope = gaps.length === 0
  if (otherStart !== undefined && unseen > 0)
    gaps.push(
      `The mirror was one of ${otherStart}: the next crawl from the new start page removes what it does not find.`,
    )
  if (maxRemoved === 1) return { gaps, waits: false, keepsGone: false, sawScope }
  if (maxRemoved === 0) {
    if (gaps.length === 0 && unseen > 0)
      gaps.push(`${unseen} of ${countPages(had)} were not found: \`maxRemoved: 0\` keeps them.`)
    if (gone > 0) gaps.push(`${gone} of ${countPages(had)} answered 404 or 410: \`maxRemoved: 0\` keeps them.`)
    return { gaps, waits: false, keepsGone: gone > 0, sawScope }
  }
  if (gaps.length === 0 && unseen > 0 && pages === 1)
    gaps.push(
      `The start page leads to no other page, and ${countPages(unseen)} of ${had} were not found: the site may be in maintenance. ` +
        '`maxRemoved: 1` removes them.',
    )
  // What was not found stays in any case where the crawl has a gap.
  const removable = gaps.length === 0 ? facts.doubted : facts.doubtedGone
  const isTooMuch = removable > had * maxRemoved && (had > 1 || gone > 0)
  // Without its start page a site tells nothing of the others.
  const isHeadless = lacksStart && facts.doubtedGone > 0
  if (!isTooMuch && !isHeadless) return { gaps, waits: false, keepsGone: false, sawScope }
  const waits = gaps.length === 0 && unseen > 0
  gaps.push(describeTooMany(facts, waits))
  return { gaps, waits, keepsGone: gone > 0, sawScope }
}

/** Says what is too much to be removed at once, and what removes it. */
function describeTooMany({ unseen, gone, had, confirmedAtMs }: RunFacts, waits: boolean): string {
  const time = new Date(confirmedAtMs).toISOString()
  const outOf = `of ${countPages(had)}`
  if (gone === 0)
    return (
      `${unseen} ${outOf} were not found: the site may be in maintenance. A crawl after ${time} that does not find them either ` +
      'removes them; `maxRemoved: 1` does at once.'
    )
  const others = waits ? `, and ${unseen} were not found` : ''
  return (
    `${gone} ${outOf} answered 404 or 410${others}: the site may be broken. A crawl after ${time} that has the same answers removes ` +
    'them; `maxRemoved: 1` does at once.'
  )
}
