import { parseUrl } from '../../base/url.js'
import { escapeHtml } from './decode-entities.js'

const LONE_SURROGATES = /\p{Surrogate}/gu

/** Takes secrets out of a message, as they are and as forms, addresses, JSON, HTML and programs have them. */
export function hideSecrets(message: string, secrets: ReadonlySet<string> | readonly string[]): string {
  const cores = [...secrets].flatMap(coresOf)
  const hasCore = (word: string): boolean => cores.some((core) => plainBase64(word).includes(core))
  const rest = message.replace(BASE64, (word) => (hasCore(word) ? '…' : word))
  const writings = listWritings(secrets)
  const hidden = writings.reduce((text, writing) => text.replaceAll(writing, '…'), rest)
  return writings.reduce(hideBegin, hidden)
}

/** A text of Base64, also in an address, JSON and HTML, which may write its signs as numbers. */
const BASE64 = /(?:[\w+/%=-]|\\\/|\\u00|&#x?[\da-f]{2};)+/gi
const PLUS = /-|(?:%(?:25)*|\\u00|&#x)2b;?|&#43;/gi
const SLASH = /_|\\\/|(?:%(?:25)*|\\u00|&#x)2f;?|&#47;/gi
/** Least characters of a core: a shorter one stands in other texts by chance. */
const MIN_CORE = 4

/** Writes such a text as the plain one. */
const plainBase64 = (word: string): string => word.replace(PLUS, '+').replace(SLASH, '/')

/** Returns what Base64 has of a secret between other texts, as of a name and a password: it begins at one of three bits. */
function coresOf(secret: string): string[] {
  // In Base64, tokens have JSON, and cookies what addresses have.
  const json = JSON.stringify(secret).slice(1, -1)
  const texts = new Set([secret, json, toAscii(json), encodeURIComponent(secret.replace(LONE_SURROGATES, '\uFFFD'))])
  const bytes = [...[...texts].map((text) => Buffer.from(text)), Buffer.from(secret, 'latin1')]
  return bytes.flatMap((own) =>
    [0, 1, 2].flatMap((before) => {
      const text = Buffer.concat([Buffer.alloc(before), own]).toString('base64')
      const core = text.slice(Math.ceil((before * 4) / 3), Math.floor(((before + own.length) * 4) / 3))
      return core.length < MIN_CORE ? [] : [core]
    }),
  )
}

/** Least characters of a secret before what follows a text that was cut, and before a sign that closes a quoted one. */
const [MIN_CUT, MIN_QUOTED] = [4, 8]

/** Takes out what is left of a secret where a text was cut before its secrets were known, such as in the message of a request. */
function hideBegin(message: string, secret: string): string {
  const begin = secret.slice(0, MIN_CUT)
  if (begin.length < MIN_CUT || !message.includes(begin)) return message
  let hidden = ''
  let from = 0
  for (let at = message.indexOf(begin); at !== -1; at = message.indexOf(begin, at)) {
    let end = at + MIN_CUT
    while (end < message.length && message[end] === secret[end - at]) end += 1
    const isQuoted = message[end] === '`' && end - at >= MIN_QUOTED
    const isCut = end === message.length || message[end] === '…' || isQuoted
    hidden += message.slice(from, at) + (isCut ? '…' : message.slice(at, end))
    at = end
    from = isCut && message[end] === '…' ? end + 1 : end
  }
  return hidden + message.slice(from)
}

/** Lists the secrets as they are and as other texts have them, the longest first: one may begin with another. */
export function listWritings(secrets: Iterable<string>): readonly string[] {
  const texts = [...secrets].flatMap((secret) => (secret.length <= 2 ? [] : [secret, ...writingsOf(secret)]))
  return [...new Set(texts)].toSorted((a, b) => b.length - a.length)
}

function writingsOf(secret: string): string[] {
  // As a form has it: the half of a pair, which no address can have, is replaced.
  const whole = secret.replace(LONE_SURROGATES, '\uFFFD')
  const bytes = Buffer.from(whole)
  const json = JSON.stringify(whole).slice(1, -1)
  // As hosts have it.
  const host = [whole.toLowerCase(), parseUrl(`http://${whole}`)?.hostname ?? ''].filter((text) => text.length > 2)
  const plain = [whole, ...host, json, toAscii(json), escapeHtml(whole), toNumbers(whole), bytes.toString('latin1')]
  const hex = bytes.toString('hex')
  const coded = [bytes.toString('base64').replace(/={1,2}$/, ''), bytes.toString('base64url'), hex, hex.toUpperCase()]
  const inAddress = [...plain, ...coded].flatMap((text) => {
    const percent = encodeURIComponent(text)
    return [
      percent,
      encodeURI(text),
      encodeURIComponent(percent),
      new URLSearchParams({ '': text }).toString().slice(1),
    ]
  })
  return [...plain, ...coded, ...inAddress, ...inAddress.map((text) => text.replace(/%[\dA-F]{2}/g, toLower))]
}

/** Escapes what is not ASCII, as many programs write JSON. */
const toAscii = (json: string): string =>
  json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Writes signs as the numbers of HTML. */
const toNumbers = (text: string): string => text.replace(/[^\w\s]/gu, (sign) => `&#${sign.codePointAt(0)};`)

const toLower = (code: string): string => code.toLowerCase()
