import { readFileSync } from 'node:fs'
import { pipeline, Readable } from 'node:stream'
import * as zlib from 'node:zlib'
import { writeEncodedPage } from '../encoded-page.js'
import { type Handler, readNumber, sendChunks } from '../exchange.js'

const MIB = 1024 * 1024

type Encoder = (body: Uint8Array) => Uint8Array

const encoders: Readonly<Record<string, Encoder>> = {
  gzip: (body) => zlib.gzipSync(body),
  'x-gzip': (body) => zlib.gzipSync(body),
  br: (body) => zlib.brotliCompressSync(body, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } }),
  deflate: (body) => zlib.deflateSync(body),
  'deflate-raw': (body) => zlib.deflateRawSync(body),
  zstd: (body) => storeAsZstd(body),
}

/** Zstandard without compression: blocks of the bytes as they are. Node 20 has no encoder. */
export function storeAsZstd(body: Uint8Array): Uint8Array {
  const size = 128 * 1024
  const starts = Array.from({ length: Math.max(1, Math.ceil(body.length / size)) }, (_, i) => i * size)
  return Buffer.concat([
    zstdHeader,
    ...starts.flatMap((start) => {
      const block = body.subarray(start, start + size)
      return [zstdBlock(block.length, 0, start + size >= body.length), block]
    }),
  ])
}

/** A frame with a window of 1 MiB and nothing else said. */
const zstdHeader = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, 10 << 3)

function zstdBlock(length: number, type: number, isLast: boolean): Uint8Array {
  const header = Buffer.alloc(3)
  header.writeUIntLE((length << 3) | (type << 1) | (isLast ? 1 : 0), 0, 3)
  return header
}

const contentEncoding = (coding: string): string => (coding === 'deflate-raw' ? 'deflate' : coding)

function* zeros(bytes: number): Iterable<Uint8Array> {
  const chunk = new Uint8Array(MIB)
  for (let left = bytes; left > 0; left -= MIB) yield left < MIB ? chunk.subarray(0, left) : chunk
}

/** Small on the wire, as large as asked for once unpacked: zeros. */
const bombs: Readonly<Record<string, (bytes: number) => Iterable<Uint8Array> | AsyncIterable<Uint8Array>>> = {
  *gzip(bytes) {
    const member = zlib.gzipSync(new Uint8Array(16 * MIB))
    for (let left = bytes; left > 0; left -= 16 * MIB) yield member
  },
  deflate: (bytes) => pipeline(Readable.from(zeros(bytes)), zlib.createDeflate(), () => undefined),
  br: (bytes) => {
    const encoder = zlib.createBrotliCompress({ params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } })
    return pipeline(Readable.from(zeros(bytes)), encoder, () => undefined)
  },
  *zstd(bytes) {
    yield zstdHeader
    // Each four bytes stand for 128 KiB of zeros.
    const run = Buffer.concat([zstdBlock(128 * 1024, 1, false), Uint8Array.of(0)])
    for (let left = bytes; left > 0; left -= 128 * 1024) yield run
    yield zstdBlock(0, 0, true)
  },
}

const encoded =
  (coding: string, encoder: Encoder): Handler =>
  ({ response }) => {
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-encoding': contentEncoding(coding),
    })
    response.end(encoder(Buffer.from(writeEncodedPage())))
  }

/** Compressed bodies, and what can be wrong with them. */
export const encodings: Readonly<Record<string, Handler>> = {
  ...Object.fromEntries(Object.entries(encoders).map(([coding, encoder]) => [coding, encoded(coding, encoder)])),
  zstd: encoded('zstd', () => readFileSync(new URL('../encoded-page.html.zst', import.meta.url))),
  /** `?codings=gzip,br`: encoded in this order. */
  stacked: ({ response, url }) => {
    const codings = (url.searchParams.get('codings') ?? 'gzip,br').split(',')
    const body = codings.reduce<Uint8Array>(
      (bytes, coding) => encoders[coding]?.(bytes) ?? bytes,
      Buffer.from(writeEncodedPage()),
    )
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-encoding': codings.map(contentEncoding).join(', '),
    })
    response.end(body)
  },
  bomb: (exchange) => {
    const coding = exchange.url.searchParams.get('coding') ?? 'gzip'
    exchange.response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': contentEncoding(coding) })
    sendChunks(exchange, bombs[coding]?.(readNumber(exchange, 'bytes', 1024 * MIB)) ?? [])
  },
  /** `?coding=gzip&drop=8`: whole for HTTP, and without its last bytes. */
  'truncated-coding': (exchange) => {
    const coding = exchange.url.searchParams.get('coding') ?? 'gzip'
    const body = encoders[coding]?.(Buffer.from(writeEncodedPage())) ?? Buffer.alloc(0)
    exchange.response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': contentEncoding(coding) })
    exchange.response.end(body.subarray(0, body.length - readNumber(exchange, 'drop', 8)))
  },
  /** `?coding=br`: says that it is encoded, and is not. */
  'false-coding': ({ response, url }) => {
    const coding = url.searchParams.get('coding') ?? 'gzip'
    response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': coding }).end('<p>Plain text.</p>')
  },
}
