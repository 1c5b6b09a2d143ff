import { isUrl } from '../../../base/url.js'
import { parseJson } from '../../../base/text/parse-json.js'
import { isObject } from '../../../base/collections/is-object.js'
import { messageOf } from '../../../base/errors.js'
import type { ArchiveInput } from './archive-input.js'
import type { ArchiveEntry, CaptureOptions } from './capture.js'
import { describeRange, isInParts, joinParts } from './byte-ranges.js'
import { type HarEntry, LongText, splitEntries } from './har-entries.js'

/** Bytes of the long texts of an entry, for each byte that its body may have: Base64 is longer by a third, and may have line ends. */
const TEXT_PER_BODY = 1.5

/**
 * Reads the responses of a HAR file, as Chrome and Firefox save them, an entry at a time, and a long body piece by piece: the file as a whole
 * may be larger than what memory holds.
 *
 * @see http://www.softwareishard.com/blog/har-12-spec/
 */
export async function* readHar(
  input: ArchiveInput,
  options: CaptureOptions,
): AsyncGenerator<ArchiveEntry, void, undefined> {
  const entries = splitEntries(input.bytes(), TEXT_PER_BODY * options.bodyBytes)
  let number = 0
  try {
    for (;;) {
      const { done, value } = await entries.next()
      if (done) {
        if (value !== undefined) yield { broken: value, place: { file: input.name } }
        return
      }
      yield await readEntry(value, { file: input.name, offset: number++ }, options)
    }
  } finally {
    await entries.return(undefined)
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Returns the long text that stands for a value, in an entry that is parsed. */
const longTextOf = (value: unknown, { longTexts }: HarEntry): LongText | undefined =>
  Array.isArray(value) ? longTexts[Number(value[0])] : undefined

/** Headers that say how the body was sent: that of a HAR is decoded. */
const OF_TRANSFER: ReadonlySet<string> = new Set(['content-encoding', 'content-length', 'transfer-encoding'])

type EntryPlace = { readonly file: string; readonly offset: number }

async function readEntry(entry: HarEntry, place: EntryPlace, options: CaptureOptions): Promise<ArchiveEntry> {
  if (entry.json === undefined)
    return { broken: 'The entry is larger than what is read, apart from its long texts', place }
  try {
    const parsed = parseJson(entry.json)
    return await readResponse(isObject(parsed) ? parsed : {}, entry, place, options)
  } catch (error) {
    return { broken: `The entry is no JSON: ${messageOf(error)}`, place }
  }
}

async function readResponse(
  { request: asked, response, startedDateTime }: Readonly<Record<string, unknown>>,
  entry: HarEntry,
  place: EntryPlace,
  options: CaptureOptions,
): Promise<ArchiveEntry> {
  const request = isObject(asked) ? asked : {}
  const longUrl = longTextOf(request['url'], entry)
  const url = longUrl ? longUrl.start : textOf(request['url'])
  if (url === undefined || !isObject(response))
    return { broken: 'The entry has no request with a URL, or no response', place }
  if (!/^https?:\/\//i.test(url) || !isUrl(url)) return { skipped: 'NOT_HTTP', url, place }
  if (longUrl) return { broken: 'The URL of the entry is larger than what is read', place }
  const method = textOf(request['method'])
  const parsed = Date.parse(textOf(startedDateTime) ?? '')
  const timeMs = Number.isNaN(parsed) ? undefined : parsed
  const content = isObject(response['content']) ? response['content'] : {}
  const text = textOf(content['text']) ?? longTextOf(content['text'], entry)
  // What a browser had in its cache is as the site had sent it.
  const stated = Number(response['status'] ?? 0)
  const statusCode = stated === 304 && text ? 200 : stated
  const given = listHeaders(response['headers'], entry)
  const lines = readLines(given)
  const headers = Object.fromEntries(Object.entries(lines).map(([name, values]) => [name, values.join(', ')]))
  const contentType = lines['content-type']?.at(-1) ?? textOf(content['mimeType'])
  if (method !== undefined && method !== 'GET') return { skipped: 'FILTER', url, place }
  const broken = (why: string): ArchiveEntry => ({ broken: why, url, timeMs, place })
  // A request that failed, or was blocked, has the status 0.
  if (!(statusCode >= 200 && statusCode <= 599))
    return broken(textOf(response['_error']) ?? `The request has no response (status ${statusCode})`)
  const inParts = isInParts(statusCode, contentType)
  const cause = inParts ? undefined : options.judge({ url, timeMs, statusCode, contentType, place })
  if (cause) return { skipped: cause, url, place }
  // Browsers leave bodies out: on demand, and of what they hold no more, whose size they may state as 0, or not at all.
  const length = given.find(({ name }) => name === 'content-length')?.value
  const sizes = [content['size'], response['bodySize'], length].map(Number)
  if (text === undefined && sizes.some((size) => size > 0))
    return broken('The file was saved without the bodies of responses')
  const encoding = content['encoding'] === 'base64' ? 'base64' : 'utf8'
  const isLong = text instanceof LongText
  if (isLong && text.problem === 'broken') return broken('The body of the entry is no text of JSON')
  const body = isLong ? await text.read(encoding) : Buffer.from(text ?? '', encoding)
  if (body.length > options.bodyBytes || (isLong && text.problem === 'large'))
    return broken(`The body is larger than \`limits.bodyBytes\` (${options.bodyBytes} bytes)`)
  const statusText = textOf(response['statusText']) ?? ''
  const capture = { url, timeMs, place, statusCode, statusText, headers, lines }
  if (inParts) {
    const whole = await joinParts({
      ...capture,
      body: Buffer.from(body.buffer, body.byteOffset, body.length),
      problems: [],
    })
    const joined = { ...whole, contentType: whole.headers['content-type'] }
    const late = options.judge(joined)
    return late ? { skipped: late, url, place } : joined
  }
  // The text of a HAR is in no encoding any more.
  const type = encoding === 'base64' ? contentType : toUtf8(contentType)
  const problems = describeRange(statusCode, headers['content-range'])
  return { ...capture, contentType: type, body, problems }
}

const toUtf8 = (contentType: string | undefined): string | undefined =>
  contentType === undefined || contentType === '' ? undefined : `${contentType.split(';', 1)[0] ?? ''}; charset=utf-8`

interface HarHeader {
  /** In lower case. */
  readonly name: string
  readonly value: string
}

/** Lists the headers of a response. */
function listHeaders(headers: unknown, entry: HarEntry): readonly HarHeader[] {
  const list = Array.isArray(headers) ? (headers as unknown[]) : []
  return list.flatMap((header) => {
    if (!isObject(header)) return []
    const name = textOf(header['name'])?.toLowerCase()
    const given = header['value']
    const value = typeof given === 'number' ? String(given) : (textOf(given) ?? longTextOf(given, entry)?.toString())
    return name === undefined || value === undefined ? [] : [{ name, value }]
  })
}

function readLines(headers: readonly HarHeader[]): Record<string, string[]> {
  const lines: Record<string, string[]> = Object.create(null) as Record<string, string[]>
  for (const { name, value } of headers) {
    if (name.startsWith(':') || OF_TRANSFER.has(name)) continue
    // Chrome puts the lines of a repeated header into one value.
    for (const line of value.split('\n')) (lines[name] ??= []).push(line)
  }
  return lines
}
