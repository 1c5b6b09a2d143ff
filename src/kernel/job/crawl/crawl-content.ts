import { RecentMap } from '../../../base/collections/recent-map.js'
import type { Fingerprint } from '../../../base/text/fingerprint/similarity.js'
import { type NearDuplicate, NearDuplicates } from '../../../base/text/fingerprint/near-duplicates.js'
import { Novelty } from '../../frontier/duplicates/novelty.js'
import { TrapGuard } from '../../frontier/duplicates/trap-guard.js'
import type { LedgerRow, Refusal } from '../../ledger/ledger.js'
import type { ScrapedPage } from '../../page/pipeline.js'

/** Earlier page with the same, or nearly the same, content. */
interface ContentMatch {
  readonly duplicateOf: string
  /**
   * True when the canonical URLs agree as well, so that both are one page. Neither fact is enough alone: some sites name their home
   * page as the canonical URL of every page.
   */
  readonly isOnePage: boolean
}

/** Sample of a page's content. Plain data, because the ledger stores it for a crawl that resumes. */
export interface ContentSample {
  /** URL that answered. */
  readonly url: string
  readonly statusCode: number
  /** Key of the page's canonical URL. */
  readonly canonicalKey: string
  readonly fingerprint?: Fingerprint
  /** Similarity hash from the record of the previous crawl, for an unchanged page, which was not parsed. */
  readonly similarity?: string
}

/** Maximum number of pages with known content to remember by their canonical URL, and length of that URL's key. */
const MAX_VARIANTS = 10_000
const MAX_KEY_CHARACTERS = 500

/** Content seen by a crawl: finds pages that repeat others, and URL patterns that only lead to repeats. */
export class CrawlContent {
  readonly #nearDuplicates = new NearDuplicates()
  readonly #novelty = new Novelty()
  readonly #traps = new TrapGuard()
  /** Pages by the `order` of their rows. */
  readonly #pages: { readonly url: string; readonly canonicalKey: string }[] = []
  /** URLs of pages with the content of an earlier page and another canonical URL, by that page and the canonical URL. */
  readonly #variants = new RecentMap<string, string>(MAX_VARIANTS)

  /** Refuses a page whose URL looks like a crawler trap. Must be called once for each page, right before its fetch. */
  refuse(row: LedgerRow): Refusal | undefined {
    return row.attempts.length > 0 ? undefined : this.#traps.judge(toDiscoveredPage(row))
  }

  /**
   * Records that a URL only redirects to a page that is known already, so that endless login links that redirect back
   * are detected as traps.
   */
  noteRepeat(row: LedgerRow): void {
    this.#traps.report(toDiscoveredPage(row), { kind: 'same', times: Infinity, tiny: false })
  }

  /** Finds an earlier page with the same content, and adds this one. */
  findMatch(row: LedgerRow, sample: ContentSample): ContentMatch | undefined {
    const { fingerprint, similarity, statusCode } = sample
    if (similarity !== undefined)
      return this.#createMatch(row, sample, this.#nearDuplicates.record(row.order ?? 0, similarity))
    // Error pages are all alike.
    if (!fingerprint || statusCode < 200 || statusCode >= 300) return undefined
    const known = this.#nearDuplicates.record(row.order ?? 0, fingerprint.similarity)
    this.#traps.report(toDiscoveredPage(row), this.#novelty.classify(fingerprint, known?.times))
    return this.#createMatch(row, sample, known)
  }

  #createMatch(
    row: LedgerRow,
    { url, canonicalKey }: ContentSample,
    known: NearDuplicate | undefined,
  ): ContentMatch | undefined {
    const order = row.order ?? 0
    const earlier = known && this.#pages[known.first]
    if (!earlier) {
      this.#pages[order] = { url, canonicalKey }
      return undefined
    }
    if (canonicalKey === earlier.canonicalKey) return { duplicateOf: earlier.url, isOnePage: true }
    const variant = this.#findVariant(known.first, canonicalKey, url)
    return { duplicateOf: variant ?? earlier.url, isOnePage: variant !== undefined }
  }

  /**
   * Finds a page that has the content of the page `first`, as this one has, and the canonical URL of this one, which is not that of
   * `first`. Without one, this page is kept for those that follow.
   */
  #findVariant(first: number, canonicalKey: string, url: string): string | undefined {
    if (canonicalKey.length > MAX_KEY_CHARACTERS) return undefined
    const name = `${first} ${canonicalKey}`
    const variant = this.#variants.get(name)
    if (variant === undefined) this.#variants.set(name, url)
    return variant
  }
}

/** Converts a row for the trap guard, which trusts pages without `foundOn`: the start URL, and pages listed in sitemaps. */
const toDiscoveredPage = ({ url, via, foundOn }: LedgerRow): { url: string; foundOn?: string } =>
  via === 'link' && foundOn !== undefined ? { url, foundOn } : { url }

/** Creates the sample of a page. @param similarity recorded similarity hash of an unchanged page, which was not parsed */
export function createSample(
  { document, fingerprint }: ScrapedPage,
  canonicalKey: string,
  similarity: string | undefined,
): ContentSample {
  const { url, statusCode } = document.metadata
  const content = similarity === undefined ? fingerprint && { fingerprint } : { similarity }
  return { url, statusCode, canonicalKey, ...content }
}

/** Refuses a page because of an earlier one with the same content. */
export const refuseMatch = ({ duplicateOf, isOnePage }: ContentMatch): Refusal =>
  refuseDuplicate(
    isOnePage ? `is by its canonical URL the same page as ${duplicateOf}` : `has the content of ${duplicateOf}`,
  )

export const refuseDuplicate = (message: string): Refusal => ({ reason: 'DUPLICATE', message })
