import type { Page, Request, Response } from 'playwright'

/** A navigation of a page's main frame that failed. */
interface FailedNavigation {
  readonly url: string
  /** The network error, such as `net::ERR_CONNECTION_REFUSED`. */
  readonly error: string
}

/** The documents of a page's main frame, and their responses. */
export interface DocumentWatch {
  /**
   * The responses of all documents that were shown, redirects included, in their order. Responses that were not shown, e.g.
   * of a file to download, are not included.
   */
  readonly answers: readonly Response[]
  /** The last response, shown or not. */
  readonly latest: Response | undefined
  /** True if no more of the shown document is received: it is whole, or was cut off, e.g. by `window.stop()`. */
  readonly hasEnded: boolean
  /**
   * The network error that the shown document was cut off by, such as `net::ERR_CONTENT_LENGTH_MISMATCH`; undefined for one
   * that is whole, and for one that the page or the browser stopped.
   */
  readonly cutOffBy: string | undefined
  /** The last navigation that failed with a network error, in place of which the browser shows a page of its own. */
  readonly failed: FailedNavigation | undefined
  /**
   * The response with an error status and no body that the page went to last: a whole browser shows a page of its own in
   * place of it. Its redirects are among {@link answers}.
   */
  readonly unshown: Response | undefined
  /** True while the shown document is loaded again from what was received: its response stays the one that it had. */
  isRepeating: boolean
  /** True if the tree of the shown document is complete. */
  readonly isParsed: boolean
  /** True while a navigation of the main frame to another document is in progress. */
  readonly isNavigating: boolean
  /** Resolves when no navigation is in progress, or when the signal aborts. Never rejects. */
  untilArrived(signal: AbortSignal): Promise<void>
}

/** The network error of a response with an error status and no body. */
const NO_BODY = 'net::ERR_HTTP_RESPONSE_CODE_FAILURE'

/** Watches the documents of a page's main frame. */
export function watchDocuments(page: Page): DocumentWatch {
  const answers: Response[] = []
  const pending = new PendingResponses()
  let latest: Response | undefined
  let shown: Request | undefined
  const ended = new WeakSet<Request>()
  const failures = new WeakMap<Request, string>()
  let failed: FailedNavigation | undefined
  let unshown: Response | undefined
  let isParsed = false
  const navigation = new Navigation()
  page.on('request', (request) => {
    if (!isMainDocumentRequest(page, request)) return
    unshown = undefined
    navigation.begin(request)
  })
  page.on('response', (response) => {
    if (!isMainDocumentRequest(page, response.request())) return
    latest = response
    pending.add(response)
  })
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame()) return
    const chain = pending.takeShown(frame.url())
    const answer = chain.at(-1)
    if (!answer) return
    shown = answer.request()
    isParsed = false
    if (!watch.isRepeating || answer.url() !== answers.at(-1)?.url()) answers.push(...chain)
    navigation.end(shown)
  })
  // A response that is not a document, such as a download, fails the navigation; the main frame keeps its document.
  page.on('requestfailed', (request) => {
    ended.add(request)
    const what = request.failure()?.errorText
    if (what !== undefined && what !== 'net::ERR_ABORTED') {
      failures.set(request, what)
      if (isMainDocumentRequest(page, request)) failed = { url: request.url(), error: what }
    }
    const chain = pending.takeFailed(request)
    if (what === NO_BODY && latest?.request() === request) {
      unshown = latest
      answers.push(...chain.filter((one) => one !== latest))
    }
    navigation.end(request)
  })
  page.on('requestfinished', (request) => {
    ended.add(request)
    navigation.end(request)
  })
  page.on('domcontentloaded', () => void (isParsed = true))
  const watch: DocumentWatch = {
    answers,
    isRepeating: false,
    get latest() {
      return latest
    },
    get hasEnded() {
      return shown !== undefined && ended.has(shown)
    },
    get cutOffBy() {
      return shown && failures.get(shown)
    },
    get failed() {
      return failed
    },
    get unshown() {
      return unshown
    },
    get isParsed() {
      return isParsed
    },
    get isNavigating() {
      return navigation.isInProgress
    },
    untilArrived: (signal) => navigation.untilEnded(signal),
  }
  return watch
}

/**
 * The responses whose documents are not shown yet. Playwright reports only the URL of a navigation, so its response is found
 * among them.
 */
class PendingResponses {
  #responses: readonly Response[] = []

  add(response: Response): void {
    this.#responses = [...this.#responses, response]
  }

  /** Takes the response of the document that is now shown, after its redirects; none for a navigation inside the document, to an anchor. */
  takeShown(shownUrl: string): readonly Response[] {
    const url = withoutHash(shownUrl)
    const index = this.#responses.findIndex(
      (one) => one.request().redirectedTo() === null && withoutHash(one.url()) === url,
    )
    const answer = this.#responses[index]
    if (!answer) return []
    const chain = chainOf(answer.request())
    const taken = this.#responses.filter((one) => chain.has(one.request()))
    // The response of the next navigation may arrive before this one is reported as shown.
    this.#responses = this.#responses.slice(index + 1)
    return taken
  }

  /** Takes the responses of a request that has failed, and of its redirects. */
  takeFailed(request: Request): readonly Response[] {
    const chain = chainOf(request)
    const taken = this.#responses.filter((one) => chain.has(one.request()))
    this.#responses = this.#responses.filter((one) => !chain.has(one.request()))
    return taken
  }
}

/** The navigation to another document that is in progress, if there is one. */
class Navigation {
  readonly #waiters = new Set<() => void>()
  #request: Request | undefined

  get isInProgress(): boolean {
    return this.#request !== undefined
  }

  begin(request: Request): void {
    this.#request = request
  }

  /** Ends the navigation if this is its request. */
  end(request: Request): void {
    if (request !== this.#request) return
    this.#request = undefined
    for (const wake of this.#waiters) wake()
  }

  async untilEnded(signal: AbortSignal): Promise<void> {
    if (!this.isInProgress || signal.aborted) return
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.#waiters.delete(done)
        signal.removeEventListener('abort', done)
        resolve()
      }
      this.#waiters.add(done)
      signal.addEventListener('abort', done, { once: true })
    })
  }
}

const withoutHash = (url: string): string => url.replace(/#.*/, '')

/** Returns a request and those that were redirected to it. */
function chainOf(request: Request): ReadonlySet<Request> {
  const chain = new Set<Request>()
  for (let one: Request | null = request; one; one = one.redirectedFrom()) chain.add(one)
  return chain
}

/** Tests whether a request is for a document of the page's main frame. */
export function isMainDocumentRequest(page: Page, request: Request): boolean {
  // `frame()` throws for the request of a service worker.
  return request.isNavigationRequest() && request.serviceWorker() === null && request.frame() === page.mainFrame()
}
