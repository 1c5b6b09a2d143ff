import { withTimeout } from '../concurrency/deadline.js'
import { untilAborted } from '../concurrency/until-aborted.js'
import { messageOf, TrawlError } from '../errors.js'
import { type Chunks, decodeBody, isEncoded, tooLargeDecoded } from './decode-body.js'
import type { HttpResponse } from './transport.js'

/** Limits of a body. */
interface BodyLimits {
  /** Bytes on the wire. */
  readonly wireBytes: number
  /** Bytes after decompression. */
  readonly bodyBytes: number
}

/** Measures what is received. */
interface ByteMeter {
  received(bytes: number): void
}

/**
 * Reads a body to its end and decodes its content codings.
 *
 * @returns bytes in a buffer of their own, so that they can be transferred to a worker thread
 * @throws TrawlError `SCRAPE_BODY_TOO_LARGE`, before reading if `Content-Length` exceeds the limit;
 * `SCRAPE_DECOMPRESSED_TOO_LARGE`, `SCRAPE_ENCODING_ERROR`; the signal's reason; errors of the connection
 */
export async function readBody(
  response: ReadableResponse,
  limits: BodyLimits,
  signal: AbortSignal,
  meter?: ByteMeter,
): Promise<Uint8Array> {
  const bytes = createByteSink()
  await collectBody(response, limits, { signal, meter, bytes })
  return bytes.finish()
}

/** A body as far as it could be read, and why the rest could not. */
interface PartialBody {
  readonly body: Uint8Array
  readonly problem?: string
}

/**
 * Reads the body of an answer that is no success. Its status stands whatever becomes of the body: one that is cut short, is in
 * another coding than it claims, or does not end within `limitMs` is read as far as it goes.
 *
 * @throws the signal's reason
 * @see RFC 9309 section 2.3.1.3, for which the status of a robots.txt decides
 */
export async function readErrorBody(
  response: ReadableResponse,
  limits: BodyLimits,
  { signal, meter, limitMs }: { readonly signal: AbortSignal; readonly meter?: ByteMeter; limitMs: number },
): Promise<PartialBody> {
  const bytes = createByteSink()
  using limit = withTimeout(signal, limitMs, () => new Error(`it did not end within ${Math.round(limitMs)} ms`))
  try {
    await untilAborted(collectBody(response, limits, { signal: limit.signal, meter, bytes }), limit.signal)
    return { body: bytes.finish() }
  } catch (error) {
    signal.throwIfAborted()
    return { body: bytes.finish(), problem: messageOf(error) }
  }
}

interface ReadableResponse {
  readonly headers: HttpResponse['headers']
  readonly body: Chunks
}

async function collectBody(
  { headers, body }: ReadableResponse,
  { wireBytes, bodyBytes }: BodyLimits,
  to: { readonly signal: AbortSignal; readonly meter: ByteMeter | undefined; readonly bytes: ByteSink },
): Promise<void> {
  const { signal, meter, bytes } = to
  if (Number(headers['content-length']) > wireBytes) throw tooLarge(wireBytes)
  const count = createWireCounter(wireBytes, meter)
  const coding = headers['content-encoding']
  if (isEncoded(coding)) {
    for await (const chunk of decodeBody(countWire(body, count), coding, bodyBytes)) {
      // After an abort, data received before may take a while to decode.
      signal.throwIfAborted()
      bytes.add(chunk)
    }
    return
  }
  // Without generators, of which each makes four promises for every chunk.
  for await (const chunk of body) {
    if (count(chunk) > bodyBytes) throw tooLargeDecoded(bodyBytes)
    signal.throwIfAborted()
    bytes.add(chunk)
  }
}

/** Counts the bytes of a body as they were sent. Returns those so far, and throws for more than `wireBytes`. */
type WireCounter = (chunk: Uint8Array) => number

function createWireCounter(wireBytes: number, meter: ByteMeter | undefined): WireCounter {
  let bytes = 0
  return ({ length }) => {
    bytes += length
    meter?.received(length)
    if (bytes > wireBytes) throw tooLarge(wireBytes)
    return bytes
  }
}

async function* countWire(body: AsyncIterable<Uint8Array>, count: WireCounter): Chunks {
  for await (const chunk of body) {
    count(chunk)
    yield chunk
  }
}

const tooLarge = (wireBytes: number): TrawlError =>
  new TrawlError('SCRAPE_BODY_TOO_LARGE', `The body is larger than \`limits.wireBytes\` (${wireBytes} bytes)`)

/** Chunks of fewer bytes are copied together: kept apart, a body sent byte by byte would take a hundred times its size. */
const SMALL_CHUNK_BYTES = 4096
/** Size of a buffer for small chunks. Bytes. */
const SMALL_CHUNKS_BYTES = 16_384

type ByteSink = ReturnType<typeof createByteSink>

/** Collects chunks, and copies them into one buffer at the end: a buffer that grows costs twice the time for most bodies. */
function createByteSink() {
  const parts: Uint8Array[] = []
  let length = 0
  let small: Uint8Array | undefined
  let smallLength = 0
  const flush = (): void => {
    if (small) parts.push(small.subarray(0, smallLength))
    small = undefined
    smallLength = 0
  }
  return {
    add(chunk: Uint8Array) {
      length += chunk.length
      if (smallLength + chunk.length > SMALL_CHUNKS_BYTES || chunk.length >= SMALL_CHUNK_BYTES) flush()
      if (chunk.length >= SMALL_CHUNK_BYTES) {
        parts.push(chunk)
        return
      }
      small ??= new Uint8Array(SMALL_CHUNKS_BYTES)
      small.set(chunk, smallLength)
      smallLength += chunk.length
    },
    finish(): Uint8Array {
      flush()
      // `allocUnsafeSlow` gives a buffer of its own, which need not be cleared first.
      const whole = new Uint8Array(Buffer.allocUnsafeSlow(length).buffer)
      let at = 0
      for (const part of parts) {
        whole.set(part, at)
        at += part.length
      }
      return whole
    },
  }
}
