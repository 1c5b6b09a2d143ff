import { createHash, randomUUID } from 'node:crypto'
import { readReason } from '../../../base/http/reason-phrase.js'
import type { Exchange } from '../../../base/http/observe-exchanges.js'
import { METHOD_FIELD } from '../read/archive-record.js'
import type { IndexFacts } from '../read/cdxj.js'
import { messageOf } from '../../../base/errors.js'
import { withoutCredentials } from '../../../base/url.js'
import { scrubForm, scrubRequestHeader, scrubResponseHeader } from './scrub.js'

/** A record to write, and its line of the index. */
export interface MadeRecord {
  readonly bytes: Buffer
  /** Set for a record with a response. */
  readonly index?: IndexFacts
}

/** The record that has a body. */
export interface KnownBody {
  readonly url: string
  readonly date: string
  /** Hash of the request of that record; undefined where it is not known. */
  readonly request?: string | undefined
}

/** Formats a time as records have it. */
export const formatDate = (timeMs: number): string => new Date(timeMs).toISOString()

/** Makes the id of a record. @param what says which record it is, among those of a cassette */
export type MakeId = (what: string) => string

const randomId: MakeId = () => `<urn:uuid:${randomUUID()}>`

/** Makes the ids of a cassette: the same for the same records, so that a new recording can be compared with the old one. */
export function cassetteIds(): MakeId {
  const given = new Map<string, number>()
  return (what) => {
    const times = (given.get(what) ?? 0) + 1
    given.set(what, times)
    const hash = createHash('sha256').update(`${times} ${what}`).digest('hex')
    return `<urn:uuid:${hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')}>`
  }
}

const digestOf = (...parts: readonly Uint8Array[]): string => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return `sha256:${hash.digest('hex')}`
}

type Fields = Readonly<Record<string, string | undefined>>

/** Makes a record of named fields and a block. */
export function makeRecord(type: string, fields: Fields, ...block: readonly Uint8Array[]): Buffer {
  const length = block.reduce((sum, part) => sum + part.length, 0)
  const lines = Object.entries({ 'WARC-Type': type, ...fields, 'Content-Length': String(length) })
  // Of a URL or a header that a site chooses, no line may become two.
  const head = lines.flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${oneLine(value)}\r\n`]))
  return Buffer.concat([Buffer.from(`WARC/1.1\r\n${head.join('')}\r\n`), ...block, Buffer.from('\r\n\r\n')])
}

const oneLine = (value: string): string => value.replace(/[\r\n]+/g, ' ')

/** Makes the record that a file begins with. */
export const makeWarcinfo = (
  filename: string,
  timeMs: number,
  facts: Readonly<Record<string, string>>,
  makeId = randomId,
): Buffer =>
  makeRecord(
    'warcinfo',
    {
      'WARC-Record-ID': makeId(`warcinfo ${filename}`),
      'WARC-Date': formatDate(timeMs),
      'WARC-Filename': filename,
      'Content-Type': 'application/warc-fields',
    },
    Buffer.from(
      Object.entries(facts)
        .map(([name, value]) => `${name}: ${oneLine(value)}\r\n`)
        .join(''),
    ),
  )

/** Makes a record that says something about a URL. */
export const makeMetadata = (target: string, timeMs: number, facts: object, makeId = randomId): Buffer =>
  makeRecord(
    'metadata',
    {
      'WARC-Record-ID': makeId(`metadata ${target}`),
      'WARC-Date': formatDate(timeMs),
      'WARC-Target-URI': target,
      'Content-Type': 'application/json',
    },
    Buffer.from(JSON.stringify(facts)),
  )

/** Headers that say how a body was sent, which are kept under another name where the body is not as they say. */
const OF_TRANSFER = /^transfer-encoding$/i
const OF_CODING = /^(?:transfer-encoding|content-encoding|content-length)$/i

const headBytes = (first: string, lines: readonly (readonly [string, string])[]): Buffer =>
  Buffer.from(`${first}\r\n${lines.map(([name, value]) => `${name}: ${oneLine(value)}\r\n`).join('')}\r\n`, 'latin1')

interface ExchangeOptions {
  readonly keepCredentials: boolean
  /** True for a response without a request: it is not received now. @default false */
  readonly isHeld?: boolean
  /** Returns the record that has a body, if it is known. */
  findBody(digest: string): KnownBody | undefined
  /** Set for a cassette, whose bytes are the same for the same exchange but for dates and times. */
  readonly makeId?: MakeId | undefined
}

/**
 * Makes the records of an exchange: the request, and the response, or the revisit record that stands for it. The request of a revisit record is
 * left out if it is, byte for byte, that of the record that it refers to.
 */
export function makeExchange(exchange: Exchange, options: ExchangeOptions): readonly MadeRecord[] {
  const { keepCredentials, findBody, makeId = randomId } = options
  const { url, method, sentAtMs, tookMs, response, error } = exchange
  const target = targetUrl(url)
  const date = formatDate(sentAtMs)
  const id = makeId(`response ${method} ${target}`)
  const block = requestBlock(exchange, keepCredentials)
  const isGet = /^GET$/i.test(method)
  const hash = createHash('sha256').update(block).digest('base64url').slice(0, REQUEST_HASH_CHARACTERS)
  const request = makeRecord(
    'request',
    {
      'WARC-Record-ID': makeId(`request ${method} ${target}`),
      'WARC-Date': date,
      'WARC-Target-URI': target,
      ...(response && { 'WARC-Concurrent-To': id }),
      'Content-Type': 'application/http; msgtype=request',
    },
    block,
  )
  if (!response) {
    const took = options.makeId ? {} : { fetchTimeMs: tookMs }
    const why = error === undefined ? 'no response' : messageOf(error)
    return [
      { bytes: request },
      { bytes: makeMetadata(target, sentAtMs, { outcome: 'no response', reason: why, ...took }, makeId) },
    ]
  }
  const { statusCode, statusText, headers, setCookies, isDecoded = false } = response
  // The answer to a login may be the token of all that follows, and no replay answers with it.
  const isSecret = !keepCredentials && !/^(?:GET|HEAD)$/i.test(exchange.method)
  const body = isSecret ? [] : response.body
  const isWhole = response.isWhole && !isSecret
  const renamed = isDecoded || isSecret ? OF_CODING : OF_TRANSFER
  const all = [
    ...Object.entries(headers).filter(([name]) => name !== 'set-cookie'),
    ...setCookies.map((value) => ['set-cookie', value] as const),
  ]
  const lines = all.map(
    ([name, value]) =>
      [
        renamed.test(name) ? `x-orig-${name}` : name,
        keepCredentials ? value : scrubResponseHeader(name, value),
      ] as const,
  )
  const head = headBytes(`HTTP/1.1 ${statusCode} ${readReason(statusCode, statusText) ?? ''}`.trimEnd(), lines)
  const digest = digestOf(...body)
  const length = body.reduce((sum, part) => sum + part.length, 0)
  // A body that is shorter than its reference is written again.
  const known = isWhole && length > MIN_REVISIT_BYTES ? findBody(digest) : undefined
  const fields = {
    'WARC-Record-ID': id,
    'WARC-Date': date,
    'WARC-Target-URI': target,
    'Content-Type': 'application/http; msgtype=response',
    'WARC-Payload-Digest': digest,
    ...(!isWhole && { 'WARC-Truncated': isSecret ? 'unspecified' : 'disconnect' }),
    // Of one length, so that what is behind it stays in its place.
    'X-Fetch-Time-Ms': String(tookMs).padStart(options.makeId ? 6 : 1, '0'),
    ...(!isGet && { [METHOD_FIELD]: method }),
  }
  const bytes = known
    ? makeRecord('revisit', { ...fields, ...referTo(known) }, head)
    : makeRecord('response', { ...fields, 'WARC-Block-Digest': digestOf(head, ...body) }, head, ...body)
  const mime = known ? 'warc/revisit' : (headers['content-type'] ?? 'unk').split(';', 1)[0]?.trim() || 'unk'
  const index = { url: target, date, mime, status: statusCode, digest, request: known ? undefined : hash }
  const isRepeated = known !== undefined && known.url === target && known.request === hash
  const isAlone = options.isHeld === true || isRepeated
  return [...(isAlone ? [] : [{ bytes: request }]), { bytes, index: isGet ? index : undefined }]
}

/** Length of the hash of a request, which is only compared with that of an earlier request of the same URL. */
const REQUEST_HASH_CHARACTERS = 12

/** Size up to which a body is written again. Bytes. */
const MIN_REVISIT_BYTES = 256

const referTo = ({ url, date }: KnownBody): Fields => ({
  'WARC-Profile': 'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest',
  'WARC-Refers-To-Target-URI': url,
  'WARC-Refers-To-Date': date,
})

/** The URL of a record: without a fragment, which is not sent, and without user name and password, which are sent in a header. */
export const targetUrl = (url: URL): string => withoutCredentials(url).href.split('#', 1)[0] ?? ''

function requestBlock({ url, method, requestHeaders, form }: Exchange, keepCredentials: boolean): Buffer {
  const given = Object.entries(requestHeaders)
  const body = form === undefined ? '' : keepCredentials ? form : scrubForm(form)
  const lines = [
    ...(given.some(([name]) => name.toLowerCase() === 'host') ? [] : [['host', url.host] as const]),
    ...given.map(([name, value]) => [name, keepCredentials ? value : scrubRequestHeader(name, value)] as const),
    ...(form === undefined ? [] : [['content-length', String(Buffer.byteLength(body))] as const]),
  ]
  return Buffer.concat([headBytes(`${method} ${url.pathname}${url.search} HTTP/1.1`, lines), Buffer.from(body)])
}
