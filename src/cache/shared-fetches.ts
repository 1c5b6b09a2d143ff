import { TrawlError } from '../errors.js'
import type { FetchedPage } from '../fetch/fetched-page.js'

/** Who wants a page. */
export interface FetchCall {
  /** The same for those who may be given the same page. */
  readonly key: string
  readonly url: string
  /** Of the whole page. Milliseconds. */
  readonly timeoutMs: number
  /** A page that came longer ago is fetched again. Milliseconds. */
  readonly maxAgeMs: number
  /** Brings the page in. @param signal aborted when nobody waits for it any more */
  fetch(signal: AbortSignal): Promise<FetchedPage>
}

/** A page that came in, for one of those who wanted it. */
export interface SharedPage extends Disposable {
  readonly page: FetchedPage
  /** Stores the page: once, whoever does so first. */
  remember(store: () => Promise<string | undefined>): Promise<string | undefined>
}

interface Visit {
  readonly url: string
  readonly timeoutMs: number
  readonly controller: AbortController
  readonly result: Promise<FetchedPage>
  page: FetchedPage | undefined
  remembering: Promise<string | undefined> | undefined
  /** Those who wait for the page, and those who have it and are not done with it. */
  people: number
}

/**
 * Fetches of which there is one under way for a key, however many want its page, and until the page has been stored: who
 * comes in between finds it here.
 *
 * Each waits as long as it likes: the fetch ends when nobody waits. One that failed is over for all who waited, and the
 * next to come begins another.
 */
export class SharedFetches {
  readonly #visits = new Map<string, Visit>()
  readonly #now: () => number

  /** @param now milliseconds since the epoch */
  constructor(now: () => number) {
    this.#now = now
  }

  /**
   * Waits for the page, or goes for it.
   *
   * @throws what the fetch threw; the signal's reason
   */
  async join(call: FetchCall, signal: AbortSignal): Promise<SharedPage> {
    for (;;) {
      signal.throwIfAborted()
      const known = this.#visits.get(call.key)
      const visit = known && this.#isYoung(known, call) ? known : this.#start(call)
      visit.people += 1
      try {
        const page = await waitFor(visit.result, signal)
        return {
          page,
          remember: (store) => (visit.remembering ??= store()),
          [Symbol.dispose]: () => this.#leave(call.key, visit),
        }
      } catch (error) {
        this.#leave(call.key, visit)
        if (signal.aborted || !isOthersOnly(visit, call, error)) throw error
      }
    }
  }

  #isYoung({ page }: Visit, { maxAgeMs }: FetchCall): boolean {
    return page === undefined || this.#now() - page.fetchedAtMs < maxAgeMs
  }

  #start({ key, url, timeoutMs, fetch }: FetchCall): Visit {
    const controller = new AbortController()
    const result = fetch(controller.signal)
    const visit: Visit = { url, timeoutMs, controller, result, page: undefined, remembering: undefined, people: 0 }
    this.#visits.set(key, visit)
    result.then(
      (page) => (visit.page = page),
      // Those who wait hear of it.
      () => this.#forget(key, visit),
    )
    return visit
  }

  #leave(key: string, visit: Visit): void {
    visit.people -= 1
    if (visit.people > 0) return
    this.#forget(key, visit)
    if (!visit.page)
      visit.controller.abort(new TrawlError('SCRAPE_JOB_CANCELLED', 'nobody waits for the page any more'))
  }

  #forget(key: string, visit: Visit): void {
    if (this.#visits.get(key) === visit) this.#visits.delete(key)
  }
}

/** Whether a failure may be owed to what only the first who came asked for: its spelling of the URL, its shorter time. */
const isOthersOnly = (visit: Visit, { url, timeoutMs }: FetchCall, error: unknown): boolean =>
  visit.url !== url || (visit.timeoutMs < timeoutMs && error instanceof TrawlError && error.code === 'SCRAPE_TIMEOUT')

function waitFor<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const leave = (): void => reject(signal.reason)
    signal.addEventListener('abort', leave, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}
