import { SingleFlight } from '../../base/concurrency/single-flight.js'
import { untilAborted } from '../../base/concurrency/until-aborted.js'
import { TrawlError } from '../../base/errors.js'
import type { FetchedPage } from '../fetch/fetched-page.js'

/** One caller's request for a page. */
export interface FetchCall {
  /** Equal for callers that may get the same page. */
  readonly key: string
  readonly url: string
  /** Timeout of the whole page. Milliseconds. */
  readonly timeoutMs: number
  /** Maximum age of a page that another caller has fetched. Milliseconds. */
  readonly maxAgeMs: number
  /** Fetches the page. @param signal aborted when no caller waits for it any more */
  fetch(signal: AbortSignal): Promise<FetchedPage>
}

/** A caller's share in a fetched page. To be disposed of when the caller has stored the page, or will not store it. */
export interface SharedPage extends Disposable {
  readonly page: FetchedPage
  /** Stores the page, unless another caller has stored it or is storing it. @returns a warning when it could not be stored */
  remember(store: () => Promise<string | undefined>): Promise<string | undefined>
}

type Flights = SingleFlight<SharedResult, FetchCall>

interface SharedResult {
  readonly page: FetchedPage
  remembering?: Promise<string | undefined>
}

/**
 * Fetches a page once for all callers that want it at the same time. A fetched page is shared until it has been stored,
 * so that a caller that asks before it is in the cache does not fetch it again.
 *
 * Each caller may stop waiting at any time. The fetch is aborted when no caller is left.
 */
export class SharedFetches {
  readonly #flights: Flights = new SingleFlight(
    () =>
      new TrawlError(
        'SCRAPE_JOB_CANCELLED',
        'the fetch of the page was aborted because no caller waits for it any more',
      ),
  )
  readonly #now: () => number

  /** @param now milliseconds since the epoch */
  constructor(now: () => number) {
    this.#now = now
  }

  /**
   * Waits for the page of another caller, or fetches it.
   *
   * @throws what the fetch threw; the signal's reason
   */
  join(call: FetchCall, signal: AbortSignal): Promise<SharedPage> {
    if (signal.aborted) return Promise.reject(signal.reason)
    const share = this.#flights.join(call.key, {
      caller: call,
      start: (until) => call.fetch(until).then((page) => ({ page })),
      accepts: ({ page }) => this.#now() - page.fetchedAtMs < call.maxAgeMs,
    })
    return untilAborted(share.result, signal).then(
      (shared) => new JoinedPage(shared, share),
      (error: unknown) => {
        share[Symbol.dispose]()
        if (signal.aborted || !isSpecificToStarter(share.starter, call, error)) throw error
        return this.join(call, signal)
      },
    )
  }
}

class JoinedPage implements SharedPage {
  readonly page: FetchedPage
  readonly #result: SharedResult
  readonly #share: Disposable

  constructor(result: SharedResult, share: Disposable) {
    this.page = result.page
    this.#result = result
    this.#share = share
  }

  remember(store: () => Promise<string | undefined>): Promise<string | undefined> {
    return (this.#result.remembering ??= store())
  }

  [Symbol.dispose](): void {
    this.#share[Symbol.dispose]()
  }
}

/** Returns true where a failure may be specific to the first caller (other URL spelling, shorter timeout), so that this one retries. */
const isSpecificToStarter = (starter: FetchCall, { url, timeoutMs }: FetchCall, error: unknown): boolean =>
  starter.url !== url ||
  (starter.timeoutMs < timeoutMs && error instanceof TrawlError && error.code === 'SCRAPE_TIMEOUT')
