import type { ErrorCode } from '../errors.js'

/** Work on a page that has a price of its own. */
export type PaidWork = keyof (typeof creditTable)['work']

/** Prices, in credits. @see docs/compatibility/fetching.md#credits */
const creditTable = {
  /**
   * A page of any status, from its site or from the cache. For a PDF file, only its first page; for a file that is not
   * parsed, the whole file.
   */
  page: 1,
  /** Each further page of a PDF file that is parsed. */
  furtherPdfPage: 1,
  /** Each further page of its site that a document has, as of a list that is read to its end. */
  furtherPage: 1,
  /**
   * Surcharges for formats. `data`: `json` and mode `json` of `changeTracking` together. `writtenRules` and `reusedRules`:
   * `deterministicJson` by an extractor that was written for the page, and by an existing one.
   */
  work: { data: 4, question: 4, query: 4, highlights: 4, audio: 4, video: 4, writtenRules: 9, reusedRules: 2 },
  /** Surcharge for `lockdown`. */
  lockdown: 4,
  /** Surcharge for `zeroDataRetention`. */
  zeroDataRetention: 1,
  /** Surcharge for each page, also of a PDF file, whose personal data is redacted. */
  redaction: 4,
  /** Failures that have a price. */
  failures: { SCRAPE_DNS_RESOLUTION_ERROR: 1, SCRAPE_LOCKDOWN_CACHE_MISS: 1 },
} as const

/** Options that change the price of a page. */
export interface CreditTerms {
  /** Surcharge where it was fetched with `proxy: 'enhanced'`. Credits. */
  readonly enhanced: number
  /** @default false */
  readonly lockdown?: boolean
  /** @default false */
  readonly zeroDataRetention?: boolean
  /** True if personal data is redacted. @default false */
  readonly redaction?: boolean
}

/** Facts that decide the price of a page. */
export interface PricedPage extends CreditTerms {
  /** True where the page was fetched with `proxy: 'enhanced'`, and not taken from the cache. */
  readonly isEnhanced: boolean
  /** Number of pages read of a PDF file; 1 for everything else. */
  readonly pdfPages: number
  /** Number of further pages of its site that it has. @default 0 */
  readonly furtherPages?: number
  /** Work done on the page, each once. */
  readonly work: ReadonlySet<PaidWork>
}

/** Counts the credits of a page that gave a document. */
export function countCredits({ isEnhanced, pdfPages, furtherPages = 0, work, ...terms }: PricedPage): number {
  let credits = creditTable.page + Math.max(0, pdfPages - 1) * creditTable.furtherPdfPage
  credits += furtherPages * creditTable.furtherPage
  if (isEnhanced) credits += terms.enhanced
  if (terms.lockdown) credits += creditTable.lockdown
  if (terms.zeroDataRetention) credits += creditTable.zeroDataRetention
  if (terms.redaction) credits += creditTable.redaction * Math.max(1, pdfPages)
  for (const name of work) credits += creditTable.work[name]
  return credits
}

/** Counts the credits of a page that failed: 0, except for the failures of {@link creditTable}. */
export const countFailure = (code: ErrorCode): number =>
  code in creditTable.failures ? creditTable.failures[code as keyof typeof creditTable.failures] : 0

/** Estimated price of a page before it is fetched. */
export interface CreditEstimate {
  /** Price when the first strategy succeeds and all formats are made. */
  readonly likely: number
  /** Maximum price. Further pages of PDF files and lists are not in it: their number is unknown before they are read. */
  readonly most: number
}

/** Estimates the price of a page before it is fetched. */
export function estimateCredits(
  page: CreditTerms & { readonly proxy: 'basic' | 'enhanced' | 'auto'; readonly work: ReadonlySet<PaidWork> },
): CreditEstimate {
  const { proxy, ...rest } = page
  const priceOf = (isEnhanced: boolean): number => countCredits({ ...rest, isEnhanced, pdfPages: 1 })
  return { likely: priceOf(proxy === 'enhanced'), most: priceOf(proxy !== 'basic') }
}
