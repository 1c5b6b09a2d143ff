// Files that name themselves in their first bytes: nothing that a server says about them can be truer.
// `at` is where the signature stands, 0 unless given.
const SIGNATURES: readonly { readonly type: string; readonly bytes: string; readonly at?: number }[] = [
  { type: 'application/pdf', bytes: '%PDF-' },
  { type: 'application/zip', bytes: 'PK\x03\x04' },
  { type: 'application/zip', bytes: 'PK\x05\x06' },
  { type: 'image/png', bytes: '\x89PNG\r\n\x1a\n' },
  { type: 'image/gif', bytes: 'GIF87a' },
  { type: 'image/gif', bytes: 'GIF89a' },
  { type: 'image/jpeg', bytes: '\xff\xd8\xff' },
  { type: 'image/webp', bytes: 'WEBPVP', at: 8 },
  { type: 'image/tiff', bytes: 'II*\0' },
  { type: 'image/tiff', bytes: 'MM\0*' },
  { type: 'image/vnd.microsoft.icon', bytes: '\0\0\x01\0' },
  { type: 'image/vnd.adobe.photoshop', bytes: '8BPS' },
  { type: 'video/mp4', bytes: 'ftyp', at: 4 },
  { type: 'video/webm', bytes: '\x1aE\xdf\xa3' },
  { type: 'video/x-msvideo', bytes: 'AVI ', at: 8 },
  { type: 'audio/wav', bytes: 'WAVEfmt', at: 8 },
  { type: 'audio/mpeg', bytes: 'ID3\x03' },
  { type: 'audio/mpeg', bytes: 'ID3\x04' },
  { type: 'audio/flac', bytes: 'fLaC' },
  { type: 'application/ogg', bytes: 'OggS\0' },
  { type: 'font/woff', bytes: 'wOFF' },
  { type: 'font/woff2', bytes: 'wOF2' },
  { type: 'font/ttf', bytes: '\0\x01\0\0\0' },
  { type: 'application/gzip', bytes: '\x1f\x8b\x08' },
  { type: 'application/x-bzip2', bytes: 'BZh91AY' },
  { type: 'application/x-xz', bytes: '\xfd7zXZ\0' },
  { type: 'application/zstd', bytes: '\x28\xb5\x2f\xfd' },
  { type: 'application/x-7z-compressed', bytes: '7z\xbc\xaf\x27\x1c' },
  { type: 'application/vnd.rar', bytes: 'Rar!\x1a\x07' },
  { type: 'application/x-ole-storage', bytes: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1' },
  { type: 'application/rtf', bytes: '{\\rtf1' },
  { type: 'application/postscript', bytes: '%!PS-Adobe' },
  { type: 'application/x-elf', bytes: '\x7fELF' },
  { type: 'application/vnd.sqlite3', bytes: 'SQLite format 3\0' },
  { type: 'application/wasm', bytes: '\0asm' },
]

const HTML_TAG = /^<(?:!doctype\s+html|html|head|body|script|iframe|h1|div|font|table|a|style|title|b|br|p)[\s>]/i

/** Whether it starts as HTML does, after white space, comments and an XML declaration. */
function startsAsHtml(text: string): boolean {
  for (let rest = text.trimStart(); ;) {
    const end = rest.startsWith('<!--') ? '-->' : rest.startsWith('<?') ? '?>' : undefined
    if (end === undefined) return HTML_TAG.test(rest)
    const at = rest.indexOf(end)
    if (at === -1) return end === '-->'
    rest = rest.slice(at + end.length).trimStart()
  }
}

/** Types of files that are zips. */
const IS_ZIP =
  /^application\/(?:vnd\.(?:openxmlformats-officedocument|oasis\.opendocument|ms-(?:word|excel|powerpoint))\.|epub\+zip$)/

const isOpaque = (type: string): boolean =>
  type === '' || type === 'application/octet-stream' || type === 'application/x-download' || type === 'unknown/unknown'

/**
 * What a body is: its first bytes decide where they can, else what the server says, else what the bytes look like.
 *
 * @param contentType the `Content-Type` header, verbatim
 * @returns a media type in lower case, without parameters
 * @see WHATWG MIME Sniffing sections 6 and 7
 */
export function sniffMediaType(body: Uint8Array, contentType: string | undefined): string {
  const declared = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const start = Buffer.from(body.subarray(0, 2048)).toString('latin1')
  const signature = SIGNATURES.find(({ bytes, at = 0 }) => start.startsWith(bytes, at))
  // What kind of zip it is, its first bytes do not tell.
  if (signature !== undefined)
    return signature.type === 'application/zip' && IS_ZIP.test(declared) ? declared : signature.type
  const text = decodeStart(body, start)
  // Servers call files of unknown type `text/plain`; a page with a stray control character is still a page.
  if (isReadable(declared))
    return declared === 'text/plain' && text === undefined ? 'application/octet-stream' : declared
  if (text !== undefined && startsAsHtml(text)) return 'text/html'
  if (text === undefined) return isOpaque(declared) ? 'application/octet-stream' : declared
  if (isOpaque(declared)) return /^\s*<\?xml\s/.test(text) ? 'application/xml' : 'text/plain'
  // The rest of `application/` is scripts, configuration and data when it reads as text.
  return /^(image|audio|video|font)\/|^application\/(pdf|zip)$/.test(declared) ? declared : 'text/plain'
}

/** Whether the server calls it something that is text by its name, so that there is nothing to guess. */
const isReadable = (type: string): boolean =>
  type.startsWith('text/') || /[/+](json|xml)$/.test(type) || type === 'application/xhtml+xml'

/** The start as text; undefined when it is binary: it has control characters that no text has. */
function decodeStart(body: Uint8Array, start: string): string | undefined {
  if ((body[0] === 0xff && body[1] === 0xfe) || (body[0] === 0xfe && body[1] === 0xff))
    return start.slice(2).replaceAll('\0', '')
  // oxlint-disable-next-line no-control-regex -- the "binary data bytes" of the standard
  return /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]/.test(start) ? undefined : start.replace(/^\xef\xbb\xbf/, '')
}
