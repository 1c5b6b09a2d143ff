import type { HttpResponse, Transport } from './transport.js'
import type { ResponseBody } from './receive-response.js'
import { makeHeaders } from './transport.js'

/** A request over the network. */
interface SentRequest {
  readonly url: URL
  readonly method: string
  /** Body of a form, URL-encoded. @default a request without a body */
  readonly form?: string
}

/** The end of a request. */
interface ExchangeEnd {
  /** Undefined where none came. */
  readonly response?: ObservedResponse
  /** Reason why no response came; undefined where one came. */
  readonly error?: unknown
}

/** A request that was sent over the network, and its response as it was received. */
export interface Exchange extends SentRequest, ExchangeEnd {
  /** Headers of the request, besides those of the connection. */
  readonly requestHeaders: Readonly<Record<string, string>>
  /** Time at which it was sent. Milliseconds since the epoch. */
  readonly sentAtMs: number
  /** Time until the response was complete. Milliseconds. */
  readonly tookMs: number
  /** Name of the recorder in the plan of the page: see `FetchPlan.recorder`. */
  readonly recorder?: string
  /** True if its URL and its answer may have a secret: see `FetchPlan.isPrivate`. */
  readonly isPrivate?: true
}

/** A response as it was received. */
interface ObservedResponse extends Pick<HttpResponse, 'statusCode' | 'statusText' | 'headers' | 'setCookies'> {
  /** The body in its content coding, without the coding of its transfer. */
  readonly body: readonly Uint8Array[]
  /** True for a body that was received to its end. */
  readonly isWhole: boolean
  /** True if the body is decoded, whatever its headers say: a browser gives no other. @default false */
  readonly isDecoded?: boolean
}

/** Observer of all exchanges of an engine over the network. It does not throw. */
export interface ExchangeObserver {
  /** False while it is to be told of none: then it costs nothing. */
  readonly isActive: boolean
  observe(exchange: Exchange): void
}

/** Returns a transport whose exchanges an observer is told of, each when its body has been read. */
export const withObserver = (
  transport: Transport,
  observer: ExchangeObserver,
  { recorder, isPrivate }: Pick<Exchange, 'recorder' | 'isPrivate'>,
  now: () => number,
): Transport => {
  const observed =
    (request: SentRequest, send: (sent: SentHeaders) => Promise<HttpResponse>) =>
    async (headers: SentHeaders): Promise<HttpResponse> => {
      let requestHeaders: Readonly<Record<string, string>> = {}
      const sentAtMs = now()
      const startMs = performance.now()
      const tell = (end: ExchangeEnd): void =>
        observer.observe({
          ...request,
          requestHeaders,
          sentAtMs,
          tookMs: Math.round(performance.now() - startMs),
          recorder,
          isPrivate,
          ...end,
        })
      try {
        const response = await send(() => (requestHeaders = makeHeaders(headers)))
        const { statusCode, statusText, headers: lines, setCookies } = response
        const body = new ObservedBody(response.body, (parts, isWhole) =>
          tell({ response: { statusCode, statusText, headers: lines, setCookies, body: parts, isWhole } }),
        )
        return { ...response, body }
      } catch (error) {
        tell({ error })
        throw error
      }
    }
  return {
    get: (url, headers, signal, sent) =>
      observed({ url, method: 'GET' }, (made) => transport.get(url, made, signal, sent))(headers),
    post: (asked, headers, signal, sent) =>
      observed({ ...asked, method: 'POST' }, (made) => transport.post(asked, made, signal, sent))(headers),
    close: (reason) => transport.close(reason),
  }
}

type SentHeaders = Parameters<Transport['get']>[1]

/** A body whose chunks are kept as they are read. */
class ObservedBody implements ResponseBody {
  readonly #body: ResponseBody
  readonly #tell: (parts: readonly Uint8Array[], isWhole: boolean) => void
  readonly #parts: Uint8Array[] = []
  #isTold = false

  constructor(body: ResponseBody, tell: (parts: readonly Uint8Array[], isWhole: boolean) => void) {
    this.#body = body
    this.#tell = tell
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    let isWhole = false
    try {
      for await (const chunk of this.#body) {
        this.#parts.push(chunk)
        yield chunk
      }
      isWhole = true
    } finally {
      this.#end(isWhole)
    }
  }

  destroy(): void {
    this.#body.destroy()
    this.#end(false)
  }

  async dump({ limit }: { readonly limit: number }): Promise<void> {
    let bytes = 0
    try {
      for await (const { length } of this) if ((bytes += length) > limit) return
    } catch {
      // Nobody waits for a body that is dropped: what was received of it is observed.
    }
  }

  #end(isWhole: boolean): void {
    if (this.#isTold) return
    this.#isTold = true
    this.#tell(this.#parts, isWhole)
  }
}
