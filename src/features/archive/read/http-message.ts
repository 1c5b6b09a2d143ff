import * as zlib from 'node:zlib'
import { decodeBody, isEncoded } from '../../../base/http/decode-body.js'
import { readHead } from '../../../base/http/transport.js'
import { messageOf, TrawlError } from '../../../base/errors.js'
import { yieldIfHeld } from '../../../base/concurrency/yield-turn.js'
import { ownValue } from '../../../base/collections/own-value.js'
import { isZstdCutShort } from '../../../base/http/zstd.js'
import { concatBytes } from '../../../base/concurrency/concat-bytes.js'
import { describeRange, isInParts, joinParts } from './byte-ranges.js'

/** A response of an archive: its head, and its body after content decoding. */
interface ArchivedResponse {
  readonly statusCode: number
  readonly statusText: string
  /** Names in lower case; a repeated header has an array. */
  readonly lines: Readonly<Record<string, string[]>>
  /** As `HttpResponse`: lines of a repeated header are joined. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** Problems with it. Sentences without a full stop. */
  readonly problems: readonly string[]
}

/** The head of a response, and where its body begins. */
export interface ParsedHead {
  readonly statusCode: number
  readonly statusText: string
  readonly lines: Readonly<Record<string, string[]>>
  readonly bodyAt: number
}

/** Maximum size of a head, and size that few are larger than. Bytes. */
const MAX_HEAD_BYTES = 256 * 1024
const SHORT_HEAD_BYTES = 8 * 1024

/** Maximum number of heads before that of the response. */
const MAX_INTERIM = 10

/** Reads the head of a response, with what archives hold: bare line feeds, folded lines, versions in any spelling, interim responses. */
export function parseHead(block: Buffer): ParsedHead | undefined {
  // The body is not made a text as well, unless the head goes on behind that.
  const short = parseHeadAt(block.toString('latin1', 0, SHORT_HEAD_BYTES), 0)
  if (short && short.bodyAt < Math.min(block.length, SHORT_HEAD_BYTES) && !isInterim(short)) return short
  const text = block.toString('latin1', 0, MAX_HEAD_BYTES)
  let head = parseHeadAt(text, 0)
  // Responses before that of the site: 100 and 103, and what a proxy answers to CONNECT.
  for (let count = 0; head && isInterim(head) && count < MAX_INTERIM; count++) {
    const next = parseHeadAt(text, head.bodyAt)
    if (!next) break
    head = next
  }
  // Of a head without an end, what is behind the limit would be taken for the body.
  return head && head.bodyAt === MAX_HEAD_BYTES && block.length > MAX_HEAD_BYTES ? undefined : head
}

const isInterim = ({ statusCode, statusText }: ParsedHead): boolean =>
  statusCode < 200 || /^connection established$/i.test(statusText)

function parseHeadAt(text: string, from: number): ParsedHead | undefined {
  let start = from
  while (start < text.length && text.charCodeAt(start) <= 32) start++
  const lineEnd = text.indexOf('\n', start)
  const status = text.slice(start, lineEnd === -1 ? undefined : lineEnd + 1)
  const [version = '', code = '', ...reason] = status.trim().split(/[ \t]+/)
  if (!/^(?:HTTP(?:\/[\d.]+)?|ICY)$/i.test(version) || !/^\d{3}$/.test(code)) return undefined
  const lines: Record<string, string[]> = Object.create(null) as Record<string, string[]>
  let at = start + status.length
  let last: string[] | undefined
  while (at < text.length) {
    const end = text.indexOf('\n', at)
    const line = text.slice(at, end === -1 ? text.length : end).replace(/\r$/, '')
    at = end === -1 ? text.length : end + 1
    if (line === '') break
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(0, colon)).trimEnd().toLowerCase()
    if (/^[ \t]/.test(line) && last) last.push(`${last.pop() ?? ''} ${line.trim()}`)
    else if (/^[\w!#$%&'*+.^`|~-]+$/.test(name)) (last = lines[name] ??= []).push(line.slice(colon + 1).trim())
  }
  return { statusCode: Number(code), statusText: reason.join(' '), lines, bodyAt: at }
}

/**
 * Reads a response as archives hold it: chunked or not whatever its head says, and in the coding of its head or decoded already.
 *
 * @param head its head
 * @param maxBytes maximum size of the decoded body
 * @throws TrawlError `SCRAPE_ENCODING_ERROR`, `SCRAPE_DECOMPRESSED_TOO_LARGE`
 */
export async function parseResponse(
  block: Buffer,
  { statusCode, statusText, lines, bodyAt }: ParsedHead,
  maxBytes: number,
): Promise<ArchivedResponse> {
  const problems: string[] = []
  const raw = block.subarray(bodyAt)
  const { headers } = readHead({ statusCode, statusText, headers: lines, body: NO_BODY })
  const isChunked = /(?:^|,)[ \t]*chunked[ \t]*(?:,|$)/i.test(headers['transfer-encoding'] ?? '')
  const joined = isChunked ? await joinChunks(raw) : { body: raw }
  if (joined.problem !== undefined) problems.push(joined.problem)
  const stated = Number(headers['content-length'] ?? NaN)
  if (!isChunked && stated > raw.length && !HAS_NO_BODY.has(statusCode))
    problems.push(`its body has ${raw.length} of ${stated} bytes`)
  const coding = headers['content-encoding']
  const { body, problem } = await decode(joined.body, coding, maxBytes)
  if (problem !== undefined) problems.push(problem)
  // A body whose length is known to be right is whole.
  const isCounted = (isChunked && joined.problem === undefined) || stated === raw.length
  if (!isCounted && body !== joined.body && (await isCutShort(joined.body, coding, maxBytes)))
    problems.push('its body ends before its content coding does')
  problems.push(...describeRange(statusCode, headers['content-range']))
  const response = { statusCode, statusText, lines, headers, body, problems }
  return isInParts(statusCode, headers['content-type']) ? joinParts(response) : response
}

const HAS_NO_BODY: ReadonlySet<number> = new Set([204, 304])

const NO_BODY = {
  destroy: () => undefined,
  dump: async () => undefined,
  [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true as const, value: undefined }) }),
}

/** Joins the chunks of a body. One that is in no chunks was joined already, and is returned as it is. */
async function joinChunks(raw: Buffer): Promise<{ readonly body: Buffer; readonly problem?: string }> {
  // The body is shorter than its chunks.
  const joined = Buffer.allocUnsafe(raw.length)
  let bytes = 0
  const body = (problem?: string) => ({ body: joined.subarray(0, bytes), problem })
  for (let at = 0, chunks = 0; at < raw.length; chunks++) {
    if (chunks % 1000 === 0) await yieldIfHeld()
    const end = raw.indexOf(10, at)
    const line = end === -1 || end - at > 1000 ? '' : raw.toString('latin1', at, end)
    const [, size] = /^[ \t]*([\da-f]{1,8})[ \t]*(?:;[^\n]*)?\r?$/i.exec(line) ?? []
    if (size === undefined) return at === 0 ? { body: raw } : body(`its chunks are broken after ${at} bytes`)
    const length = Number.parseInt(size, 16)
    if (length === 0) return body()
    const from = end + 1
    // A text that was joined may begin with a number in a line of its own.
    if (at === 0 && from + length > raw.length && !line.endsWith('\r'))
      return { body: raw, problem: 'it says that it is in chunks, and is in none' }
    bytes += raw.copy(joined, bytes, from, from + length)
    if (from + length > raw.length) return body('its last chunk is cut short')
    at = from + length
    at += raw[at] === 13 ? 2 : raw[at] === 10 ? 1 : 0
  }
  return body(raw.length > 0 ? 'its last chunk is missing' : undefined)
}

/** Decodes a body. One that is not in the coding of its head was decoded already, and is returned as it is. */
async function decode(
  body: Buffer,
  coding: string | undefined,
  maxBytes: number,
): Promise<{ readonly body: Buffer; readonly problem?: string }> {
  try {
    if (body.length === 0 || !isEncoded(coding) || lacksSignature(body, coding)) return { body }
    const parts: Uint8Array[] = []
    for await (const part of decodeBody(once(body), coding, maxBytes)) parts.push(part)
    return { body: Buffer.from(await concatBytes(parts)) }
  } catch (error) {
    if (!(error instanceof TrawlError) || error.code !== 'SCRAPE_ENCODING_ERROR') throw error
    if (!looksEncoded(body)) return { body }
    throw new TrawlError(error.code, `The body of the record could not be decoded: ${messageOf(error)}`, {
      cause: error,
    })
  }
}

type Inflate = (bytes: Buffer, limit: { readonly maxOutputLength: number }, done: zlib.CompressCallback) => void

const inflate: Inflate = (bytes, ...rest) =>
  ((bytes[0] ?? 0) & 15) === 8 ? zlib.inflate(bytes, ...rest) : zlib.inflateRaw(bytes, ...rest)

/** Decoders that refuse what has no end: {@link decodeBody} gives what there is, and does not say it. */
const STRICT: Readonly<Record<string, Inflate>> = {
  gzip: zlib.gunzip,
  'x-gzip': zlib.gunzip,
  deflate: inflate,
  br: zlib.brotliDecompress,
}

/** Tests for a body whose outer coding has no end. */
async function isCutShort(body: Buffer, coding = '', maxOutputLength: number): Promise<boolean> {
  const name = coding.split(',').at(-1)?.trim().toLowerCase() ?? ''
  // Of what cannot be judged, nothing is said.
  if (name === 'zstd') return isZstdCutShort(once(body)).catch(() => false)
  const decoder = ownValue(STRICT, name)
  return new Promise((resolve) => {
    if (!decoder) return resolve(false)
    decoder(body, { maxOutputLength }, (error) =>
      resolve(error !== null && 'code' in error && error.code === 'Z_BUF_ERROR'),
    )
  })
}

/** Bytes that begin what is in a coding. */
const SIGNATURES: Readonly<Record<string, readonly number[]>> = {
  gzip: [0x1f, 0x8b],
  'x-gzip': [0x1f, 0x8b],
  zstd: [0x28, 0xb5, 0x2f, 0xfd],
}

/** Tests for a body that is not in the coding of its head: it was decoded already. */
function lacksSignature(body: Buffer, coding = ''): boolean {
  const signature = ownValue(SIGNATURES, coding.split(',').at(-1)?.trim().toLowerCase() ?? '')
  return signature !== undefined && signature.some((byte, at) => at < body.length && body[at] !== byte)
}

async function* once(body: Buffer): AsyncGenerator<Uint8Array> {
  yield body
}

/** Tests for bytes that no text begins with: those of a compressed body. */
const looksEncoded = (body: Buffer): boolean =>
  body.subarray(0, 64).some((byte) => byte < 9 || (byte > 13 && byte < 32))
