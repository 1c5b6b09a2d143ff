import { createDigestPool, type DigestPool, type DigestPoolOptions } from '../../digest/workers/pool.js'
import type { StructuredItem } from '../../extract/structured-data/structured-item.js'
import type { FetchedPage } from '../../fetch/fetched-page.js'
import type { HydratePage } from '../../fetch/hydration/hydrate.js'
import { type PageWorks, pageWorks } from './page-works.js'

/** Works on a page, each off the host's thread. A work that takes too long has no result. */
export interface AsyncPageWorks {
  readonly hydrate: HydratePage
  readonly products: (page: FetchedPage, signal: AbortSignal) => Promise<readonly StructuredItem[] | undefined>
}

/** Pool of threads for digests and other works on pages. */
export interface PagePool extends DigestPool, AsyncPageWorks {}

/** Maximum size of a page for the caller's thread: the works are linear, and shorter than the transfer to a thread. Bytes. */
const SMALL_BYTES = 65_536

/** Creates a pool of threads for pages. No thread is started before a page needs one. */
export function createPagePool(options: DigestPoolOptions): PagePool {
  const pool = createDigestPool(options)
  const aside =
    <Result>(name: keyof PageWorks, here: (page: FetchedPage) => Result) =>
    async (page: FetchedPage, signal: AbortSignal): Promise<Result | undefined> => {
      if (page.body.byteLength <= SMALL_BYTES) return here(page)
      const { url, statusCode, contentType, body } = page
      const told = { url, statusCode, redirects: [], headers: {}, fetcher: '', fetchedAtMs: 0, body }
      const sent = contentType === undefined ? told : { ...told, contentType }
      const found = await pool.work(name, sent, signal)
      return found === 'no threads' ? here(page) : (found?.result as Result | undefined)
    }
  return { ...pool, hydrate: aside('hydrate', pageWorks.hydrate), products: aside('products', pageWorks.products) }
}
