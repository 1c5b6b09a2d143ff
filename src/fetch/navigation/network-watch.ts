import type { Page, Request } from 'playwright'

/** What a page's text cannot depend on. */
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

/** A request that takes longer is one that the server holds open until something happens. Milliseconds. */
const LONG_POLL_MS = 5_000

/** A URL that is asked for again and again is a poll: it is waited for so often. */
const MAX_REPEATS = 3

/** Watches which requests of a page are under way. */
export interface NetworkWatch {
  /** How many requests that matter were begun so far. */
  readonly begun: number
  /** Resolves when none is under way that matters. Never rejects; the page's end is the caller's to see. */
  untilIdle(signal: AbortSignal): Promise<void>
}

/** @param withImages whether pictures and fonts matter too: for who wants to see the page */
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
