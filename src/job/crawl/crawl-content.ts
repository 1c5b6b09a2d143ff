import type { Fingerprint } from '../../text/fingerprint/similarity.js'
import { type NearDuplicate, NearDuplicates } from '../../frontier/duplicates/near-duplicates.js'
import { Novelty } from '../../frontier/duplicates/novelty.js'
import { TrapGuard } from '../../frontier/duplicates/trap-guard.js'
import type { LedgerRow, Refusal } from '../../ledger/ledger.js'

/** An earlier page that a page is the same as, or nearly. */
export interface ContentLikeness {
  readonly duplicateOf: string
  /**
   * Whether both are one page by their canonical URLs. A canonical URL alone proves nothing (there are sites that name
   * their home page on every page), nor does content alone: both must agree.
   */
  readonly isOnePage: boolean
}

/** What is looked at of a page: plain data, so that it can be kept and looked at again. */
export interface ContentSight {
  /** The URL that answered. */
  readonly url: string
  readonly statusCode: number
  /** The key of the URL that the page names as its own. */
  readonly canonicalKey: string
  readonly fingerprint?: Fingerprint
  /** Of a page that was not read anew: by what its text was compared when it was. */
  readonly similarity?: string
}

/** What a crawl knows of the content that it has read: which pages repeat others, and which URLs only lead to repeats. */
export class CrawlContent {
  readonly #nearDuplicates = new NearDuplicates()
  readonly #novelty = new Novelty()
  readonly #traps = new TrapGuard()
  /** By order. */
  readonly #pages: { readonly url: string; readonly canonicalKey: string }[] = []

  /** Why a page is not worth fetching. To be asked once for each, just before it would be. */
  refuse(row: LedgerRow): Refusal | undefined {
    return row.attempts.length > 0 ? undefined : this.#traps.judge(asFound(row))
  }

  /** Notes that a URL only led to a page that was known, so that logins that lead back end as well. */
  noteRepeat(row: LedgerRow): void {
    this.#traps.report(asFound(row), { kind: 'same', times: Infinity, tiny: false })
  }

  /** Looks at a page and remembers it. */
  look(row: LedgerRow, sight: ContentSight): ContentLikeness | undefined {
    const { fingerprint, similarity, statusCode } = sight
    // A page that was not read anew.
    if (similarity !== undefined)
      return this.#liken(row, sight, this.#nearDuplicates.record(row.order ?? 0, similarity))
    // Error pages are all alike, and prove nothing.
    if (!fingerprint || statusCode < 200 || statusCode >= 300) return undefined
    const known = this.#nearDuplicates.record(row.order ?? 0, fingerprint.similarity)
    this.#traps.report(asFound(row), this.#novelty.classify(fingerprint, known?.times))
    return this.#liken(row, sight, known)
  }

  #liken(
    row: LedgerRow,
    { url, canonicalKey }: ContentSight,
    known: NearDuplicate | undefined,
  ): ContentLikeness | undefined {
    const order = row.order ?? 0
    const earlier = known && this.#pages[known.first]
    if (!earlier) {
      this.#pages[order] = { url, canonicalKey }
      return undefined
    }
    return { duplicateOf: earlier.url, isOnePage: canonicalKey === earlier.canonicalKey }
  }
}

/** A sitemap vouches for its pages, as the caller does for the start URL. */
const asFound = ({ url, via, foundOn }: LedgerRow): { url: string; foundOn?: string } =>
  via === 'link' && foundOn !== undefined ? { url, foundOn } : { url }
