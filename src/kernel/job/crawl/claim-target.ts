import type { LedgerRow, Refusal } from '../../ledger/ledger.js'
import type { JobContext } from '../job-context.js'
import { withoutCredentials } from '../../../base/url.js'
import { refuseDuplicate } from './crawl-content.js'

/** Refuses a page that was fetched only for its links. */
export const LINKS_ONLY: Refusal = {
  reason: 'INCLUDE_PATTERN',
  message: 'fetched only for its links: `discoverThrough`',
}

const LEADS_ELSEWHERE = 'redirects to '

const leadsHere = (url: string): string => `scraped as ${url}, which redirects here`

/** Finds the URL that a page claimed at its redirect, also one whose row has not ended. */
export const findClaimed = (rows: readonly LedgerRow[], url: string): string | undefined =>
  rows.find(({ refusal }) => refusal?.reason === 'DUPLICATE' && refusal.message === leadsHere(url))?.url

/**
 * Claims for a row the URL at which its page has arrived.
 *
 * @param target the URL, refused if a link to it would be
 * @returns the refusal of the row when the page belongs to another row
 */
export async function claimTarget(
  row: LedgerRow,
  target: { readonly key: string; readonly url: string; readonly refused?: Refusal },
  context: JobContext,
): Promise<Refusal | undefined> {
  const candidate = { ...target, via: 'redirect', depth: row.depth, foundOn: row.url } as const
  // The page is wanted as a document, which is not made of one fetched for its links: it gets a row of its own.
  const isMissing = row.linksOnly === true && !target.refused
  if (isMissing && (await context.admit([candidate])).length > 0) return LINKS_ONLY
  // The URL of a page is without the user name that it was requested with.
  const isMoved = withoutCredentials(new URL(row.url)).href !== target.url
  const refused = refuseDuplicate(isMoved ? leadsHere(row.url) : `scraped as ${row.url}, which adds a user name`)
  const claim = await context.claim({ ...candidate, refused })
  if (claim.outcome !== 'taken') return undefined
  const { outcome, refusal } = claim.row
  // The request of the other row failed, or led elsewhere, as of two pages that redirect to each other: this page is then kept.
  if (outcome === 'failed' || refusal?.message.startsWith(LEADS_ELSEWHERE)) return undefined
  // The same row claimed the URL in an earlier process, which ended before the row did.
  if (refusal?.message === refused.message) return undefined
  const relation = isMoved ? LEADS_ELSEWHERE : 'adds a user name to '
  return refuseDuplicate(`${relation}${target.url}, which this crawl has already found`)
}
