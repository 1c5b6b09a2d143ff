import { createDigestPool, type DigestPool, type DigestPoolOptions } from '../../../content/digest/workers/pool.js'
import type { Judgement, PageVersions } from '../../../content/compare/judge-changes.js'
import type { WorkTask } from '../../../content/digest/workers/worker.js'
import type { FetchedPage } from '../../fetch/fetched-page.js'
import type { HydratePage } from '../../../content/hydration/hydrate.js'
import { pageTasks } from './page-tasks.js'

/** Tasks on a page that run in worker threads. A task that takes too long has no result. */
export interface AsyncPageTasks {
  readonly hydrate: HydratePage<FetchedPage>
  /**
   * Runs a task of a feature in a thread.
   *
   * @param name that of the feature, a slash, and that of the task
   * @param here runs it without threads. @returns undefined if it would hold up the caller's thread for too long
   * @returns undefined if it took too much time or memory
   */
  readonly task: <Input extends WorkTask['page'], Result>(
    name: string,
    input: Input,
    here: (input: Input) => Result | undefined,
    signal: AbortSignal,
  ) => Promise<Result | undefined>
  /** Runs a task of a feature on a page: a small one in the caller's thread, where its transfer would take longer. */
  readonly pageTask: <Result>(
    name: string,
    page: FetchedPage,
    here: (page: FetchedPage) => Result,
    signal: AbortSignal,
  ) => Promise<Result | undefined>
  readonly judgeChanges: (versions: PageVersions, url: string, signal: AbortSignal) => Promise<Judgement | undefined>
}

/** Pool of threads for digests and {@link PageTasks}. */
export interface PagePool extends DigestPool, AsyncPageTasks {}

/**
 * Maximum size of a page whose tasks run in the caller's thread, in bytes. For these, the transfer to a thread would
 * take longer than the task.
 */
const SMALL_BYTES = 65_536
/** Maximum size of two versions of a text that are judged in the caller's thread. Characters. */
const SMALL_VERSIONS = 4096

/** Creates a pool of threads for pages. No thread is started before `prepare` or a page that needs one. */
export function createPagePool(options: DigestPoolOptions): PagePool {
  const pool = createDigestPool(options)
  const inThread =
    <Page extends WorkTask['page'], Result>(name: string, here: (page: Page) => Result) =>
    async (page: Page, signal: AbortSignal): Promise<Result | undefined> => {
      const found = await pool.work(name, page, signal)
      return found === 'no threads' ? here(page) : (found?.result as Result | undefined)
    }
  const onPage = <Result>(name: string, here: (page: FetchedPage) => Result) => {
    const aside = inThread(name, here)
    return async (page: FetchedPage, signal: AbortSignal): Promise<Result | undefined> =>
      page.body.byteLength <= SMALL_BYTES ? here(page) : await aside(withoutDetails(page), signal)
  }
  const judgeAside = inThread('judgeChanges', (page: PageVersions & WorkTask['page']) => pageTasks.judgeChanges(page))
  return {
    ...pool,
    judgeChanges: async (versions, url, signal) =>
      versions.previous.length + versions.current.length <= SMALL_VERSIONS
        ? pageTasks.judgeChanges(versions)
        : await judgeAside({ ...versions, url, body: NO_BODY }, signal),
    hydrate: onPage('hydrate', pageTasks.hydrate),
    pageTask: async (name, page, here, signal) => await onPage(name, here)(page, signal),
    task: async <Input extends WorkTask['page'], Result>(
      name: string,
      input: Input,
      here: (input: Input) => Result | undefined,
      signal: AbortSignal,
    ) => await inThread(name, here)(input, signal),
  }
}

const NO_BODY = new Uint8Array()

/** Returns a page with what its tasks read. */
const withoutDetails = ({ url, statusCode, contentType, body }: FetchedPage): FetchedPage => ({
  url,
  statusCode,
  redirects: [],
  headers: {},
  fetcher: '',
  fetchedAtMs: 0,
  body,
  contentType,
})
