import { createDigestPool, type DigestPool, type DigestPoolOptions } from '../../digest/workers/pool.js'
import type { StructuredItem } from '../../extract/structured-data/structured-item.js'
import type { FetchedPage } from '../../fetch/fetched-page.js'
import type { HydratePage } from '../../fetch/hydration/hydrate.js'
import { type PageWorks, pageWorks } from './page-works.js'

/** The works on a page, each where it does not hold up the host. A work that takes too long finds nothing. */
export interface AsyncPageWorks {
  readonly hydrate: HydratePage
  readonly products: (page: FetchedPage, signal: AbortSignal) => Promise<readonly StructuredItem[] | undefined>
}

/** What reads pages off the host's thread: digests, and the works beside them. */
export interface PagePool extends DigestPool, AsyncPageWorks {}

/** Pages up to this size are read at once: what is done to them is linear, and shorter than the way to a thread. Bytes. */
const SMALL_BYTES = 65_536

/** A pool of threads for pages. None is started before a page needs one. */
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
