/**
 * Headers with one value. Of several lines, the first is taken, as Node does: joined, they would be no URL, date or
 * number.
 */
const SINGLE: ReadonlySet<string> = new Set([
  'age',
  'content-length',
  'etag',
  'expires',
  'last-modified',
  'location',
  'retry-after',
  'server',
])

/**
 * Joins the lines of a repeated header to its value.
 *
 * @param name in lower case
 * @param lines at least one
 */
export function joinHeader(name: string, lines: readonly string[]): string {
  if (SINGLE.has(name)) return lines[0] ?? ''
  const value = lines.join(', ')
  return name === 'content-type' ? readContentType(value) : value
}

/** Maximum length of a header to read. Characters. */
const MAX_LENGTH = 4000

/**
 * Returns the media type that a `Content-Type` header states. A server that sets the header twice, or a proxy that joins
 * two, states several: the last valid one counts, with the charset of an earlier one of the same type. A header with one
 * type is returned as it is.
 *
 * @see https://fetch.spec.whatwg.org/#concept-header-extract-mime-type
 */
export function readContentType(header: string): string {
  if (!header.includes(',')) return header
  let found: string | undefined
  let charset: string | undefined
  // Commas in quotes are part of a parameter.
  for (const [part] of header.slice(0, MAX_LENGTH).matchAll(/(?:"[^"]*"?|[^",])+/g)) {
    const type = part.trim()
    if (!/^[^\s/;]+\/[^\s/;]+\s*(?:;|$)/.test(type) || essenceOf(type) === '*/*') continue
    if (found === undefined || essenceOf(found) !== essenceOf(type)) charset = undefined
    const own = CHARSET.exec(type)?.[0]
    found = own === undefined && charset !== undefined ? type + charset : type
    charset = own ?? charset
  }
  return found ?? header
}

const CHARSET = /;\s*charset\s*=\s*(?:"[^"]*"|[^\s;"]+)/i

const essenceOf = (type: string): string => type.split(';', 1)[0]?.trim().toLowerCase() ?? ''

/** Headers that say who asks. */
const CREDENTIALS = /^(?:authorization|cookie|(?:x-)?(?:api-key|auth|session)\b.{0,40}|x-.{0,40}-token)$/i

/** Tests whether headers of a request say who asks. */
export const sayWhoAsks = (headers: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(headers).some((name) => CREDENTIALS.test(name))

/**
 * Parses a `Retry-After` header: seconds, or an HTTP date.
 *
 * @param nowMs the current time, in milliseconds since the epoch
 * @returns milliseconds from now, 0 for a past date; undefined when the header is absent or invalid
 * @see RFC 9110 section 10.2.3
 */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  const text = value?.trim()
  if (!text) return undefined
  if (/^\d+(\.\d+)?$/.test(text)) return Math.round(Number(text) * 1000)
  // Date.parse accepts much that is no date, such as `-5`: an HTTP date begins with the name of a day. Of its three
  // forms, asctime's has no zone and means GMT.
  const date = /gmt$/i.test(text) ? text : `${text} GMT`
  const dateMs = /^(mon|tue|wed|thu|fri|sat|sun)/i.test(text) ? Date.parse(date) : NaN
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs)
}

/** Tests for the type of an HTML page. @param contentType the header. @default HTML, as browsers guess */
export const isHtmlType = (contentType = 'text/html'): boolean => /\bx?html\b/i.test(contentType)
