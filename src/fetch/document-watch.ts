import type { Page, Request, Response } from 'playwright'

/** The answers that the window of a page got for its documents, redirects among them, in their order. */
export interface DocumentWatch {
  readonly answers: readonly Response[]
  /** Whether the last of them came in whole. */
  readonly isWhole: boolean
  /** Whether the window is on its way to another document, which has not come yet. */
  readonly isLeaving: boolean
  /** Resolves when it is not. Never rejects. */
  untilArrived(signal: AbortSignal): Promise<void>
}

/** Watches a page's own documents; those of its frames are not among them. */
export function watchDocuments(page: Page): DocumentWatch {
  const answers: Response[] = []
  const whole = new WeakSet<Request>()
  page.on('response', (response) => {
    if (isOwn(page, response.request())) answers.push(response)
  })
  let leaving: Request | undefined
  const waiters = new Set<() => void>()
  const arrive = (): void => {
    leaving = undefined
    for (const wake of waiters) wake()
  }
  page.on('request', (request) => {
    if (isOwn(page, request)) leaving = request
  })
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) arrive()
  })
  // What turns out to be no document, e.g. a file to download, leaves the window where it was.
  page.on('requestfailed', (request) => {
    if (request === leaving) arrive()
  })
  page.on('requestfinished', (request) => {
    whole.add(request)
    if (request === leaving) arrive()
  })
  return {
    answers,
    get isWhole() {
      const last = answers.at(-1)
      return last !== undefined && whole.has(last.request())
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

/** Whether a request is for what is to stand in the page's window. */
export function isOwn(page: Page, request: Request): boolean {
  // A worker's request has no frame to ask for.
  return request.isNavigationRequest() && request.serviceWorker() === null && request.frame() === page.mainFrame()
}
