import type { ErrorCode } from '../errors.js'

/** What is made of a page and has a price of its own. */
export type PaidWork = keyof (typeof creditTable)['work']

/** What everything costs, in credits. @see docs/compatibility.md#credits */
export const creditTable = {
  /** A page, from its site or from the cache, whatever its status; of a file its first page, or all of one that is not read. */
  page: 1,
  /** Each further page of a PDF file that is read. */
  furtherPdfPage: 1,
  /** What came by more than the plain way, beside the page. */
  enhanced: 4,
  /**
   * What was made of the page, beside it; `data` is that of `json` and of mode `json` of `changeTracking` together, `writtenRules`
   * and `reusedRules` that of `deterministicJson` by an extractor that was written for the page, and by one that was there.
   */
  work: { data: 4, question: 4, query: 4, highlights: 4, audio: 4, video: 4, writtenRules: 9, reusedRules: 2 },
  /** A page in lockdown, beside. */
  lockdown: 4,
  /** A page of which nothing is kept, beside. */
  zeroDataRetention: 1,
  /** Pages that came to nothing and cost something all the same. */
  failures: { SCRAPE_DNS_RESOLUTION_ERROR: 1, SCRAPE_LOCKDOWN_CACHE_MISS: 1 },
} as const

/** On what terms pages are scraped. */
export interface CreditTerms {
  /** @default false */
  readonly lockdown?: boolean | undefined
  /** @default false */
  readonly zeroDataRetention?: boolean | undefined
}

/** What a page is paid for by. */
export interface PricedPage extends CreditTerms {
  /** Whether it came by more than the plain way, and not from the cache. */
  readonly isEnhanced: boolean
  /** Pages that were read of a PDF file; 1 for everything else. */
  readonly pdfPages: number
  /** What was made of it, each once. */
  readonly work: ReadonlySet<PaidWork>
}

/** What a page costs that gave a document. */
export function countCredits({ isEnhanced, pdfPages, work, ...terms }: PricedPage): number {
  let credits = creditTable.page + Math.max(0, pdfPages - 1) * creditTable.furtherPdfPage
  if (isEnhanced) credits += creditTable.enhanced
  if (terms.lockdown) credits += creditTable.lockdown
  if (terms.zeroDataRetention) credits += creditTable.zeroDataRetention
  for (const name of work) credits += creditTable.work[name]
  return credits
}

/** What a page costs that gave none: nothing, but for two kinds of failure. */
export const countFailure = (code: ErrorCode): number =>
  code in creditTable.failures ? creditTable.failures[code as keyof typeof creditTable.failures] : 0

/** What is known of the price of a page before it is fetched. */
export interface CreditEstimate {
  /** What it costs when it comes the way that is asked for first, and all is made of it. */
  readonly likely: number
  /** What it may come to beside: of a PDF file nothing is known before it is read, and its further pages come on top. */
  readonly most: number
}

/** The price of a page as far as it is known before. */
export function estimateCredits(
  page: CreditTerms & { readonly proxy: 'basic' | 'enhanced' | 'auto'; readonly work: ReadonlySet<PaidWork> },
): CreditEstimate {
  const { proxy, ...rest } = page
  const priceOf = (isEnhanced: boolean): number => countCredits({ ...rest, isEnhanced, pdfPages: 1 })
  return { likely: priceOf(proxy === 'enhanced'), most: priceOf(proxy !== 'basic') }
}
