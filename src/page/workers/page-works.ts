import { readStateProducts } from '../../enrich/offers/state-product.js'
import type { StructuredItem } from '../../extract/structured-data/structured-item.js'
import type { FetchedPage } from '../../fetch/fetched-page.js'
import { hydrate, type HydratedPage } from '../../fetch/hydration/hydrate.js'
import { readPageData } from '../../fetch/hydration/page-data.js'

/** Works on a page's bytes beside its digest. Pure functions, for a worker thread as well. */
export interface PageWorks {
  /** Takes the text of a page from its embedded data. */
  hydrate(page: FetchedPage): HydratedPage | undefined
  /** Reads the product that a page is about from the same data. */
  products(page: FetchedPage): StructuredItem[]
}

export const pageWorks: PageWorks = {
  hydrate,
  products(page) {
    const brought = readPageData(page)
    return brought ? readStateProducts(brought) : []
  },
}
