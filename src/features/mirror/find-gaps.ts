import type { JobOutcome } from '../../kernel/job/job-hooks.js'

/** Facts that a run has found about a job. */
export interface RunFacts {
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
/** Pages that a crawl may always remove. */
const ALWAYS_REMOVED = 10

/** Begins the warning of a job that could not read a part of its site. It is stored with the job. */
export const MISSED = 'Nothing is removed from the mirror'

const count = (pages: number): string => `${pages} ${pages === 1 ? 'page' : 'pages'}`

/**
 * Finds the reasons why a crawl may not have seen the whole site, so that a page that it did not find may exist. An answer of the site
 * about a page itself (404, 410, a redirect) needs no crawl of the whole.
 *
 * @param maxRemoved share of the mirror that one crawl may remove
 * @returns sentences; none for a crawl that saw all of its scope
 */
export function findGaps({ status, ...facts }: RunFacts, maxRemoved: number): string[] {
  const { status: state, stoppedBy, failed, skippedByReason, error, warning } = status
  const gaps: string[] = []
  if (state !== 'completed') gaps.push(`The crawl was ${state}${error === undefined ? '' : `: ${error}`}.`)
  if (stoppedBy !== undefined) gaps.push(`The crawl was stopped by \`${stoppedBy}\`.`)
  const { LIMIT = 0, CANCELLED = 0 } = skippedByReason
  if (LIMIT > 0) gaps.push(`\`limit\` left ${count(LIMIT)} out.`)
  if (CANCELLED > 0 && state === 'completed') gaps.push(`${count(CANCELLED)} had no turn.`)
  const unread = failed + facts.failing
  if (unread > 0) gaps.push(`${count(unread)} could not be read: others may be found by their links alone.`)
  if (facts.lacksStart) gaps.push('The start page could not be read.')
  if (warning?.includes(MISSED)) gaps.push(warning)
  const isMuch = facts.unseen > ALWAYS_REMOVED && facts.unseen > facts.had * maxRemoved
  if (gaps.length === 0 && isMuch)
    gaps.push(
      `${facts.unseen} of ${count(facts.had)} were not found: the site may be in maintenance. \`maxRemoved: 1\` removes them.`,
    )
  return gaps
}
