import { decodeBuffer, getEncoding } from 'encoding-sniffer'
import { findUtf16 } from './find-utf16.js'
import { guessEncoding, isIso2022Jp } from './guess-encoding.js'

/**
 * Rule for the encoding of a body without a byte order mark. Where it names none, the encoding is UTF-8 if the bytes are nearly all
 * valid UTF-8, else it is guessed: text in another encoding with letters beyond ASCII is almost never valid UTF-8.
 */
export type CharsetRule =
  /**
   * The header's charset, else a `meta` or XML declaration at the start.
   *
   * @see https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding
   */
  | 'html'
  /** The header's charset, else the XML declaration. @see https://www.rfc-editor.org/rfc/rfc7303#section-3 */
  | 'xml'
  /** UTF-8, even if the header has another charset, which counts only if it cannot be UTF-8. @see https://www.rfc-editor.org/rfc/rfc8259#section-8.1 */
  | 'json'
  /** The header's charset. */
  | 'text'

// Browsers examine 1024 bytes, and reload the page if a `meta` with a charset follows later. Examining more bytes at
// once has the same result.
const PRESCAN_BYTES = 32_768

/** Bytes that are examined first. Nearly all pages with a declaration have it there, and the rest takes a twentieth of a digest. */
const FIRST_BYTES = 1024

// Encoding labels of the standard that the `encoding-sniffer` library does not support.
const UNKNOWN_TO_SNIFFER =
  /(?:charset|^<\?xml[^>]{1,80}encoding)\s*=\s*(?:["']\s*)?(iso-2022-jp|csiso2022jp|x-mac-cyrillic|x-mac-ukrainian|iso-8859-8-i)\b/i

/** Bytes to decode. */
export interface TextInput {
  readonly body: Uint8Array
  /** `Content-Type` header, verbatim. */
  readonly contentType?: string
  /** URL of the page. */
  readonly url?: string
  /** Adds a warning to those of the page. */
  readonly warn?: (warning: string) => void
}

/**
 * Decodes a body to text. The encoding is that of the byte order mark, otherwise the header's charset, the charset that
 * the body declares, or that of its bytes. If it was guessed, `warn` is called.
 *
 * @see https://encoding.spec.whatwg.org/#specification-hooks
 */
export function decodeText(input: TextInput, rule: CharsetRule): string {
  return decode(input.body, encodingOfStart(input.body) ?? declaredEncoding(input, rule) ?? undeclaredEncoding(input))
}

/**
 * Returns the encoding of HTML that declares none, as {@link decodeText} decodes it; undefined for HTML that does.
 */
export function findUndeclared(input: TextInput): string | undefined {
  const found = encodingOfStart(input.body)
  return found ?? (declaredEncoding(input, 'html') === undefined ? undeclaredEncoding(input) : undefined)
}

function declaredEncoding({ body, contentType }: TextInput, rule: CharsetRule): string | undefined {
  const header = knownEncoding(charsetOf(contentType))
  if (rule === 'json') return isUnicode(body) ? 'utf-8' : header
  if (header !== undefined || rule === 'text') return header
  const start = body.subarray(0, PRESCAN_BYTES)
  const missed = knownEncoding(UNKNOWN_TO_SNIFFER.exec(asBuffer(start).toString('latin1'))?.[1])
  if (missed !== undefined) return missed
  // The first `meta` with a charset counts. Only that of an XML declaration (`<?`) is replaced by a `meta` after it.
  const first = start.subarray(0, start[0] === 0x3c && start[1] === 0x3f ? undefined : FIRST_BYTES)
  return readPlainDeclaration(first) ?? sniff(first) ?? sniff(start)
}

/**
 * The start of most pages, up to the `meta` that declares UTF-8: simple tags, comments and text, in which nothing else can
 * declare an encoding.
 */
const PLAIN_DECLARATION =
  /^(?=\s|<[!a-z])(?:[^<]|<!doctype[^<>-]*>|<!--[^<>-]*-->|<\/?[a-ln-z][a-z\d]*(?: [a-z:-]+="[^"<>]*")*>|<meta (?:name|property)="[^"<>]*" content="[^"<>]*" ?\/?>)*<meta (?:charset="utf-8"|http-equiv="content-type" content="text\/html; ?charset=utf-8") ?\/?>/i

/** Reads the declaration of UTF-8 where it is written as on most pages: in a tenth of the time of {@link sniff}. */
function readPlainDeclaration(first: Uint8Array): string | undefined {
  const start = PLAIN_DECLARATION.exec(asBuffer(first).toString('latin1'))?.[0].toLowerCase()
  if (start === undefined || start.indexOf('charset') !== start.lastIndexOf('charset')) return undefined
  return 'utf-8'
}

/** Returns the encoding that a `meta` or an XML declaration names. */
function sniff(start: Uint8Array): string | undefined {
  const found = getEncoding(start, { maxBytes: PRESCAN_BYTES, defaultEncoding: UNDECLARED })
  return found.toLowerCase() === UNDECLARED ? undefined : found
}

/**
 * Default passed to `encoding-sniffer` to recognize pages without a declaration. No page can declare this encoding,
 * because the standard maps it to windows-1252 in a `meta`.
 */
const UNDECLARED = 'x-user-defined'

function undeclaredEncoding(input: TextInput): string {
  const { body, warn } = input
  const isUtf = isUnicode(body)
  if (isUtf && !isIso2022Jp(body)) return 'utf-8'
  const { encoding, isCertain } = isUtf ? { encoding: 'iso-2022-jp', isCertain: false } : guessEncoding(input)
  if (!isCertain) warn?.(`No known encoding is declared: the text was read as ${encoding}, which its bytes suggest.`)
  return encoding
}

/** Tests for UTF-8, which may be cut at its end, or broken in few places. */
function isUnicode(body: Uint8Array): boolean {
  if (isUtf8(body)) return true
  // A truncated body may end inside a character. It is UTF-8 only if complete characters beyond ASCII precede that one.
  const whole = body.subarray(0, body.length - incompleteLength(body))
  const isCut = whole.length < body.length && whole.some((byte) => byte >= 0x80) && isUtf8(whole)
  return isCut || isMostlyUtf8(body)
}

/** Number of letters beyond ASCII that must be valid UTF-8 for each that is not. */
const VALID_FOR_EACH_INVALID = 10

/**
 * Tests for UTF-8 in which some characters are broken, because a program has cut a text, or put another one in as it
 * was. Text in another encoding has hardly any bytes that are a letter in UTF-8.
 */
function isMostlyUtf8(body: Uint8Array): boolean {
  const text = new TextDecoder('utf-8').decode(body)
  let valid = 0
  let invalid = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0xfffd) invalid += 1
    else if (code >= 0x80) valid += 1
  }
  return valid >= invalid * VALID_FOR_EACH_INVALID
}

/** Returns the `charset` parameter of a `Content-Type` header. */
function charsetOf(contentType: string | undefined): string | undefined {
  const match = /;\s*charset\s*=\s*(?:"([^"]*)"|'?([^\s;"']+))/i.exec(contentType ?? '')
  return match?.[1] ?? match?.[2]
}

/** Returns the encoding that a byte order mark names, or UTF-16 by its zeros. */
function encodingOfStart(body: Uint8Array): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8'
  return findUtf16(body)
}

/** Returns the standard's name of an encoding label; undefined for unknown ones. */
function knownEncoding(label: string | undefined): string | undefined {
  if (label === undefined) return undefined
  try {
    return new TextDecoder(label.trim()).encoding
  } catch (error) {
    // A RangeError means that the label is unknown. The ICU of some Node versions lacks `iso-8859-16`.
    if (error instanceof RangeError) return /^(iso-?8859-16|csisolatin10|l10)$/i.test(label) ? 'iso-8859-16' : undefined
    throw error
  }
}

/** Returns the number of bytes of a UTF-8 character at the end that has its first byte in the last three; 0 if none. */
function incompleteLength(body: Uint8Array): number {
  for (let length = 1; length <= 3; length += 1) {
    const byte = body.at(-length) ?? 0
    if (byte >= 0xc0) return length
    if (byte < 0x80) return 0
  }
  return 0
}

function isUtf8(body: Uint8Array): boolean {
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
      // The standard decodes gbk as gb18030. Node's `gbk` returns private-use characters for some letters.
      return new TextDecoder('gb18030').decode(body)
    // Node's ICU lacks the Hong Kong characters of big5 and the windows-949 part of euc-kr.
    case 'big5':
    case 'euc-kr':
    case 'iso-8859-16':
      return decodeBuffer(asBuffer(body), { userEncoding: encoding })
    default:
      return new TextDecoder(encoding).decode(body)
  }
}

// The characters of bytes 0x80 to 0x9F, in which windows-1252 differs from ISO 8859-1.
const WINDOWS_1252_HIGH = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

// Node 20's TextDecoder decodes windows-1252 as ISO 8859-1, so that quotes, dashes and the euro sign become control
// characters.
const decodeWindows1252 = (body: Uint8Array): string =>
  asBuffer(body)
    .toString('latin1')
    // oxlint-disable-next-line no-control-regex -- the C1 controls are the very letters meant
    .replace(/[\x80-\x9f]/g, (letter) => WINDOWS_1252_HIGH.charAt(letter.charCodeAt(0) - 0x80))

const asBuffer = (body: Uint8Array): Buffer => Buffer.from(body.buffer, body.byteOffset, body.byteLength)
