import type { LedgerRow, Refusal, UrlCandidate } from '../../ledger/ledger.js'
import type { JobContext } from '../job-context.js'
import { refuseDuplicate } from './crawl-content.js'

/** Refuses a page that was fetched only for its links. */
export const LINKS_ONLY: Refusal = {
  reason: 'INCLUDE_PATTERN',
  message: 'fetched only for its links: `discoverThrough`',
}

/** Decides which row keeps a page that several rows of a crawl lead to by redirects: the first one whose page arrives. */
export class RedirectTargets {
  /** Keys of rows whose page has arrived under their own URL. Such a row may stay active until much later. */
  readonly #arrived = new Set<string>()
  /** Refusals of rows whose page has arrived by a redirect of another row first. */
  readonly #refusals = new Map<string, Refusal>()

  /** Refuses a row whose page has arrived by a redirect of another row, so that it needs no request of its own. */
  refuse({ key }: Pick<LedgerRow, 'key'>): Refusal | undefined {
    return this.#refusals.get(key)
  }

  /** Records that the page of a row has arrived under its own URL. @returns the row */
  addArrival(row: LedgerRow): LedgerRow {
    this.#arrived.add(row.key)
    return row
  }

  /**
   * Claims the URL at which the page of a row has arrived.
   *
   * @param target the URL, refused if a link to it would be
   * @returns the refusal of the row when another row has the page; else the row, with the depth of the claimed one if that is
   * smaller, so that no link of the page is too deep that was not
   */
  async claim(
    row: LedgerRow,
    target: Pick<UrlCandidate, 'key' | 'url' | 'refused'>,
    context: JobContext,
  ): Promise<Refusal | LedgerRow> {
    const refused = refuseClaimed(row.url)
    const { depth, url: foundOn } = row
    const candidate = { ...target, via: 'redirect', depth, foundOn } as const
    // The page is wanted as a document, which was not made of it: it gets a row of its own.
    const isMissing = row.linksOnly === true && !target.refused
    if (isMissing && (await context.admit([candidate])).length > 0) return LINKS_ONLY
    const claim = await context.claim({ ...candidate, refused })
    // The same row claimed the URL in an earlier process, which ended before the row did.
    if (claim.outcome !== 'taken' || claim.row.refusal?.message === refused.message) return row
    if (!this.#isOpen(claim.row, row))
      return refuseDuplicate(`redirects to ${target.url}, which this crawl has already found`)
    this.#refusals.set(target.key, refused)
    return claim.row.depth < depth ? { ...row, depth: claim.row.depth } : row
  }

  /** Restores the claims of an earlier process. @param rows all rows of the crawl */
  restore(rows: readonly LedgerRow[], keyOf: (url: URL) => string): void {
    for (const { key, url, outcome, finalUrl } of rows) {
      if (outcome !== 'done' || finalUrl === undefined) continue
      const target = keyOf(new URL(finalUrl))
      if (target !== key) this.#refusals.set(target, refuseClaimed(url))
    }
  }

  /** Tests for a row that has no page, in whose place the crawl can use that of another one. */
  #isOpen(other: LedgerRow, row: LedgerRow): boolean {
    const { key, outcome } = other
    if (this.#refusals.has(key)) return false
    if (outcome !== 'queued' && outcome !== 'active') return outcome === 'failed'
    return !this.#arrived.has(key) && canReplace(row, other)
  }
}

const refuseClaimed = (url: string): Refusal => refuseDuplicate(`scraped as ${url}, which redirects here`)

/** Tests that the crawl loses neither a document nor links when the page of a row replaces that of another. */
const canReplace = (row: LedgerRow, other: LedgerRow): boolean =>
  (!row.linksOnly || other.linksOnly === true) && (row.via !== 'previous' || other.via === 'previous')
