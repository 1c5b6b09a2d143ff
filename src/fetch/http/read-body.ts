import { TrawlError } from '../../errors.js'
import { type Chunks, decodeBody } from './decode-body.js'
import type { FetchLimits, UsageMeter } from '../fetcher.js'
import type { HttpResponse } from './transport.js'

/**
 * Reads a body to its end and decodes its content codings.
 *
 * @returns bytes in a buffer of their own, so that they can be transferred to a worker thread
 * @throws TrawlError `SCRAPE_BODY_TOO_LARGE`, before reading if `Content-Length` exceeds the limit;
 * `SCRAPE_DECOMPRESSED_TOO_LARGE`, `SCRAPE_ENCODING_ERROR`; the signal's reason; errors of the connection
 */
export async function readBody(
  { headers, body }: Pick<HttpResponse, 'headers'> & { readonly body: Chunks },
  limits: FetchLimits,
  signal: AbortSignal,
  meter?: UsageMeter,
): Promise<Uint8Array> {
  const { wireBytes, bodyBytes } = limits
  if (Number(headers['content-length']) > wireBytes) throw tooLarge(wireBytes)
  const bytes = createByteSink()
  for await (const chunk of decodeBody(countWire(body, wireBytes, meter), headers['content-encoding'], bodyBytes)) {
    // After an abort, data received before may take a while to decode.
    signal.throwIfAborted()
    bytes.add(chunk)
  }
  return bytes.finish()
}

async function* countWire(body: AsyncIterable<Uint8Array>, wireBytes: number, meter: UsageMeter | undefined): Chunks {
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    meter?.received(chunk.length)
    if (bytes > wireBytes) throw tooLarge(wireBytes)
    yield chunk
  }
}

const tooLarge = (wireBytes: number): TrawlError =>
  new TrawlError('SCRAPE_BODY_TOO_LARGE', `The body is larger than \`limits.wireBytes\` (${wireBytes} bytes)`)

/**
 * Copies chunks into one buffer as they arrive: kept apart, a body sent byte by byte would take a hundred times its
 * size.
 */
function createByteSink() {
  let buffer = new Uint8Array(65_536)
  let length = 0
  return {
    add(chunk: Uint8Array) {
      if (length + chunk.length > buffer.length) {
        const larger = new Uint8Array(Math.max(buffer.length * 2, length + chunk.length))
        larger.set(buffer.subarray(0, length))
        buffer = larger
      }
      buffer.set(chunk, length)
      length += chunk.length
    },
    finish: () => buffer.slice(0, length),
  }
}
