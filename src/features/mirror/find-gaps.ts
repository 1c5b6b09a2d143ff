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
  /** Pages of the mirror that would be deleted, and those that it has. */
  readonly unseen: number
  readonly had: number
}

/** Default of `maxRemoved`. */
export const MAX_REMOVED = 0.5
/** Rule for `maxRemoved`. */
export const SHARE_RULE: Rule = {
  allowed: 'a share from 0 to 1',
  accepts: (value) => typeof value === 'number' && value >= 0 && value <= 1,
}
/** Pages that a crawl may always remove. */
const ALWAYS_REMOVED = 10

/** Begins the warning of a job that could not read a part of its site. It is stored with the job. */
export const MISSED = 'Nothing is removed from the mirror'

/**
 * Finds the reasons why a crawl may not have seen the whole site, so that a page that it did not find may exist. An answer of the site
 * about a page itself (404, 410, a redirect) needs no crawl of the whole.
 *
 * @param maxRemoved share of the mirror that one crawl may remove
 * @returns sentences; none for a crawl that saw all of its scope
 */
export function findGaps({ status, failing, lacksStart, unseen, had }: RunFacts, maxRemoved: number): string[] {
  const gaps = listGaps(status, { unread: failing, lacksStart }).map(
    (gap) => `${gap.replace(/^[a-z]/, (first) => first.toUpperCase())}.`,
  )
  if (status.warning?.includes(MISSED)) gaps.push(status.warning)
  const isMuch = unseen > ALWAYS_REMOVED && unseen > had * maxRemoved
  if (gaps.length === 0 && isMuch)
    gaps.push(
      `${unseen} of ${countPages(had)} were not found: the site may be in maintenance. \`maxRemoved: 1\` removes them.`,
    )
  return gaps
}
