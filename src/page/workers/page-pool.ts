import { createDigestPool, type DigestPool, type DigestPoolOptions } from '../../digest/workers/pool.js'
import type { StructuredItem } from '../../extract/structured-data/structured-item.js'
import type { FetchedPage } from '../../fetch/fetched-page.js'
import type { NextInData } from '../../fetch/hydration/next-page-data.js'
import type { HydratePage } from '../../fetch/hydration/hydrate.js'
import { type PageTasks, pageTasks } from './page-tasks.js'

/** Tasks on a page that run in worker threads. A task that takes too long has no result. */
export interface AsyncPageTasks {
  readonly hydrate: HydratePage
  readonly products: (page: FetchedPage, signal: AbortSignal) => Promise<readonly StructuredItem[] | undefined>
  readonly nextPage: (page: FetchedPage, signal: AbortSignal) => Promise<NextInData | undefined>
}

/** Pool of threads for digests and {@link PageTasks}. */
export interface PagePool extends DigestPool, AsyncPageTasks {}

/**
 * Maximum size of a page whose tasks run in the caller's thread, in bytes. For these, the transfer to a thread would
 * take longer than the task.
 */
const SMALL_BYTES = 65_536

/** Creates a pool of threads for pages. No thread is started before a page is fetched. */
export function createPagePool(options: DigestPoolOptions): PagePool {
  const pool = createDigestPool(options)
  const inThread =
    <Result>(name: keyof PageTasks, here: (page: FetchedPage) => Result) =>
    async (page: FetchedPage, signal: AbortSignal): Promise<Result | undefined> => {
      if (page.body.byteLength <= SMALL_BYTES) return here(page)
      const { url, statusCode, contentType, body } = page
      const told = { url, statusCode, redirects: [], headers: {}, fetcher: '', fetchedAtMs: 0, body }
      const sent = contentType === undefined ? told : { ...told, contentType }
      const found = await pool.work(name, sent, signal)
      return found === 'no threads' ? here(page) : (found?.result as Result | undefined)
    }
  return {
    ...pool,
    hydrate: inThread('hydrate', pageTasks.hydrate),
    products: inThread('products', pageTasks.products),
    nextPage: inThread('nextPage', pageTasks.nextPage),
  }
}
