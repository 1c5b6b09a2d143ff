import { isUrl } from '../../../base/url.js'
import { parseJson } from '../../../base/text/parse-json.js'
import { isObject } from '../../../base/collections/is-object.js'
import { messageOf } from '../../../base/errors.js'
import type { ArchiveInput, ByteStream } from './archive-input.js'
import type { ArchiveEntry, CaptureOptions } from './capture.js'

/** Maximum size of an entry. Characters. */
const MAX_ENTRY_CHARACTERS = 256 * 1024 * 1024

/**
 * Reads the responses of a HAR file, as Chrome and Firefox save them, an entry at a time: the file as a whole may be larger than what
 * memory holds.
 *
 * @see http://www.softwareishard.com/blog/har-12-spec/
 */
export async function* readHar(
  input: ArchiveInput,
  options: CaptureOptions,
): AsyncGenerator<ArchiveEntry, void, undefined> {
  let number = 0
  let problem: string | undefined
  const entries = splitEntries(input.bytes(), (found) => (problem = found))
  for await (const text of entries) {
    const place = { file: input.name, offset: number++ }
    try {
      yield readEntry(parseJson(text), place, options)
    } catch (error) {
      yield { broken: `The entry is no JSON: ${messageOf(error)}`, place }
    }
  }
  if (problem !== undefined) yield { broken: problem, place: { file: input.name } }
}

const QUOTE = 34
const BACKSLASH = 92
const OPEN = 123
const CLOSE = 125
const END_OF_LIST = 93

/**
 * Splits the list `entries` into the texts of its objects, by counting braces outside of strings. Each chunk is looked at once: joined to
 * what came before, a large body would take quadratic time.
 */
async function* splitEntries(
  bytes: ByteStream,
  fail: (problem: string) => void,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder()
  let head: string | undefined = ''
  let parts: string[] = []
  let length = 0
  let depth = 0
  let isString = false
  let isEscaped = false
  for await (const chunk of bytes) {
    let text = decoder.decode(chunk, { stream: true })
    if (head !== undefined) {
      head += text
      const list: RegExpExecArray | null = /"entries"\s*:\s*\[/.exec(head)
      if (!list) {
        head = head.slice(-1000)
        continue
      }
      text = head.slice(list.index + list[0].length)
      head = undefined
    }
    let start = depth === 0 ? -1 : 0
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (isEscaped) isEscaped = false
      else if (isString) {
        if (code === BACKSLASH) isEscaped = true
        else if (code === QUOTE) isString = false
      } else if (code === QUOTE) isString = true
      else if (code === OPEN) {
        if (depth++ === 0) start = at
      } else if (code === CLOSE && depth > 0 && --depth === 0) {
        yield parts.join('') + text.slice(start, at + 1)
        parts = []
        length = 0
        start = -1
      } else if (code === END_OF_LIST && depth === 0) return
    }
    if (start === -1) continue
    parts.push(text.slice(start))
    length += text.length - start
    if (length > MAX_ENTRY_CHARACTERS) {
      fail('An entry of the file is larger than what is read')
      return
    }
  }
  fail(head === undefined ? 'The file is cut short' : 'The file has no list of entries: it is no HAR')
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Headers that say how the body was sent: that of a HAR is decoded. */
const OF_TRANSFER: ReadonlySet<string> = new Set(['content-encoding', 'content-length', 'transfer-encoding'])

function readEntry(
  entry: unknown,
  place: { file: string; offset: number },
  { judge, bodyBytes }: CaptureOptions,
): ArchiveEntry {
  const { request, response, startedDateTime } = isObject(entry) ? entry : {}
  const url = isObject(request) ? textOf(request['url']) : undefined
  if (url === undefined || !isObject(response))
    return { broken: 'The entry has no request with a URL, or no response', place }
  if (!/^https?:\/\//i.test(url) || !isUrl(url)) return { skipped: 'NOT_HTTP', url, place }
  const method = isObject(request) ? textOf(request['method']) : undefined
  const parsed = Date.parse(textOf(startedDateTime) ?? '')
  const timeMs = Number.isNaN(parsed) ? undefined : parsed
  const content = isObject(response['content']) ? response['content'] : {}
  const text = textOf(content['text'])
  // What a browser had in its cache is as the site had sent it.
  const stated = Number(response['status'] ?? 0)
  const statusCode = stated === 304 && text ? 200 : stated
  const lines = readLines(response['headers'])
  const headers = Object.fromEntries(Object.entries(lines).map(([name, values]) => [name, values.join(', ')]))
  const contentType = lines['content-type']?.at(-1) ?? textOf(content['mimeType'])
  if (method !== undefined && method !== 'GET') return { skipped: 'FILTER', url, place }
  // A request that failed, or was blocked, has the status 0.
  if (!(statusCode >= 200 && statusCode <= 599))
    return {
      broken: textOf(response['_error']) ?? `The request has no response (status ${statusCode})`,
      url,
      timeMs,
      place,
    }
  const cause = judge({ url, timeMs, statusCode, contentType, place })
  if (cause) return { skipped: cause, url, place }
  // Browsers leave bodies out: on demand, and of what they hold no more, whose size they may state as 0, or not at all.
  const sizes = [content['size'], response['bodySize'], findHeader(response['headers'], 'content-length')].map(Number)
  if (text === undefined && sizes.some((size) => size > 0))
    return { broken: 'The file was saved without the bodies of responses', url, timeMs, place }
  const body = Buffer.from(text ?? '', content['encoding'] === 'base64' ? 'base64' : 'utf8')
  if (body.length > bodyBytes)
    return { broken: `The body is larger than \`limits.bodyBytes\` (${bodyBytes} bytes)`, url, timeMs, place }
  // The text of a HAR is in no encoding any more.
  const type = content['encoding'] === 'base64' ? contentType : toUtf8(contentType)
  const statusText = textOf(response['statusText']) ?? ''
  return { url, timeMs, place, statusCode, statusText, headers, lines, contentType: type, body, problems: [] }
}

const toUtf8 = (contentType: string | undefined): string | undefined =>
  contentType === undefined || contentType === '' ? undefined : `${contentType.split(';', 1)[0] ?? ''}; charset=utf-8`

/** Returns the value of a header of a list. */
const findHeader = (headers: unknown, name: string): unknown =>
  (Array.isArray(headers) ? (headers as unknown[]) : [])
    .filter(isObject)
    .find((header) => textOf(header['name'])?.toLowerCase() === name)?.['value']

function readLines(headers: unknown): Record<string, string[]> {
  const lines: Record<string, string[]> = Object.create(null) as Record<string, string[]>
  for (const header of Array.isArray(headers) ? (headers as unknown[]) : []) {
    const name = isObject(header) ? textOf(header['name'])?.toLowerCase() : undefined
    const value = isObject(header) ? textOf(header['value']) : undefined
    if (name === undefined || value === undefined || name.startsWith(':') || OF_TRANSFER.has(name)) continue
    // Chrome puts the lines of a repeated header into one value.
    ;(lines[name] ??= []).push(...value.split('\n'))
  }
  return lines
}
