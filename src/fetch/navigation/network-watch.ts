import type { Page, Request } from 'playwright'

/** Types of requests that cannot change the text of a page. */
const idle: ReadonlySet<string> = new Set([
  'image',
  'media',
  'font',
  'websocket',
  'eventsource',
  'ping',
  'manifest',
  'texttrack',
  'other',
])

/** Time after which a pending request counts as a long poll, which is not waited for. Milliseconds. */
const LONG_POLL_MS = 5_000

/** Maximum number of requests to one URL that are waited for; a URL that is requested more often is polled. */
const MAX_REPEATS = 3

/** The requests of a page that are pending. */
export interface NetworkWatch {
  /** Number of relevant requests that were started. */
  readonly begun: number
  /** Resolves when no relevant request is pending, or when the signal aborts. Never rejects. */
  untilIdle(signal: AbortSignal): Promise<void>
}

/**
 * Watches the requests of a page.
 *
 * @param withImages makes images and fonts relevant too, for a page with actions or captures
 */
export function watchNetwork(page: Page, withImages: boolean): NetworkWatch {
  const pending = new Map<Request, number>()
  let waiters: (() => void)[] = []
  const repeats = new Map<string, number>()
  let begun = 0
  const matters = (request: Request): boolean => {
    const type = request.resourceType()
    return !idle.has(type) || (withImages && (type === 'image' || type === 'font'))
  }
  const end = (request: Request): void => {
    if (pending.delete(request) && pending.size === 0) for (const wake of waiters.splice(0)) wake()
  }
  page.on('request', (request) => {
    if (!matters(request)) return
    const [place = ''] = request.url().split('?', 1)
    const times = (repeats.get(place) ?? 0) + 1
    repeats.set(place, times)
    if (times > MAX_REPEATS && request.resourceType() !== 'script') return
    begun += 1
    pending.set(request, performance.now())
  })
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  return {
    get begun() {
      return begun
    },
    async untilIdle(signal) {
      while (pending.size > 0 && !signal.aborted) {
        const oldest = Math.min(...pending.values())
        const leftMs = oldest + LONG_POLL_MS - performance.now()
        if (leftMs <= 0) {
          for (const [request, since] of pending) if (since === oldest) end(request)
          continue
        }
        await new Promise<void>((resolve) => {
          const timer = setTimeout(done, leftMs)
          signal.addEventListener('abort', done, { once: true })
          waiters.push(done)
          function done(): void {
            clearTimeout(timer)
            signal.removeEventListener('abort', done)
            waiters = waiters.filter((waiter) => waiter !== done)
            resolve()
          }
        })
      }
    },
  }
}
