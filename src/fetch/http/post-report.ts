import { createHmac } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { callbackify } from 'node:util'
import { Agent, buildConnector } from 'undici'
import { TrawlError } from '../../errors.js'
import { openConnection, createDirectDial } from '../network/connect.js'
import { followSignals, withTimeout } from '../../concurrency/deadline.js'
import { createResolver, type EgressOptions } from '../network/egress.js'
import { isLostConnection, toFetchError } from '../network/http-errors.js'
import { connectionHeaders, credentialsOf } from '../identity/request-headers.js'
import { defaultUserAgent } from '../identity/user-agent.js'
import { untilAborted } from '../../concurrency/until-aborted.js'

/** What a receiver is sent. */
export interface OutgoingReport {
  readonly url: string
  /** The caller's headers. */
  readonly headers: Readonly<Record<string, string>>
  /** JSON. */
  readonly body: string
}

/** Brings reports to webhooks. */
export interface ReportPoster {
  /**
   * Sends a report once.
   *
   * @returns why it was not taken, without the URL, which may hold a secret; undefined when it was
   * @throws the signal's reason, and nothing else
   */
  post(report: OutgoingReport, signal: AbortSignal): Promise<string | undefined>
  close(): Promise<void>
}

/** The policy for addresses holds here as for pages: who names a webhook may be a stranger as well. */
export interface ReportPosterOptions extends EgressOptions {
  /** What reports are signed with. @default they are not */
  readonly webhookSecret?: string | undefined
  readonly userAgent?: string | undefined
  /** How long a receiver may take, connecting included. Milliseconds. @default 10000 */
  readonly responseTimeoutMs?: number | undefined
}

/** What is read of an answer, so that its connection can be used again; of a longer one the connection is closed. */
const MAX_RESPONSE_BYTES = 64 * 1024

const open = callbackify(openConnection)

/** @see docs/compatibility.md#webhooks */
export function createReportPoster(options: ReportPosterOptions): ReportPoster {
  const { webhookSecret: secret, userAgent, responseTimeoutMs: answerMs = 10_000 } = options
  const dial = createDirectDial(createResolver(options))
  const closing = new AbortController()
  const secure = buildConnector({ timeout: 0 })
  /** The origins that somebody waits for: undici connects again after a request that was aborted, for nobody. */
  const waiting: string[] = []
  let opened = 0
  let made: Agent | undefined

  const agent = (): Agent =>
    (made ??= new Agent({
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (target, callback) => {
        if (!waiting.includes(`${target.protocol}//${target.host}`)) {
          return callback(new Error('nobody waits for this connection'), null)
        }
        opened += 1
        open(target, { dial, secure, signal: closing.signal }, (error, socket) =>
          error ? callback(error, null) : callback(null, socket),
        )
      },
    }))

  /** @throws what the wire throws; the signal's reason */
  async function send(url: URL, headers: Record<string, string>, body: Buffer, signal: AbortSignal): Promise<number> {
    const { origin, pathname, search } = url
    const request = { origin, path: pathname + search, method: 'POST', headers, body, signal } as const
    // A connection is free again one turn of the event loop after its last byte.
    await setImmediate()
    signal.throwIfAborted()
    waiting.push(origin)
    try {
      // undici heeds the signal only once there is a connection.
      const answer = await untilAborted(agent().request(request), signal)
      answer.body.on('error', () => undefined)
      // What it has said by now is all that counts, however it goes on.
      await answer.body.dump({ limit: MAX_RESPONSE_BYTES, signal }).catch(() => undefined)
      return answer.statusCode
    } finally {
      waiting.splice(waiting.indexOf(origin), 1)
    }
  }

  return {
    async post({ url: href, headers: given, body: text }, signal) {
      const url = new URL(href)
      const body = Buffer.from(text)
      const headers = buildHeaders(url, given, userAgent)
      if (secret !== undefined) headers['x-firecrawl-signature'] = sign(body, secret)
      using call = followSignals(signal, closing.signal)
      const makeReason = () => new TrawlError('SCRAPE_TIMEOUT', `no answer within ${answerMs / 1000} s`)
      using deadline = withTimeout(call.signal, answerMs, makeReason)
      try {
        const before = opened
        const status = await send(url, headers, body, deadline.signal).catch((error: unknown) => {
          // A kept connection may be closed by the other side just as it is used, which says nothing about the receiver.
          if (deadline.signal.aborted || opened !== before || !isLostConnection(error)) throw error
          return send(url, headers, body, deadline.signal)
        })
        return describeStatus(status)
      } catch (error) {
        if (signal.aborted) throw signal.reason
        return describeError(deadline.signal.aborted ? deadline.signal.reason : error, url)
      }
    },
    async close() {
      closing.abort(new TrawlError('ENGINE_CLOSED', 'the engine was closed'))
      await made?.destroy()
    },
  }
}

function buildHeaders(
  url: URL,
  given: OutgoingReport['headers'],
  userAgent = defaultUserAgent,
): Record<string, string> {
  const credentials = credentialsOf(url)
  const headers: Record<string, string> = {
    'user-agent': userAgent,
    ...(credentials !== undefined && { authorization: credentials }),
  }
  for (const [name, value] of Object.entries(given)) {
    if (!connectionHeaders.has(name.toLowerCase())) headers[name.toLowerCase()] = value
  }
  headers['content-type'] = 'application/json'
  return headers
}

const sign = (body: Buffer, secret: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

function describeStatus(status: number): string | undefined {
  if (status >= 200 && status < 300) return undefined
  return `answered with ${status}${status >= 300 && status < 400 ? ': redirects are not followed' : ''}`
}

function describeError(error: unknown, url: URL): string {
  const { code, message } = toFetchError(error, url)
  // For a webhook there is no way around a bad certificate.
  return code === 'SCRAPE_SSL_ERROR' ? message.replace(/;.*$/s, '') : message
}
