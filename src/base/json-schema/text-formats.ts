import { isIP } from 'node:net'
import { isUrl } from '../url.js'

/** Maximum characters of a text with a `format`: no address, date or identifier is longer. */
const MAX_CHARACTERS = 10_000

/**
 * Returns true if a text conforms to a `format` of JSON Schema. Unknown formats always pass, as the specification says.
 * All checks are linear.
 *
 * @see https://json-schema.org/draft/2020-12/json-schema-validation#section-7.3
 */
export function hasFormat(text: string, format: string): boolean {
  const check = FORMATS.get(format)
  return check === undefined || (text.length <= MAX_CHARACTERS && check(text))
}

const DATE = /^\d{4}-(\d\d)-(\d\d)$/
const TIME = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|[+-](\d\d):(\d\d))$/i
const LABEL = /^[\da-z](?:[\da-z-]{0,61}[\da-z])?$/i
const DURATION = /^P(?!$)(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?)$/
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
/** Characters of a URI (RFC 3986), with complete percent-encodings. */
const URI_CHARACTERS = /^(?:[\w.~:/?#[\]@!$&'()*+,;=-]|%[\da-f]{2})*$/i
const TEMPLATE = /^(?:[^{}\s"<>\\^`|]|\{[^{}\s]+\})*$/
const POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/

function isDate(text: string): boolean {
  const [, month, day] = DATE.exec(text)?.map(Number) ?? []
  const at = new Date(`${text}T00:00:00Z`)
  return month !== undefined && at.getUTCMonth() + 1 === month && at.getUTCDate() === day
}

function isTime(text: string): boolean {
  const [, hour = 99, minute = 99, second = 99, zoneHour = 0, zoneMinute = 0] =
    TIME.exec(text)?.map((part) => Number(part ?? 0)) ?? []
  // 60 is a leap second.
  return hour < 24 && minute < 60 && second <= 60 && zoneHour < 24 && zoneMinute < 60
}

function isDateTime(text: string): boolean {
  return /^[t\s]$/i.test(text.slice(10, 11)) && isDate(text.slice(0, 10)) && isTime(text.slice(11))
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  const [name, host] = [text.slice(0, Math.max(0, at)), text.slice(at + 1)]
  if (name.length === 0 || name.length > 64) return false
  const isName = name.startsWith('"')
    ? /^"(?:[ !#-[\]-~]|\\[ -~])*"$/.test(name)
    : /^[\w.!#$%&'*+/=?^`{|}~-]+$/.test(name) && !/^\.|\.$|\.\./.test(name)
  const literal = /^\[(?:ipv6:)?([^\]]*)\]$/i.exec(host)?.[1]
  return isName && (literal === undefined ? isHostname(host) : isIP(literal) !== 0)
}

const isHostname = (text: string): boolean =>
  text.length > 0 && text.length <= 253 && text.split('.').every((label) => LABEL.test(label))

const isUri = (text: string): boolean => /^[a-z][\d+.a-z-]*:/i.test(text) && URI_CHARACTERS.test(text)

function isRegex(text: string): boolean {
  try {
    // The expression is compiled but never run.
    return new RegExp(text, 'u') instanceof RegExp
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

const FORMATS: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['date', isDate],
  ['time', isTime],
  ['date-time', isDateTime],
  ['duration', (text) => DURATION.test(text)],
  ['email', isEmail],
  ['hostname', isHostname],
  ['ipv4', (text) => isIP(text) === 4],
  ['ipv6', (text) => isIP(text) === 6 && !text.includes('%')],
  ['uri', isUri],
  ['url', (text) => /^(?:https?|ftp):\/\/[^\s/?#]/i.test(text) && isUrl(text)],
  ['uri-reference', (text) => URI_CHARACTERS.test(text)],
  ['uri-template', (text) => TEMPLATE.test(text)],
  ['uuid', (text) => UUID.test(text)],
  ['regex', isRegex],
  ['json-pointer', (text) => POINTER.test(text)],
  ['json-pointer-uri-fragment', (text) => text.startsWith('#') && POINTER.test(text.slice(1))],
  [
    'relative-json-pointer',
    (text) => /^(?:0|[1-9]\d*)(?:#$|\/|$)/.test(text) && POINTER.test(text.replace(/^\d+#?/, '')),
  ],
])
