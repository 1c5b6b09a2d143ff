import type { LastSeen } from '../fetch/fetcher.js'
import type { ScrapedPage } from './scraped-page.js'

/** A page as an earlier crawl has left it. */
export interface KnownPage {
  readonly lastSeen: LastSeen
  /** True when the page gave a document then. */
  readonly gaveDocument: boolean
  /** Reason why the page is certainly unchanged; absent if its site must be asked. */
  readonly unchanged?: string
  /** Called with what its site has given, if it was asked: undefined for no page. */
  readonly onAnswer?: (page: ScrapedPage | undefined) => void
  /** Creates the scraped page from what is known. @param answer the response of its site, if it was asked */
  restore(answer?: ScrapedPage): ScrapedPage
}
