import { CONTAINED } from './contained-types.js'
import { extensionOf, nameOfFile } from './file-name.js'
import { findUtf16 } from '../../encoding/find-utf16.js'
import type { ParserInput } from '../parser.js'
import { languageOfType, sourceTypeOf } from './source-languages.js'
import { ownValue } from '../../../base/collections/own-value.js'

// Signatures of types that start like text or contain text, which take precedence over the server's declaration. Others
// are detected by `identifyFile`.
const SIGNATURES: readonly (readonly [type: string, bytes: string])[] = [
  ['application/pdf', '%PDF-'],
  ['application/rtf', '{\\rtf'],
  ['application/postscript', '%!PS-Adobe'],
  ['application/zip', 'PK\x03\x04'],
  ['application/zip', 'PK\x05\x06'],
  ['application/gzip', '\x1f\x8b\x08'],
  ['application/x-cfb', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
]

const HTML_TAG = /^<(?:!doctype\s+html|html|head|body|script|iframe|h1|div|font|table|a|style|title|b|br|p)[\s>]/i
const XML_START = /^\s*<(?:\?xml\s|(?:rss|feed|rdf:RDF|urlset|sitemapindex|svg)[\s>])/

/** Matches a single-file (flat XML) OpenDocument. @see OpenDocument 1.3 part 3, section 3.1.2 */
const FLAT = /^\s*(?:<\?xml\s[^>]*\?>\s*)?<office:document\s/
/** Number of bytes in which the document type is searched: dozens of namespace declarations precede it. */
const FLAT_HEAD = 16_384

function flatTypeOf(body: Uint8Array): string | undefined {
  const head = Buffer.from(body.subarray(0, FLAT_HEAD)).toString('latin1')
  const type = /\soffice:mimetype\s*=\s*["'](application\/vnd\.oasis\.opendocument\.[a-z]+)(?:-template)?["']/.exec(
    head,
  )
  return type?.[1] && `${type[1]}-flat-xml`
}

/** Tests for the start of HTML, after white space, comments and an XML declaration. */
function startsAsHtml(text: string): boolean {
  const rest = skipProlog(text)
  return rest === undefined || HTML_TAG.test(rest)
}

/** Skips white space, comments and XML declarations; undefined if a comment does not end. */
function skipProlog(text: string): string | undefined {
  for (let rest = text.trimStart(); ;) {
    const end = rest.startsWith('<!--') ? '-->' : rest.startsWith('<?') ? '?>' : undefined
    if (end === undefined) return rest
    const at = rest.indexOf(end)
    if (at === -1) return end === '-->' ? undefined : ''
    rest = rest.slice(at + end.length).trimStart()
  }
}

const RSS_1 = 'http://purl.org/rss/1.0/'

/**
 * Tests for the start of a feed, which servers often send as a page.
 *
 * @see https://mimesniff.spec.whatwg.org/#sniffing-in-an-rss-or-atom-context
 */
function startsAsFeed(text: string): boolean {
  const rest = skipProlog(text) ?? ''
  return (
    /^<rss[\s>]/.test(rest) ||
    /^<feed\s[^>]*http:\/\/www\.w3\.org\/2005\/Atom/.test(rest) ||
    (/^<rdf:RDF[\s>]/.test(rest) && rest.includes(RSS_1))
  )
}

const OBJECT_START = /^\{\s*"(?:[^"\\\n<]|\\.){0,200}"\s*:/
/** Bytes at the end that are examined. */
const END_BYTES = 200

/** Tests for an object or a list of objects in JSON, which programs often send as a page. */
function isJson(text: string, body: Uint8Array): boolean {
  const start = text.trimStart()
  const isList = start.startsWith('[')
  if (!OBJECT_START.test(isList ? start.slice(1).trimStart() : start)) return false
  const end = latin1(body, Math.max(0, body.length - END_BYTES)).trimEnd()
  return isList ? end.endsWith(']') : end.endsWith('}')
}

const OPAQUE: ReadonlySet<string> = new Set([
  '',
  'application/octet-stream',
  'binary/octet-stream',
  'application/x-download',
  'application/force-download',
  'application/download',
  'unknown/unknown',
])

/** Extensions of text data and documents; extensions of source code are in `source-languages.ts`. */
const TEXT_EXTENSIONS: Readonly<Record<string, string>> = {
  md: 'text/markdown',
  markdown: 'text/markdown',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  tab: 'text/tab-separated-values',
  json: 'application/json',
  geojson: 'application/json',
  webmanifest: 'application/json',
  ipynb: 'application/json',
  xml: 'application/xml',
  rss: 'application/xml',
  atom: 'application/xml',
  xsd: 'application/xml',
  svg: 'image/svg+xml',
}

const HTML_EXTENSION = /^(?:x?html?|xht)$/

/** Media type of HTML that is written as XML. */
export const XHTML = 'application/xhtml+xml'

const XHTML_EXTENSION = /^xht(?:ml?)?$/
const XHTML_START = /^\s*<\?xml\s[^<>]*\?>/

/** Returns the type of a page without a declared one: XHTML by its name, or by how XML starts. */
const typeOfPage = (extension: string, text: string): string =>
  XHTML_EXTENSION.test(extension) || (XHTML_START.test(text) && text.includes('http://www.w3.org/1999/xhtml'))
    ? XHTML
    : 'text/html'

/**
 * Name of the link list for language models. It is Markdown, even if the server declares another type.
 *
 * @see https://llmstxt.org
 */
const LLMS_TXT = /^llms(?:-full)?\.txt$/i

/** Returns the type of a text file by its name. */
function typeByName(name: string, text: string): string | undefined {
  if (LLMS_TXT.test(name)) return 'text/markdown'
  return ownValue(TEXT_EXTENSIONS, extensionOf(name)) ?? sourceTypeOf(name, text)
}

/** The names of a file. */
interface NamedFile {
  readonly fileName?: string
  readonly url?: string
}

/**
 * Detects the media type of a body: by its first bytes, otherwise by the server's declaration, the file's name, or
 * typical patterns in the bytes. Binary data never gets a text type.
 *
 * @param contentType the `Content-Type` header, verbatim
 * @param file the file's name and URL
 * @returns a media type in lower case, without parameters
 * @see https://mimesniff.spec.whatwg.org/#matching-a-mime-type-pattern
 */
export function sniffMediaType(body: Uint8Array, contentType: string | undefined, file: NamedFile = {}): string {
  const declared = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const start = latin1(body, 0)
  const signature = SIGNATURES.find(([, bytes]) => start.startsWith(bytes))
  // The first bytes of a container do not determine its contents.
  if (signature)
    return Object.values(ownValue(CONTAINED, signature[0]) ?? {}).includes(declared) ? declared : signature[0]
  const utf16 = utf16Of(body, contentType)
  const text =
    utf16 === undefined
      ? start.replace(/^\xef\xbb\xbf/, '')
      : new TextDecoder(utf16).decode(body.subarray(0, PIECE_BYTES))
  const isBinary = isGarbled(text)
  if (!isBinary && declared !== 'text/plain' && FLAT.test(text)) return flatTypeOf(body) ?? 'application/xml'
  // PDF readers accept a header within the first 1024 bytes.
  const holdsPdf = start.slice(0, 1024).includes('%PDF-')
  if (holdsPdf && (declared === 'application/pdf' || isBinary)) return 'application/pdf'
  if (!isTextType(declared)) return sniffUndeclared(declared, text, { isBinary, ...file })
  const isWeb = declared === 'text/html' || declared === XHTML
  // A page with a stray control character is still a page.
  if (isBinary || (!isWeb && utf16 === undefined && hasGarbledPart(body))) return 'application/octet-stream'
  if ((isWeb || declared === 'text/plain') && startsAsFeed(text)) return 'application/xml'
  if (isWeb && isJson(text, body)) return 'application/json'
  // Declared plain text is not searched for tags, as it may be about them.
  if (declared === 'text/plain')
    return hasControls(text) ? 'application/octet-stream' : (typeByName(nameOfFile(file), text) ?? declared)
  if (isOtherText(declared) && /^\s*<\?xml\s/.test(text)) return 'application/xml'
  // Scripts that send downloads often keep the default type `text/html`.
  if (isWeb && file.fileName !== undefined && !startsAsHtml(text)) return typeByName(file.fileName, text) ?? declared
  return declared
}

/** Tests for a text type whose name says neither that it is XML nor that it is source code: `text/x-opml`. */
const isOtherText = (type: string): boolean =>
  type.startsWith('text/') && !/[/+](?:xml|html)$/.test(type) && languageOfType(type) === undefined

/** Returns the media type of the input if it is identified already, otherwise detects it. */
export const mediaTypeOf = (input: ParserInput): string =>
  input.mediaType ?? sniffMediaType(input.body, input.contentType, input)

/** Detects the type of a body that the server declares as an image or another file, or not at all. */
function sniffUndeclared(
  declared: string,
  text: string,
  { isBinary, ...file }: NamedFile & { readonly isBinary: boolean },
): string {
  const isOpaque = OPAQUE.has(declared)
  if (isBinary || hasControls(text)) return isOpaque ? 'application/octet-stream' : declared
  const name = nameOfFile(file)
  const byName = typeByName(name, text)
  // The declared type is ignored: for `.ts` it may be video, but these bytes are text.
  if (byName !== undefined) return byName
  if (startsAsHtml(text) || (isOpaque && HTML_EXTENSION.test(extensionOf(name)) && text.includes('<')))
    return typeOfPage(extensionOf(name), text)
  if (isOpaque) return XML_START.test(text) ? 'application/xml' : 'text/plain'
  // Other `application/` types with readable text are scripts, configuration and data.
  return /^(?:image|audio|video|font)\/|^application\/(?:pdf|zip|gzip)$/.test(declared) ? declared : 'text/plain'
}

/** Tests for a text media type, whose bytes can be displayed. */
export const isTextType = (type: string): boolean =>
  type.startsWith('text/') || /[/+](?:json|xml)$/.test(type) || languageOfType(type) !== undefined

const PIECE_BYTES = 2048
/** Maximum length of a declared type that is examined, in characters. */
const MAX_TYPE = 1000

const latin1 = ({ buffer, byteOffset, length }: Uint8Array, from: number): string =>
  Buffer.from(buffer, byteOffset + from, Math.min(PIECE_BYTES, length - from)).toString('latin1')

/** Returns the byte order of UTF-16, from the bytes or the server's declaration. */
function utf16Of(body: Uint8Array, contentType = ''): string | undefined {
  const found = findUtf16(body)
  if (found !== undefined) return found
  return /;\s*charset\s*=\s*(?:["']\s*)?(utf-16(?:le|be)?)\b/i.exec(contentType.slice(0, MAX_TYPE))?.[1]
}

// oxlint-disable-next-line no-control-regex -- the "binary data bytes" of the standard; `\0` also occurs in UTF-16
const CONTROLS = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f\ufffd]/g

const hasControls = (text: string): boolean => text.search(CONTROLS) !== -1

/**
 * Tests for binary data by its share of control characters: above a tenth in compressed and encrypted data, and near
 * zero in text, in which tabs and line breaks do not count.
 */
function isGarbled(text: string): boolean {
  const controls = (text.match(CONTROLS) ?? []).filter((sign) => sign !== '\v').length
  return controls > text.length * (controls > 3 ? 0.03 : 0.3)
}

/** Tests the middle and the end of the body for binary data, which a self-extracting script has after its text. */
const hasGarbledPart = (body: Uint8Array): boolean =>
  body.length > PIECE_BYTES &&
  [body.length >> 1, Math.max(0, body.length - PIECE_BYTES)].some((from) => isGarbled(latin1(body, from)))
