import { type Likeness, NearDuplicates } from '../frontier/near-duplicates.js'
import { Novelty } from '../frontier/novelty.js'
import { TrapGuard } from '../frontier/trap-guard.js'
import type { LedgerRow, Refusal } from '../ledger/ledger.js'
import type { ScrapedPage } from '../pipeline.js'

/** An earlier page that a page is the same as, or nearly. */
export interface ContentLikeness {
  readonly duplicateOf: string
  /**
   * Whether both are one page by their canonical URLs. A canonical URL alone proves nothing (there are sites that name
   * their home page on every page), nor does content alone: both must agree.
   */
  readonly isOnePage: boolean
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
  look(row: LedgerRow, { document, fingerprint }: ScrapedPage, canonicalKey: string): ContentLikeness | undefined {
    const { statusCode, url } = document.metadata
    // Error pages are all alike, and prove nothing.
    if (!fingerprint || statusCode < 200 || statusCode >= 300) return undefined
    const known = this.#nearDuplicates.see(row.order ?? 0, fingerprint.similarity)
    this.#traps.report(asFound(row), this.#novelty.look(fingerprint, known?.times))
    return this.#liken(row, url, known, canonicalKey)
  }

  /** The same for a page that was not read anew. @param similarity by which its text was compared when it was */
  recognise(row: LedgerRow, url: string, similarity: string, canonicalKey: string): ContentLikeness | undefined {
    return this.#liken(row, url, this.#nearDuplicates.see(row.order ?? 0, similarity), canonicalKey)
  }

  #liken(row: LedgerRow, url: string, known: Likeness | undefined, canonicalKey: string): ContentLikeness | undefined {
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
