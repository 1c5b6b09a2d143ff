import { createHmac } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { callbackify } from 'node:util'
import { TrawlError } from '../errors.js'
import { openConnection, createDirectDial } from '../network/connect.js'
import { followSignals, withTimeout } from '../concurrency/deadline.js'
import { createResolver, type EgressOptions } from '../network/egress.js'
import { isLostConnection, toFetchError } from './http-errors.js'
import { connectionHeaders, credentialsOf } from './connection-headers.js'
import { Agent, buildConnector, NEVER_PAUSED, sendRequest } from './http-client.js'
import { defaultUserAgent } from './default-user-agent.js'
import { untilAborted } from '../concurrency/until-aborted.js'

/** A report to send to its receiver. */
export interface OutgoingReport {
  readonly url: string
  /** The caller's headers. */
  readonly headers: Readonly<Record<string, string>>
  /** JSON. */
  readonly body: string
}

/** Sends reports to their receivers. */
export interface ReportPoster {
  /**
   * Sends a report once.
   *
   * @returns the reason why the receiver did not accept it, or undefined when it did. The reason does not contain the
   * URL, which may contain a secret.
   * @throws the signal's reason only
   */
  post(report: OutgoingReport, signal: AbortSignal): Promise<string | undefined>
  close(): Promise<void>
}

/**
 * Options of a report poster. The egress policy applies as for pages, because receivers may be configured by strangers.
 */
export interface ReportPosterOptions extends EgressOptions {
  /** Secret for the signature of reports. @default reports are not signed */
  readonly secret?: string
  readonly userAgent?: string
  /** Timeout for the response, including the connection. Milliseconds. @default 10000 */
  readonly responseTimeoutMs?: number
}

/** Bytes read of a response, so that its connection can be reused; the connection of a longer one is closed. */
const MAX_RESPONSE_BYTES = 64 * 1024

const open = callbackify(openConnection)

/** Creates a poster of reports. It opens nothing before the first one. */
export function createReportPoster(options: ReportPosterOptions): ReportPoster {
  const { secret, userAgent, responseTimeoutMs: answerMs = 10_000 } = options
  const dial = createDirectDial(createResolver(options))
  const closing = new AbortController()
  const secure = buildConnector({ timeout: 0 })
  /**
   * The origin of each pending request. undici opens a connection after an aborted request although nothing is pending;
   * such a connection is refused.
   */
  const pendingOrigins: string[] = []
  let opened = 0
  let made: Agent | undefined

  const agent = (): Agent =>
    (made ??= new Agent({
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (target, callback) => {
        if (!pendingOrigins.includes(`${target.protocol}//${target.host}`)) {
          return callback(new Error('no request is pending for this connection'), null)
        }
        opened += 1
        open(target, { dial, secure, signal: closing.signal }, (error, socket) =>
          error ? callback(error, null) : callback(null, socket),
        )
      },
    }))

  /** @throws errors of the network; the signal's reason */
  async function send(url: URL, headers: Record<string, string>, body: Buffer, signal: AbortSignal): Promise<number> {
    const { origin, pathname, search } = url
    const path = pathname + search
    const request = { origin, path, method: 'POST', headers, body, signal, highWaterMark: NEVER_PAUSED } as const
    // undici frees a connection one turn of the event loop after its last byte.
    await setImmediate()
    signal.throwIfAborted()
    pendingOrigins.push(origin)
    try {
      // undici notices the abort only once it is connected.
      const answer = await untilAborted(sendRequest(agent(), request), signal)
      answer.body.on('error', () => undefined)
      // Only the status matters; an error in the body is ignored.
      await answer.body.dump({ limit: MAX_RESPONSE_BYTES, signal }).catch(() => undefined)
      return answer.statusCode
    } finally {
      pendingOrigins.splice(pendingOrigins.indexOf(origin), 1)
    }
  }

  return {
    async post({ url: href, headers: given, body: text }, signal) {
      const url = new URL(href)
      const body = Buffer.from(text)
      const headers = buildHeaders(url, given, userAgent)
      if (secret !== undefined) headers['x-firecrawl-signature'] = sign(body, secret)
      using call = followSignals(signal, closing.signal)
      const makeReason = () => new TrawlError('SCRAPE_TIMEOUT', `no response within ${answerMs / 1000} s`)
      using deadline = withTimeout(call.signal, answerMs, makeReason)
      try {
        const before = opened
        const status = await send(url, headers, body, deadline.signal).catch((error: unknown) => {
          // A server may close an idle connection just as it is used, which is no failure of the receiver.
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
  // Removes the advice about `skipTlsVerification`, which is no option of reports.
  return code === 'SCRAPE_SSL_ERROR' ? message.replace(/;.*$/s, '') : message
}
