import type { Page, Request, Response } from 'playwright'

/** What a page's window is given to show. */
export interface DocumentWatch {
  /**
   * The answers that the documents came with which stood in the window, redirects among them, in their order; of what the
   * window turned away from, or had nothing to show of, e.g. a file to download, there is none.
   */
  readonly answers: readonly Response[]
  /** The last answer of all, whatever comes of it. */
  readonly latest: Response | undefined
  /** Whether the document that stands in the window came in whole. */
  readonly isWhole: boolean
  /** Whether the window is on its way to another document, which has not come yet. */
  readonly isLeaving: boolean
  /** Resolves when it is not. Never rejects. */
  untilArrived(signal: AbortSignal): Promise<void>
}

/** Watches a page's own documents; those of its frames are not among them. */
export function watchDocuments(page: Page): DocumentWatch {
  const answers: Response[] = []
  /** Nothing is told of the way from an answer to the document but where the window is then. */
  let underway: readonly Response[] = []
  let latest: Response | undefined
  let shown: Request | undefined
  const whole = new WeakSet<Request>()
  let leaving: Request | undefined
  const waiters = new Set<() => void>()
  const arrive = (): void => {
    leaving = undefined
    for (const wake of waiters) wake()
  }
  page.on('request', (request) => {
    if (isMainDocumentRequest(page, request)) leaving = request
  })
  page.on('response', (response) => {
    if (!isMainDocumentRequest(page, response.request())) return
    latest = response
    underway = [...underway, response]
  })
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame()) return
    const url = withoutHash(frame.url())
    // A window also goes from one place of its document to another.
    const index = underway.findIndex((one) => one.request().redirectedTo() === null && withoutHash(one.url()) === url)
    const answer = underway[index]
    if (!answer) return
    shown = answer.request()
    const chain = chainOf(shown)
    answers.push(...underway.filter((one) => chain.has(one.request())))
    // What comes after it may have been answered before it is told that this one stands in the window.
    underway = underway.slice(index + 1)
    if (leaving === shown) arrive()
  })
  const end = (request: Request): void => {
    if (request === leaving) arrive()
  }
  // What turns out to be no document, e.g. a file to download, leaves the window where it was.
  page.on('requestfailed', (request) => {
    const chain = chainOf(request)
    underway = underway.filter((answer) => !chain.has(answer.request()))
    end(request)
  })
  page.on('requestfinished', (request) => {
    whole.add(request)
    end(request)
  })
  return {
    answers,
    get latest() {
      return latest
    },
    get isWhole() {
      return shown !== undefined && whole.has(shown)
    },
    get isLeaving() {
      return leaving !== undefined
    },
    async untilArrived(signal) {
      if (!leaving || signal.aborted) return
      await new Promise<void>((resolve) => {
        const done = (): void => {
          waiters.delete(done)
          signal.removeEventListener('abort', done)
          resolve()
        }
        waiters.add(done)
        signal.addEventListener('abort', done, { once: true })
      })
    },
  }
}

const withoutHash = (url: string): string => url.replace(/#.*/, '')

/** A request and those that were redirected to it. */
function chainOf(request: Request): ReadonlySet<Request> {
  const chain = new Set<Request>()
  for (let one: Request | null = request; one; one = one.redirectedFrom()) chain.add(one)
  return chain
}

/** Whether a request is for what is to stand in the page's window. */
export function isMainDocumentRequest(page: Page, request: Request): boolean {
  // A worker's request has no frame to ask for.
  return request.isNavigationRequest() && request.serviceWorker() === null && request.frame() === page.mainFrame()
}
