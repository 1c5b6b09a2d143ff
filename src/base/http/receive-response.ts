import type { Agent, Dispatcher } from 'undici'
import util from 'undici/lib/core/util.js'
import { onAbort } from '../concurrency/on-abort.js'

/** The body of a response, which is received as fast as it comes. */
export interface ResponseBody extends AsyncIterable<Uint8Array> {
  /** Ends the connection, unless the body was received to its end. */
  destroy(): unknown
  /** Receives the rest and drops it, so that the connection can be reused, but no more than `limit` bytes in all. */
  dump(options: { readonly limit: number }): Promise<void>
}

/** Status and headers of a response. */
export interface ResponseHead {
  readonly statusCode: number
  readonly statusText: string
  /** Names in lower case; a repeated header has an array. */
  readonly headers: Readonly<Record<string, string | string[]>>
}

/** The head of a response, with its body still to be read. */
export interface ReceivedResponse extends ResponseHead {
  readonly body: ResponseBody
}

/**
 * Sends a request by an agent, and resolves with the head of the response.
 *
 * undici's own `request` makes a stream for each body, which `for await` wraps in another half dozen objects: a tenth of the
 * time that the host's thread takes for a page.
 *
 * @throws the error of undici; the signal's reason, at once
 */
export function receiveResponse(
  agent: Agent,
  options: Dispatcher.DispatchOptions,
  signal: AbortSignal,
): Promise<ReceivedResponse> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    agent.dispatch(options, new ResponseReceiver(signal, resolve, reject))
  })
}

/** A reader that waits for the next chunk. */
interface WaitingReader {
  resolve(result: IteratorResult<Uint8Array, undefined>): void
  reject(reason: unknown): void
}

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined }

/** Receives one response from undici, and is its body. */
class ResponseReceiver implements Dispatcher.DispatchHandler, ResponseBody, AsyncIterator<Uint8Array, undefined> {
  #signal: AbortSignal | undefined
  #resolve: ((response: ReceivedResponse) => void) | undefined
  #reject: (reason: unknown) => void
  #endConnection: (() => void) | undefined
  /** `Content-Length`, if the response states it and has a body. Bytes. */
  #length = 0
  #hasNoBody = false
  #chunks: (Uint8Array | undefined)[] = []
  /** Chunks that were read: `shift()` moves all others, which a server of tiny chunks would make quadratic. */
  #read = 0
  #reader: WaitingReader | undefined
  #received = 0
  /** Bytes after which a body that is dropped is not received further; undefined for one that is read. */
  #limit: number | undefined
  #state: 'open' | 'ended' | 'failed' = 'open'
  #failure: unknown

  constructor(signal: AbortSignal, resolve: (response: ReceivedResponse) => void, reject: (reason: unknown) => void) {
    this.#signal = signal
    this.#resolve = resolve
    this.#reject = reject
    onAbort(signal, this)
  }

  /** The signal has aborted. */
  handleEvent(): void {
    if (this.#state === 'open') this.#stop(this.#signal?.reason)
  }

  onConnect(abort: () => void): void {
    this.#endConnection = abort
    if (this.#state === 'failed') abort()
  }

  onHeaders(statusCode: number, lines: Buffer[], _resume: () => void, statusText: string): boolean {
    // Answers such as `103 Early Hints` come before the response.
    if (statusCode < 200 || this.#state === 'failed') return true
    const headers = util.parseHeaders(lines)
    this.#hasNoBody = withoutBody.has(statusCode)
    this.#length = this.#hasNoBody ? 0 : Number(headers['content-length'] ?? 0)
    this.#resolve?.({ statusCode, statusText, headers, body: this })
    this.#resolve = undefined
    return true
  }

  onData(chunk: Buffer): boolean {
    this.#received += chunk.length
    if (this.#limit !== undefined) {
      if (this.#received > this.#limit) this.destroy()
    } else if (this.#reader) {
      this.#reader.resolve({ done: false, value: chunk })
      this.#reader = undefined
    } else if (this.#state === 'open') this.#chunks.push(chunk)
    return true
  }

  onComplete(): void {
    if (this.#state !== 'open') return
    this.#state = 'ended'
    this.#reader?.resolve(DONE)
    this.#leave()
  }

  onError(error: Error): void {
    // undici expects as many bytes as the response states also of a status without a body.
    const isLength = 'code' in error && error.code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'
    if (isLength && this.#hasNoBody) this.onComplete()
    else this.#fail(error)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<IteratorResult<Uint8Array, undefined>> {
    const chunk = this.#takeChunk()
    if (chunk) return Promise.resolve({ done: false, value: chunk })
    if (this.#state === 'ended') return Promise.resolve(DONE)
    if (this.#state === 'failed') return Promise.reject(this.#failure)
    return new Promise((resolve, reject) => {
      this.#reader = { resolve, reject }
    })
  }

  #takeChunk(): Uint8Array | undefined {
    const chunk = this.#chunks[this.#read]
    if (chunk === undefined) return undefined
    this.#chunks[this.#read] = undefined
    this.#read += 1
    if (this.#read === this.#chunks.length) {
      this.#chunks = []
      this.#read = 0
    }
    return chunk
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this.destroy()
    return DONE
  }

  destroy(): void {
    // Nearly all bodies have ended, and an error captures the stack.
    if (this.#state === 'open') this.#stop(new Error('the body was not read to its end'))
  }

  async dump({ limit }: { readonly limit: number }): Promise<void> {
    this.#limit = limit
    this.#chunks = []
    this.#read = 0
    if (Math.max(this.#received, this.#length) > limit) return this.destroy()
    // No chunk is kept any more: the next result is the end.
    await this.next().catch(() => undefined)
  }

  /** Ends a response that is not complete, with its connection. */
  #stop(reason: unknown): void {
    this.#fail(reason)
    this.#endConnection?.()
  }

  #fail(reason: unknown): void {
    if (this.#state !== 'open') return
    this.#state = 'failed'
    this.#failure = reason
    this.#chunks = []
    this.#read = 0
    if (this.#resolve) this.#reject(reason)
    this.#reader?.reject(reason)
    this.#leave()
  }

  /** Lets go of all that belongs to the page, because a signal may keep a listener that was removed. */
  #leave(): void {
    this.#signal?.removeEventListener('abort', this)
    this.#signal = undefined
    this.#resolve = undefined
    this.#reject = () => undefined
    this.#reader = undefined
  }
}

/** Statuses of responses without a body, which may state the length that another response would have (RFC 9110 section 8.6). */
const withoutBody: ReadonlySet<number> = new Set([204, 304])
