import type { AnsweredRequest } from '../../../kernel/fetch/fetched-page.js'
import { isSuccessStatus } from '../../../base/http/statuses.js'
import type { RecordedAnswer } from '../../../kernel/fetch/fetched-page.js'
import type { OpenPage } from '../navigation/open-page.js'
import { endpointOf, isWebUrl, MAX_URL_CHARACTERS, parseUrl } from '../../../base/url.js'

/** Records the JSON answers to the GET requests of a page's scripts. */
export interface AnswerRecorder {
  /** The answers in the order of their requests. */
  readonly answers: readonly RecordedAnswer[]
  /** Begins to look for a series: the answers so far are not enough for one. */
  start(): void
  /** Resolves to true if two requests to the same endpoint were answered, at least one of them since `start`. */
  hasSeries(): Promise<boolean>
}

/** Maximum size of an answer and of all of them, in bytes, and their number. The browser drops larger ones. */
const MAX_BYTES = 2 * 1024 * 1024
const MAX_TOTAL_BYTES = 4 * MAX_BYTES
const MAX_ANSWERS = 40
/** Minimum length of an answer with entries. Characters. */
const MIN_LENGTH = 100

/** Headers of a request that an API may need and that say nothing about the visitor. */
const KEPT_HEADERS: ReadonlySet<string> = new Set(['accept', 'x-requested-with'])

/**
 * Records the answers of a page from now on. Each is read from the browser's memory as text, and not parsed. Sessions of
 * the protocol have buffers of their own, so that those of the page stay as they are.
 */
export async function recordAnswers({ context, page }: OpenPage): Promise<AnswerRecorder> {
  const session = await context.newCDPSession(page)
  const order: string[] = []
  const pending = new Map<string, AnsweredRequest>()
  const recorded = new Map<string, RecordedAnswer>()
  const reading = new Set<Promise<void>>()
  let bytes = 0
  let started: ReadonlySet<string> = new Set()
  session.on('Network.requestWillBeSent', ({ requestId, request, type }) => {
    if (request.method !== 'GET' || (type !== 'XHR' && type !== 'Fetch') || order.length >= MAX_ANSWERS) return
    if (!isRequestable(request.url)) return
    if (!pending.has(requestId)) order.push(requestId)
    const headers = Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value] as const)
    pending.set(requestId, {
      url: request.url,
      headers: Object.fromEntries(headers.filter(([name]) => KEPT_HEADERS.has(name))),
    })
  })
  session.on('Network.responseReceived', ({ requestId, response }) => {
    if (!isSuccessStatus(response.status) || !/\bjson\b/i.test(response.mimeType)) pending.delete(requestId)
  })
  session.on('Network.loadingFailed', ({ requestId }) => pending.delete(requestId))
  session.on('Network.loadingFinished', ({ requestId }) => {
    const request = pending.get(requestId)
    pending.delete(requestId)
    if (!request || bytes > MAX_TOTAL_BYTES) return
    const taking = take(requestId, request).finally(() => reading.delete(taking))
    reading.add(taking)
  })
  await session.send('Network.enable', { maxTotalBufferSize: MAX_TOTAL_BYTES, maxResourceBufferSize: MAX_BYTES })

  async function take(requestId: string, request: AnsweredRequest): Promise<void> {
    // An answer that was too large for the buffer has no body.
    const answer = await session.send('Network.getResponseBody', { requestId }).catch(() => undefined)
    if (!answer || answer.base64Encoded || answer.body.length < MIN_LENGTH) return
    bytes += answer.body.length
    recorded.set(requestId, { ...request, text: answer.body })
  }

  return {
    get answers() {
      return order.flatMap((requestId) => recorded.get(requestId) ?? [])
    },
    start() {
      started = new Set(recorded.keys())
    },
    async hasSeries() {
      await Promise.all(reading)
      const byEndpoint = new Map<string, Set<string>>()
      let isFound = false
      for (const [requestId, { url }] of recorded) {
        const endpoint = endpointOf(url)
        const urls = byEndpoint.get(endpoint) ?? new Set()
        byEndpoint.set(endpoint, urls.add(url))
        isFound ||= urls.size > 1 && !started.has(requestId)
      }
      return isFound
    },
  }
}

/** Tests for a URL that can be requested over HTTP. A `data:` URL may have megabytes. */
function isRequestable(href: string): boolean {
  const url = href.length <= MAX_URL_CHARACTERS ? parseUrl(href) : undefined
  return url !== undefined && isWebUrl(url)
}
