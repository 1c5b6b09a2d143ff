import { createHash } from 'node:crypto'
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

/** Maximum number of equal requests that are waited for; what is requested more often is polled. */
const MAX_REPEATS = 3
/**
 * Maximum number of different requests to one address, each begun after another one had ended, that are waited for: a list
 * may load its parts so, and a poll may say what it has seen.
 */
const MAX_ROUNDS = 10
/** Maximum number of addresses and requests that are remembered. */
const MAX_REMEMBERED = 2_000
/** Length of the start and of the end of a body that tell it from others. Bytes. */
const BODY_PART = 8_192

/** The requests of a page that are pending. */
export interface NetworkWatch {
  /** Number of relevant requests that were started. */
  readonly begun: number
  /** Resolves when no relevant request is pending, or when the signal aborts. Never rejects. */
  untilIdle(signal: AbortSignal): Promise<void>
  /** Counts anew what is requested, because something else may cause it from now on. What was polled stays a poll. */
  countAnew(): void
}

/**
 * Watches the requests of a page.
 *
 * @param withImages makes images and fonts relevant too, for a page with actions or captures
 */
export function watchNetwork(page: Page, withImages: boolean): NetworkWatch {
  const pending = new Map<Request, number>()
  let waiters: (() => void)[] = []
  const repeats = new Repeats()
  let begun = 0
  const matters = (request: Request): boolean => {
    const type = request.resourceType()
    return !idle.has(type) || (withImages && (type === 'image' || type === 'font'))
  }
  const end = (request: Request): void => {
    repeats.end(request)
    if (pending.delete(request) && pending.size === 0) for (const wake of waiters.splice(0)) wake()
  }
  page.on('request', (request) => {
    if (!matters(request)) return
    if (repeats.isPoll(request) && request.resourceType() !== 'script') return
    begun += 1
    pending.set(request, performance.now())
  })
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  return {
    countAnew: () => repeats.forget(),
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

/** The requests of a page by which it is found what it polls. */
class Repeats {
  readonly #times = new Map<string, number>()
  /** Number of rounds by address, and whether one of its requests has ended since the last round began. */
  readonly #rounds = new Map<string, { count: number; hasEnded: boolean }>()
  readonly #polled = new Set<string>()

  /** Counts a request. Returns true if it is one of a poll. */
  isPoll(request: Request): boolean {
    const place = placeOf(request)
    const key = keyOf(request)
    const times = (this.#times.get(key) ?? 0) + 1
    const round = this.#rounds.get(place) ?? { count: 1, hasEnded: false }
    if (round.hasEnded) Object.assign(round, { count: round.count + 1, hasEnded: false })
    if (this.#times.size < MAX_REMEMBERED) {
      this.#times.set(key, times)
      this.#rounds.set(place, round)
    }
    if (times > MAX_REPEATS && this.#polled.size < MAX_REMEMBERED) this.#polled.add(key)
    return times > MAX_REPEATS || round.count > MAX_ROUNDS || this.#polled.has(key)
  }

  end(request: Request): void {
    const round = this.#rounds.get(placeOf(request))
    if (round) round.hasEnded = true
  }

  forget(): void {
    this.#times.clear()
    this.#rounds.clear()
  }
}

/** Returns the method and the address of a request, without its query. */
const placeOf = (request: Request): string => `${request.method()} ${request.url().split('?', 1)[0] ?? ''}`

/** Returns what tells a request from others: its method, its URL and its body, without times and random numbers. */
const keyOf = (request: Request): string =>
  createHash('sha1')
    .update(`${request.method()} ${request.url()} ${bodyOf(request)}`.replace(/0\.\d+|\d+/g, withoutStamp))
    .digest('base64')

/** Maximum distance of the time of a poll from the present. A time further back is the place in a list. Milliseconds. */
const MAX_STAMP_AGE_MS = 5 * 60_000
const MIN_RANDOM_LENGTH = 8

/** Drops the present time, in seconds or milliseconds, and a random number, which polls add so that no cache answers them. */
function withoutStamp(digits: string): string {
  if (digits.startsWith('0.') && digits.length > MIN_RANDOM_LENGTH) return ''
  const timeMs = digits.length === 10 ? Number(digits) * 1_000 : digits.length === 13 ? Number(digits) : 0
  return Math.abs(Date.now() - timeMs) < MAX_STAMP_AGE_MS ? '' : digits
}

function bodyOf(request: Request): string {
  const body = request.method() === 'GET' ? null : request.postDataBuffer()
  if (body === null) return ''
  const end = body.toString('latin1', Math.max(BODY_PART, body.length - BODY_PART))
  return `${body.length} ${body.toString('latin1', 0, BODY_PART)}${end}`
}
