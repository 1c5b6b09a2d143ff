import { readStateProducts } from '../../enrich/offers/state-product.js'
import type { StructuredItem } from '../../extract/structured-data/structured-item.js'
import type { FetchedPage } from '../../fetch/fetched-page.js'
import { hydrate, type HydratedPage } from '../../fetch/hydration/hydrate.js'
import { findNextInData, type NextInData } from '../../fetch/hydration/next-page-data.js'
import { readPageData } from '../../fetch/hydration/page-data.js'

/** Tasks on a page's bytes beside its digest. They are pure functions, so that they can run in a worker thread. */
export interface PageTasks {
  /** Takes the text of a page from the data that it embeds for its scripts. */
  hydrate(page: FetchedPage): HydratedPage | undefined
  /** Reads the products that a page is about from the same data. */
  products(page: FetchedPage): StructuredItem[]
  /** Finds the next page of a list in the same data. */
  nextPage(page: FetchedPage): NextInData | undefined
}

export const pageTasks: PageTasks = {
  hydrate,
  products(page) {
    const brought = readPageData(page)
    return brought ? readStateProducts(brought) : []
  },
  nextPage(page) {
    const brought = readPageData(page)
    return brought && findNextInData(brought, page.url)
  },
}
