/** Types of pictures that a folder may have, by the endings of their files. */
export const IMAGE_TYPES = ['png', 'jpg', 'gif', 'webp', 'avif', 'svg', 'bmp', 'ico'] as const

/** One of {@link IMAGE_TYPES}. */
export type ImageType = (typeof IMAGE_TYPES)[number]

/** Lists the paths that the file of a picture can have. @param sum SHA-256 of its bytes: equal bytes are one file */
export const listNames = (sum: string, type: ImageType): string[] =>
  ['', '-2', '-3', '-4'].map((suffix) => `assets/${sum.slice(0, 32)}${suffix}.${type}`)

/** Tests for a path of {@link listNames}. */
export const isImageFile = (file: string): boolean => /^assets\/[\da-f]{32}(?:-[234])?\.[a-z]{3,4}$/.test(file)

const starts = (bytes: Buffer, text: string, at = 0): boolean => bytes.toString('latin1', at, at + text.length) === text

/** Tells by its bytes what picture a file is; undefined for anything else. */
export function imageTypeOf(bytes: Buffer): ImageType | undefined {
  if (starts(bytes, '\x89PNG\r\n\x1a\n')) return 'png'
  if (starts(bytes, '\xff\xd8\xff')) return 'jpg'
  if (starts(bytes, 'GIF87a') || starts(bytes, 'GIF89a')) return 'gif'
  if (starts(bytes, 'RIFF') && starts(bytes, 'WEBP', 8)) return 'webp'
  if (starts(bytes, 'ftyp', 4) && /^avi[fs]$/.test(bytes.toString('latin1', 8, 12))) return 'avif'
  // Its size and the size of its header follow.
  if (starts(bytes, 'BM') && bytes.length > 26 && bytes.readUInt32LE(14) <= 124) return 'bmp'
  if (starts(bytes, '\0\0\x01\0') && bytes.length > 22) return 'ico'
  return isSvg(bytes) ? 'svg' : undefined
}

/** Bytes before the first element of an SVG: declarations and comments of programs. */
const PROLOG_BYTES = 16_384

function isSvg(bytes: Buffer): boolean {
  let rest = bytes
    .toString('utf8', 0, PROLOG_BYTES)
    .replace(/^\uFEFF/, '')
    .trimStart()
  while (/^<[?!]/.test(rest)) {
    const end = rest.startsWith('<!--') ? '-->' : '>'
    const at = rest.indexOf(end)
    if (at === -1) return false
    rest = rest.slice(at + end.length).trimStart()
  }
  return /^<(?:svg:)?svg[\s>/]/.test(rest)
}

/** Elements that run or load others, in any namespace. */
const RUNNING_ELEMENT = /[<:](?:script|iframe|object|embed|handler|listener|frame)\b/i
const HANDLER = /[\s"'/]on[a-z]+\s*=/i
/** A handler that an animation sets. */
const SET_HANDLER = /attributeName\s*=\s*["']\s*on/i
/** Declarations that may hide the others: entities, also those that browsers know for XHTML, style sheets that are programs. */
const HIDING = /<!ENTITY|<\?xml-stylesheet/i
const DOCTYPE = /<!DOCTYPE/i
const XHTML = /XHTML/i
const RUNNING_SCHEME = /javascript:|vbscript:/i
/** Types of data in addresses that run nothing. */
const INERT_DATA = /^ *(?:image\/(?:png|jpe?g|gif|webp|avif)[;,]|font\/|application\/(?:x-)?font)/i
/** Characters that no XML has: some encodings hide letters behind them. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROL = /[\0-\b\v\f\x0e-\x1f]/
/** Character references to ASCII: they hide letters as well. XML allows any number of zeros in them. */
const REFERENCE = /&#(?:0*(\d{1,3})|x0*([\da-f]{1,2}));/gi

/**
 * Tests whether an SVG may run something where a browser opens it by itself. In doubt it may: such a picture stays on its site.
 *
 * @see https://www.w3.org/TR/SVG2/interact.html#ScriptElement
 */
export function mayRun(svg: Buffer): boolean {
  const text = svg.toString('latin1')
  if (CONTROL.test(text)) return true
  const plain = text.replace(REFERENCE, (_, digits: string | undefined, hex = '') =>
    String.fromCharCode(digits === undefined ? Number.parseInt(hex, 16) : Number(digits)),
  )
  if ([RUNNING_ELEMENT, HANDLER, SET_HANDLER, HIDING].some((pattern) => pattern.test(plain))) return true
  if (DOCTYPE.test(plain) && XHTML.test(plain)) return true
  // The parsers of addresses overlook line ends in them.
  const joined = plain.replace(/[\t\n\r]+/g, '')
  return RUNNING_SCHEME.test(joined) || hasRunningData(joined)
}

/** Tests for an address with data that may run, or be another SVG. */
function hasRunningData(text: string): boolean {
  for (const { index } of text.matchAll(/data:/gi)) {
    const type = text.slice(index + 'data:'.length, index + 60)
    if (/^ *[\w+.-]+\//.test(type) && !INERT_DATA.test(type)) return true
  }
  return false
}
