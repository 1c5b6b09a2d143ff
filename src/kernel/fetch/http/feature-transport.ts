import type { ResponseHead } from '../../../base/http/receive-response.js'
import { yieldIfHeld } from '../../../base/concurrency/yield-turn.js'
import { untilAborted } from '../../../base/concurrency/until-aborted.js'
import { withinMs } from '../../../base/concurrency/within-ms.js'
import { messageOf, printSeen, type TrawlError } from '../../../base/errors.js'
import type { ReceivedResponse, ResponseBody } from '../../../base/http/receive-response.js'
import { withoutCredentials } from '../../../base/url.js'
import { failFeature } from '../feature-failure.js'
import type { FetcherRequest, FetcherResponse, NamedFetcher } from '../feature-fetcher.js'
import type { FetchLimits } from '../fetcher.js'
import { checkHeaderSize } from '../../../base/http/header-limit.js'
import { makeHeaders, readHead, type Transport } from '../../../base/http/transport.js'

/** The URL as fetchers of features see it. */
function nameUrl(url: URL): string {
  const { href, hash } = withoutCredentials(url)
  return href.slice(0, href.length - hash.length).replace(/#$/, '')
}

/** Creates the error of a fetcher that has failed, or answered what is no answer. */
const failure = ({ feature }: NamedFetcher, problem: string, url: URL, cause?: unknown): TrawlError =>
  failFeature(feature, problem, { url: nameUrl(url), cause })

/**
 * Finds the fetcher whose own a URL is: the first one in the order of the features.
 *
 * @param method method of the request, if it is known
 * @throws TrawlError `FEATURE_FAILED`
 */
export function findFetcher(fetchers: readonly NamedFetcher[], url: URL, method?: string): NamedFetcher | undefined {
  const name = nameUrl(url)
  return fetchers.find((own) => {
    let answer: unknown
    try {
      answer = own.fetcher.handles(name, method)
    } catch (error) {
      throw failure(own, `its \`handles\` threw: ${messageOf(error)}`, url, error)
    }
    if (typeof answer === 'boolean') return answer
    // A promise would be true for every URL. What it ends in concerns nobody.
    if (answer instanceof Promise) answer.catch(() => undefined)
    throw failure(own, `its \`handles\` returned ${printSeen(answer)}, and no boolean`, url)
  })
}

/** Returns a transport that asks fetchers of features for the URLs that are their own, and `transport` for all others. */
export const withFetchers = (
  transport: Transport,
  fetchers: readonly NamedFetcher[],
  limits: FetchLimits,
): Transport => {
  const send: Transport['post'] = async ({ url, form }, headers, signal, sent) => {
    await openAll(fetchers, signal)
    const own = findFetcher(fetchers, url, form === undefined ? 'GET' : 'POST')
    if (own) {
      signal.throwIfAborted()
      sent?.()
      return readHead(await ask(own, url, { form, headers: makeHeaders(headers), signal, limits }))
    }
    return form === undefined
      ? await transport.get(url, headers, signal, sent)
      : await transport.post({ url, form }, headers, signal, sent)
  }
  return {
    get: (url, headers, signal, sent) => send({ url }, headers, signal, sent),
    post: send,
    close: (reason) => transport.close(reason),
  }
}

/** Opens the fetchers that have something to open. @throws what one of them throws; the signal's reason */
export async function openAll(fetchers: readonly NamedFetcher[], signal: AbortSignal): Promise<void> {
  for (const { fetcher } of fetchers) if (fetcher.open) await untilAborted(fetcher.open(), signal)
}

/** Maximum time that a page or a job waits for fetchers to open, beside its own: an archive of millions of records is read. Milliseconds. */
const MAX_OPENING_MS = 600_000

/** Waits for fetchers to open, outside of the time of a page. What fails here, or takes too long, fails the pages. */
export async function awaitOpen(
  fetchers: readonly NamedFetcher[],
  signal: AbortSignal,
  maxMs = MAX_OPENING_MS,
): Promise<void> {
  await withinMs(
    openAll(fetchers, signal).catch(() => undefined),
    maxMs,
  )
}

interface Asked {
  readonly form: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  readonly limits: FetchLimits
}

/** Asks a fetcher. @throws TrawlError `FEATURE_FAILED`, `SCRAPE_HEADERS_TOO_LARGE`; the signal's reason */
async function ask(own: NamedFetcher, url: URL, { form, headers, signal, limits }: Asked): Promise<ReceivedResponse> {
  const { wireBytes, bodyBytes, headerBytes } = limits
  const request: FetcherRequest = {
    url: nameUrl(url),
    ...(form === undefined ? { method: 'GET' } : { method: 'POST', body: form }),
    headers: { ...headers },
    signal,
    limits: { wireBytes, bodyBytes, headerBytes },
  }
  const given = (async (): Promise<unknown> => own.fetcher.fetch(request))()
  let tooMany: TrawlError | undefined
  try {
    const answer = await untilAborted(given, signal)
    const response = readResponse(answer, (problem) => new FetcherFault(`its fetcher ${problem}`))
    tooMany = checkHeaderSize(listLines(response.headers), headerBytes, url)
    if (tooMany) throw tooMany
    const body = new FetcherBody(response.body, signal, (problem, cause) => failure(own, problem, url, cause))
    return { ...response, body }
  } catch (error) {
    // Nobody reads an answer that is refused, or comes too late: what it holds open is let go.
    given.then(release).catch(() => undefined)
    signal.throwIfAborted()
    throw tooMany ?? failure(own, messageOf(error), url, error)
  }
}

/** Cancels the body of an answer that nobody reads. */
async function release(answer: unknown): Promise<void> {
  const body: unknown = typeof answer === 'object' && answer !== null && 'body' in answer ? answer.body : undefined
  if (body instanceof ReadableStream) await body.cancel()
  else if (isStream(body)) await body[Symbol.asyncIterator]().return?.()
}

/** Thrown for an answer that is none. */
class FetcherFault extends Error {}

/** Makes the error of a problem that the words "its fetcher" precede. */
type MakeFault = (problem: string) => FetcherFault

type GivenBody = NonNullable<FetcherResponse['body']>

/** Reads an answer, whose fields may have any type. */
function readResponse(answer: unknown, fault: MakeFault): ResponseHead & { readonly body: GivenBody } {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer) || answer instanceof Uint8Array)
    throw fault(`returned ${printSeen(answer)}: an object with \`status\`, \`headers\` and \`body\`, or a \`Response\``)
  const { status = 200, statusText = '', headers = {}, body, url } = answer as Readonly<Record<string, unknown>>
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 200 || status > 599)
    throw fault(`returned the \`status\` ${printSeen(status)}: a whole number of 200 to 599`)
  if (typeof statusText !== 'string') throw fault(`returned the \`statusText\` ${printSeen(statusText)}: a string`)
  const lines = readHeaders(headers, fault)
  // What `fetch` returns, of the platform or of a package, is decoded already, and has the headers of what it was.
  if ('bodyUsed' in answer && url !== '') {
    delete lines['content-encoding']
    delete lines['content-length']
  }
  return { statusCode: status, statusText, headers: lines, body: readGivenBody(body ?? '', fault) }
}

function readHeaders(headers: unknown, fault: MakeFault): Record<string, string[]> {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers) || headers instanceof Map)
    throw fault(`returned the \`headers\` ${printSeen(headers)}: an object with a string for each name, or \`Headers\``)
  // Packages have a `Headers` of their own.
  const entries = Symbol.iterator in headers ? [...(headers as Headers)] : Object.entries(headers)
  const lines: Record<string, string[]> = Object.create(null) as Record<string, string[]>
  for (const [name, value] of entries as readonly (readonly [string, unknown])[]) {
    if (value === undefined) continue
    const values: unknown[] = Array.isArray(value) ? value : [value]
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) throw fault(`returned a header with the name ${printSeen(name)}`)
    const key = name.toLowerCase()
    for (const line of values) {
      if (typeof line !== 'string' || /[\0\r\n]/.test(line))
        throw fault(`returned the header \`${name}\` as ${printSeen(line)}: a string of one line`)
      ;(lines[key] ??= []).push(line)
    }
  }
  return lines
}

function readGivenBody(body: unknown, fault: MakeFault): GivenBody {
  if (typeof body === 'string' || body instanceof Uint8Array) return body
  if (isStream(body)) return body
  throw fault(`returned the \`body\` ${printSeen(body)}: a string, a \`Uint8Array\`, or a stream of them`)
}

const isStream = (body: unknown): body is AsyncIterable<Uint8Array> =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body

function* listLines(headers: ReceivedResponse['headers']): Iterable<readonly [string, string]> {
  for (const name of Object.keys(headers)) for (const line of [headers[name] ?? []].flat()) yield [name, line]
}

/** Reads what an iterable gives. */
interface ChunkReader {
  next(): Promise<IteratorResult<unknown>>
  return?(): Promise<IteratorResult<unknown>>
}

/** Body that a fetcher has answered with, which is read no longer than its signal lasts. */
class FetcherBody implements ResponseBody {
  readonly #given: GivenBody
  readonly #signal: AbortSignal
  readonly #fail: (problem: string, cause?: unknown) => TrawlError
  #chunks: ChunkReader | undefined
  #isEnded = false

  constructor(given: GivenBody, signal: AbortSignal, fail: (problem: string, cause?: unknown) => TrawlError) {
    this.#given = given
    this.#signal = signal
    this.#fail = fail
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    if (typeof this.#given === 'string' || this.#given instanceof Uint8Array) {
      yield Buffer.from(this.#given)
      return
    }
    try {
      const chunks = this.#open(this.#given)
      for (;;) {
        // Chunks that are there already, such as empty ones, would hold the event loop, and with it every deadline.
        await yieldIfHeld()
        const { done, value } = await untilAborted(Promise.resolve(chunks.next()), this.#signal)
        if (done) break
        if (!(value instanceof Uint8Array))
          throw new FetcherFault(`a chunk is ${printSeen(value)}, and no \`Uint8Array\``)
        yield value
      }
      this.#isEnded = true
    } catch (error) {
      this.#signal.throwIfAborted()
      throw this.#fail(`the body of its fetcher broke off: ${messageOf(error)}`, error)
    }
  }

  destroy(): void {
    if (this.#isEnded || typeof this.#given === 'string' || this.#given instanceof Uint8Array) return
    this.#isEnded = true
    // Whoever reads is gone: what the end throws concerns nobody.
    const given = this.#given
    void (async () => (this.#chunks ?? this.#open(given)).return?.())().catch(() => undefined)
  }

  /** Opens the stream. One of the platform is read by a reader, because its iterator cannot be ended while it waits for a chunk. */
  #open(given: AsyncIterable<unknown>): ChunkReader {
    if (!(given instanceof ReadableStream)) return (this.#chunks = given[Symbol.asyncIterator]())
    const reader = (given as ReadableStream<unknown>).getReader()
    return (this.#chunks = {
      next: () => reader.read() as Promise<IteratorResult<unknown>>,
      return: async () => ({ done: true, value: await reader.cancel() }),
    })
  }

  async dump(): Promise<void> {
    this.destroy()
  }
}
