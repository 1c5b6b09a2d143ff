import { pipeline, type Transform } from 'node:stream'
import * as zlib from 'node:zlib'
import { TrawlError } from '../errors.js'
import { decodeMembers } from './gzip-members.js'
import { decodeZstd } from './zstd.js'
import { ownValue } from '../collections/own-value.js'

/** The chunks of a body, in order. */
export type Chunks = AsyncIterable<Uint8Array>

type Decoder = (source: Chunks, maxBytes: number) => Chunks

/**
 * Decodes the content codings of a body as it is received.
 *
 * Codings are undone last first (RFC 9110 section 8.4). As in browsers, a name that is no content coding, such as
 * `utf-8`, is ignored, and a stream that ends early yields what could be decoded. Servers often omit the end of a gzip
 * trailer; a truncated body is detected by its length or its chunks before. Bytes after the end are ignored: a script may
 * print more after the page that its server compressed.
 *
 * @param contentEncoding the `Content-Encoding` header
 * @param maxBytes maximum decoded size of each coding, intermediate ones included, so that a decompression bomb is
 * stopped early
 * @throws TrawlError `SCRAPE_ENCODING_ERROR` when the body is not in this coding, or the coding is not supported;
 * `SCRAPE_DECOMPRESSED_TOO_LARGE`; errors of the source
 */
export function decodeBody(source: Chunks, contentEncoding: string | undefined, maxBytes: number): Chunks {
  const codings = readCodings(contentEncoding)
  return codings.reduceRight(
    (chunks, coding) => limitBytes(decode(chunks, coding, maxBytes), maxBytes),
    limitBytes(source, maxBytes),
  )
}

/** Tests whether a body has a content coding that {@link decodeBody} undoes. @throws TrawlError as that function */
export const isEncoded = (contentEncoding: string | undefined): boolean =>
  contentEncoding !== undefined && readCodings(contentEncoding).length > 0

const decoders: Readonly<Record<string, Decoder>> = {
  gzip: decodeGzip,
  'x-gzip': decodeGzip,
  deflate: decodeDeflate,
  br: decodeBrotli,
  zstd: decodeZstdBody,
}

/**
 * Registered content codings that are neither requested nor supported.
 * @see https://www.iana.org/assignments/http-parameters/
 */
const unsupportedCodings: ReadonlySet<string> = new Set([
  'aes128gcm',
  'compress',
  'x-compress',
  'dcb',
  'dcz',
  'exi',
  'pack200-gzip',
])

/** Maximum number of codings of one body. */
const MAX_CODINGS = 5

function readCodings(contentEncoding = ''): string[] {
  const names = contentEncoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
  const unknown = names.find((name) => unsupportedCodings.has(name))
  if (unknown !== undefined)
    throw new TrawlError('SCRAPE_ENCODING_ERROR', `The content coding \`${unknown}\` is not supported`)
  const codings = names.filter((name) => Object.hasOwn(decoders, name))
  if (codings.length > MAX_CODINGS) {
    throw new TrawlError(
      'SCRAPE_ENCODING_ERROR',
      `The body has ${codings.length} content codings; at most ${MAX_CODINGS} are decoded`,
    )
  }
  return codings
}

async function* decode(source: Chunks, coding: string, maxBytes: number): Chunks {
  const sourceErrors: unknown[] = []
  try {
    yield* ownValue(decoders, coding)?.(recordErrors(source, sourceErrors), maxBytes) ?? source
  } catch (error) {
    if (sourceErrors.includes(error)) throw error
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') throw tooLargeDecoded(maxBytes)
    throw new TrawlError('SCRAPE_ENCODING_ERROR', `The body is not in the coding \`${coding}\` that it claims`, {
      cause: error,
    })
  }
}

/** Yields the source and records its errors, which are not the decoder's. */
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
    if (bytes > maxBytes) throw tooLargeDecoded(maxBytes)
    yield chunk
  }
}

/** Creates the error of a body whose decoded size exceeds the limit. */
export const tooLargeDecoded = (maxBytes: number): TrawlError =>
  new TrawlError(
    'SCRAPE_DECOMPRESSED_TOO_LARGE',
    `The body is larger than \`limits.bodyBytes\` (${maxBytes} bytes) after decompression`,
  )

// These options let a stream end early: by default its last chunk would be lost with an error.
const lenient = { flush: zlib.constants.Z_SYNC_FLUSH, finishFlush: zlib.constants.Z_SYNC_FLUSH, chunkSize: 65_536 }

async function* decodeGzip(source: Chunks, maxBytes: number): Chunks {
  const received: Uint8Array[] = []
  let decoded = 0
  try {
    for await (const chunk of passThrough(keep(source, received), zlib.createGunzip(lenient))) {
      decoded += chunk.length
      yield chunk
    }
  } catch (error) {
    // Bytes after a member that begin no further one. What zlib has decoded of the same chunk is lost.
    const isHeader = error instanceof Error && /header|compression method/.test(error.message)
    if (!isHeader || codeOf(error) !== 'Z_DATA_ERROR') throw error
    const whole = await decodeMembers(Buffer.concat(received), maxBytes)
    if (whole === undefined) throw error
    yield whole.subarray(decoded)
  }
}

async function* keep(source: Chunks, received: Uint8Array[]): Chunks {
  for await (const chunk of source) {
    received.push(chunk)
    yield chunk
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)

function decodeBrotli(source: Chunks): Chunks {
  const flush = zlib.constants.BROTLI_OPERATION_FLUSH
  return passThrough(source, zlib.createBrotliDecompress({ flush, finishFlush: flush, chunkSize: 65_536 }))
}

/**
 * Decodes `deflate`, which is the zlib format (RFC 1950); many servers send raw deflate (RFC 1951). The first byte
 * distinguishes them.
 */
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

/** Node's zlib from 22.15 on, which the types of Node 20 do not have. */
const modernZlib: typeof zlib & { createZstdDecompress?: (options: zlib.BrotliOptions) => Transform } = zlib

/**
 * Values of zstd.h: an early end of the input is no error, and the window is 2 ** 23 bytes, as RFC 9659 allows for
 * HTTP.
 */
const zstdOptions = { finishFlush: 1, params: { 100: 23 }, chunkSize: 65_536 }

function decodeZstdBody(source: Chunks): Chunks {
  const { createZstdDecompress } = modernZlib
  return createZstdDecompress ? passThrough(source, createZstdDecompress(zstdOptions)) : decodeZstd(source)
}

/** Yields the decoder's output. Errors of source and decoder are thrown to the reader. */
async function* passThrough(source: Chunks, decoder: Transform): Chunks {
  // `pipeline` destroys the decoder with an error of the source, so that the reader below throws it.
  pipeline(source, decoder, () => undefined)
  yield* decoder
}
