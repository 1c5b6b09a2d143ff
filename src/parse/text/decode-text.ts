import { decodeBuffer, getEncoding } from 'encoding-sniffer'

/** Rule for the encoding of a body without a byte order mark and without a charset in its header. */
export type CharsetRule =
  /**
   * A `meta` or XML declaration at the start, else UTF-8 where all bytes are UTF-8, else windows-1252: what is valid
   * UTF-8 with letters beyond ASCII is next to never anything else.
   *
   * @see WHATWG HTML 13.2.3.2
   */
  | 'html'
  /** The XML declaration, else UTF-8. @see RFC 7303 section 3 */
  | 'xml'
  /** Always UTF-8, whatever the header says. @see RFC 8259 section 8.1 */
  | 'json'
  /** UTF-8 where the bytes are UTF-8, else windows-1252: nearly all undeclared text files are one of the two. */
  | 'text'

// Browsers reload a page when they meet a `meta` after the first 1024 bytes; looking further at once comes to the same.
const PRESCAN_BYTES = 32_768

// Labels of the standard that the sniffer does not know.
const UNKNOWN_TO_SNIFFER =
  /charset\s*=\s*(?:["']\s*)?(iso-2022-jp|csiso2022jp|x-mac-cyrillic|x-mac-ukrainian|iso-8859-8-i)\b/i

/**
 * The body as text: byte order mark, then the header's charset, then what the body says of itself, then the rule's
 * default.
 *
 * @param contentType the `Content-Type` header, verbatim
 * @see WHATWG Encoding Standard section 6
 */
export function decodeText(body: Uint8Array, contentType: string | undefined, rule: CharsetRule): string {
  return decode(body, markedEncoding(body) ?? (rule === 'json' ? 'utf-8' : declaredEncoding(body, contentType, rule)))
}

function declaredEncoding(body: Uint8Array, contentType: string | undefined, rule: CharsetRule): string {
  const header = knownEncoding(charsetOf(contentType))
  if (header !== undefined) return header
  if (rule === 'text') return undeclaredEncoding(body)
  const start = body.subarray(0, PRESCAN_BYTES)
  const missed = knownEncoding(UNKNOWN_TO_SNIFFER.exec(Buffer.from(start).toString('latin1'))?.[1])
  if (missed !== undefined) return missed
  const found = getEncoding(start, { maxBytes: PRESCAN_BYTES, defaultEncoding: rule === 'xml' ? 'utf-8' : UNDECLARED })
  return found.toLowerCase() === UNDECLARED ? undeclaredEncoding(body) : found
}

/**
 * Default passed to the sniffer to recognise pages without a declaration: no page can declare it, as the standard maps
 * it to windows-1252.
 */
const UNDECLARED = 'x-user-defined'

const undeclaredEncoding = (body: Uint8Array): string => (isUtf8(body) ? 'utf-8' : 'windows-1252')

/** Returns the `charset` parameter of a `Content-Type` header. */
function charsetOf(contentType: string | undefined): string | undefined {
  const match = /;\s*charset\s*=\s*(?:"([^"]*)"|'?([^\s;"']+))/i.exec(contentType ?? '')
  return match?.[1] ?? match?.[2]
}

function markedEncoding(body: Uint8Array): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8'
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le'
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be'
  return undefined
}

/** Returns the standard's name of an encoding label; undefined for unknown ones. */
function knownEncoding(label: string | undefined): string | undefined {
  if (label === undefined) return undefined
  try {
    return new TextDecoder(label.trim()).encoding
  } catch (error) {
    // A RangeError says that there is no such label. `iso-8859-16` is real but not in every Node's ICU.
    if (error instanceof RangeError) return /^(iso-?8859-16|csisolatin10|l10)$/i.test(label) ? 'iso-8859-16' : undefined
    throw error
  }
}

function isUtf8(body: Uint8Array): boolean {
  if (decodesAsUtf8(body)) return true
  // A truncated body can end inside a character. If it is the only one, it belongs to another encoding.
  const whole = body.subarray(0, body.length - cutLetter(body))
  return whole.length < body.length && whole.some((byte) => byte >= 0x80) && decodesAsUtf8(whole)
}

/** Counts the bytes of an incomplete character at the end. */
function cutLetter(body: Uint8Array): number {
  for (let length = 1; length <= 3; length += 1) {
    const byte = body.at(-length) ?? 0
    if (byte >= 0xc0) return length
    if (byte < 0x80) return 0
  }
  return 0
}

function decodesAsUtf8(body: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(body)
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}

/** Decodes bytes in a known encoding. */
export const decodeBytes = (bytes: Uint8Array, label: string): string =>
  decode(bytes, knownEncoding(label) ?? 'windows-1252')

function decode(body: Uint8Array, encoding: string): string {
  switch (encoding.toLowerCase()) {
    case 'windows-1252':
    case 'x-user-defined':
      return decodeWindows1252(body)
    case 'gbk':
      // The standard decodes both alike; Node's own `gbk` gives private-use characters for some letters.
      return new TextDecoder('gb18030').decode(body)
    // Node's ICU knows neither the Hong Kong letters of big5 nor the windows-949 part of euc-kr.
    case 'big5':
    case 'euc-kr':
    case 'iso-8859-16':
      return decodeBuffer(asBuffer(body), { userEncoding: encoding })
    default:
      return new TextDecoder(encoding).decode(body)
  }
}

// 0x80 to 0x9F, where windows-1252 is not ISO 8859-1.
const WINDOWS_1252_HIGH = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

// Node 20's TextDecoder takes windows-1252 for ISO 8859-1: quotes, dashes and the euro sign come out as control characters.
const decodeWindows1252 = (body: Uint8Array): string =>
  asBuffer(body)
    .toString('latin1')
    // oxlint-disable-next-line no-control-regex -- the C1 controls are the very letters meant
    .replace(/[\x80-\x9f]/g, (letter) => WINDOWS_1252_HIGH.charAt(letter.charCodeAt(0) - 0x80))

const asBuffer = (body: Uint8Array): Buffer => Buffer.from(body.buffer, body.byteOffset, body.byteLength)
