import { pipeline, type Transform } from 'node:stream'
import * as zlib from 'node:zlib'
import { TrawlError } from '../../errors.js'
import { decodeZstd } from './zstd.js'
import { ownValue } from '../../collections/own-value.js'

/** A body on its way: chunks in order. */
export type Chunks = AsyncIterable<Uint8Array>

type Decoder = (source: Chunks) => Chunks

/**
 * Undoes the codings of a body as it comes in.
 *
 * Codings are undone last first (RFC 9110 section 8.4). As browsers do: a name that is no content coding, such as
 * `utf-8`, is passed over; and a stream that ends early gives what could be decoded until then. Servers that leave out
 * the end of a gzip trailer are common, and a body cut on its way has failed before, by its length or its chunks.
 *
 * @param contentEncoding the `Content-Encoding` header
 * @param maxBytes no coding may decode to more than this, the ones in between included: a bomb is stopped on its way
 * @throws TrawlError `SCRAPE_ENCODING_ERROR` when the body is not in this coding, or in one that cannot be undone;
 * `SCRAPE_DECOMPRESSED_TOO_LARGE`; whatever the source throws
 */
export function decodeBody(source: Chunks, contentEncoding: string | undefined, maxBytes: number): Chunks {
  const codings = readCodings(contentEncoding)
  return codings.reduceRight(
    (chunks, coding) => limitBytes(decode(chunks, coding), maxBytes),
    limitBytes(source, maxBytes),
  )
}

const decoders: Readonly<Record<string, Decoder>> = {
  gzip: decodeGzip,
  'x-gzip': decodeGzip,
  deflate: decodeDeflate,
  br: decodeBrotli,
  zstd: decodeZstdBody,
}

/** Content codings of the IANA registry that nobody asked for and nothing here undoes. */
const unsupportedCodings: ReadonlySet<string> = new Set([
  'aes128gcm',
  'compress',
  'x-compress',
  'dcb',
  'dcz',
  'exi',
  'pack200-gzip',
])

/** More codings on top of each other than any server needs. */
const MAX_CODINGS = 5

function readCodings(contentEncoding = ''): string[] {
  const names = contentEncoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
  const unknown = names.find((name) => unsupportedCodings.has(name))
  if (unknown !== undefined) throw new TrawlError('SCRAPE_ENCODING_ERROR', `The body is in the coding \`${unknown}\``)
  const codings = names.filter((name) => Object.hasOwn(decoders, name))
  if (codings.length > MAX_CODINGS) {
    throw new TrawlError('SCRAPE_ENCODING_ERROR', `The body is in ${codings.length} codings at once`)
  }
  return codings
}

async function* decode(source: Chunks, coding: string): Chunks {
  const sourceErrors: unknown[] = []
  try {
    yield* ownValue(decoders, coding)?.(recordErrors(source, sourceErrors)) ?? source
  } catch (error) {
    if (sourceErrors.includes(error)) throw error
    throw new TrawlError('SCRAPE_ENCODING_ERROR', `The body is not in the coding \`${coding}\` that it claims`, {
      cause: error,
    })
  }
}

/** Passes a source on, and remembers what it threw: that is not the decoder's doing. */
async function* recordErrors(source: Chunks, errors: unknown[]): Chunks {
  try {
    yield* source
  } catch (error) {
    errors.push(error)
    throw error
  }
}

async function* limitBytes(source: Chunks, maxBytes: number): Chunks {
  let bytes = 0
  for await (const chunk of source) {
    bytes += chunk.length
    if (bytes > maxBytes) {
      throw new TrawlError(
        'SCRAPE_DECOMPRESSED_TOO_LARGE',
        `The body is larger than \`limits.bodyBytes\` (${maxBytes} bytes) after decompression`,
      )
    }
    yield chunk
  }
}

// The options let a stream end early: without them the last chunk of a cut stream would be thrown away with an error.
const lenient = { flush: zlib.constants.Z_SYNC_FLUSH, finishFlush: zlib.constants.Z_SYNC_FLUSH, chunkSize: 65_536 }

function decodeGzip(source: Chunks): Chunks {
  return passThrough(source, zlib.createGunzip(lenient))
}

function decodeBrotli(source: Chunks): Chunks {
  const flush = zlib.constants.BROTLI_OPERATION_FLUSH
  return passThrough(source, zlib.createBrotliDecompress({ flush, finishFlush: flush, chunkSize: 65_536 }))
}

/** `deflate` means the zlib format (RFC 1950); many servers send the bare one (RFC 1951). The first byte tells. */
async function* decodeDeflate(source: Chunks): Chunks {
  const chunks = source[Symbol.asyncIterator]()
  const first = await chunks.next()
  if (first.done) return
  const isZlib = ((first.value[0] ?? 0) & 0x0f) === 0x08
  const decoder = isZlib ? zlib.createInflate(lenient) : zlib.createInflateRaw(lenient)
  yield* passThrough(prepend(first.value, chunks), decoder)
}

async function* prepend(first: Uint8Array, rest: AsyncIterator<Uint8Array>): Chunks {
  yield first
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
}

/** What Node's zlib has from 22.15 on, and the types of Node 20 do not know. */
const modernZlib: typeof zlib & { createZstdDecompress?: (options: zlib.BrotliOptions) => Transform } = zlib

/** From zstd.h: the end of the input is no error; and the window that RFC 9659 allows over HTTP, 2 ** 23. */
const zstdOptions = { finishFlush: 1, params: { 100: 23 }, chunkSize: 65_536 }

function decodeZstdBody(source: Chunks): Chunks {
  const { createZstdDecompress } = modernZlib
  return createZstdDecompress ? passThrough(source, createZstdDecompress(zstdOptions)) : decodeZstd(source)
}

/** Gives what a decoder makes of the source. An error of either is thrown to the reader. */
async function* passThrough(source: Chunks, decoder: Transform): Chunks {
  // The reader below hears of an error through the decoder, which `pipeline` destroys with it.
  pipeline(source, decoder, () => undefined)
  yield* decoder
}
