import { CONTAINED } from './contained-types.js'
import { extensionOf, nameOfFile } from './file-name.js'
import type { ParserInput } from '../parser.js'
import { isTextType, sniffMediaType } from './sniff-media-type.js'
import { ownValue } from '../../../base/collections/own-value.js'
import { gunzipSync } from 'node:zlib'
import { TrawlError } from '../../../base/errors.js'

/** Types that the first bytes identify for certain, so that the file-type library is not needed. */
const CERTAIN: ReadonlySet<string> = new Set(['application/pdf', 'application/rtf', 'application/postscript'])

/**
 * Identifies the media type of a file and adds it to the input. Text is identified by {@link sniffMediaType}, a binary
 * file by its signature, and a zip file by its entries. A gzip file that contains text is replaced by that text.
 *
 * The file-type library reads at most 1024 entries of a zip file, and unpacks at most 1 MiB of each.
 *
 * @throws TrawlError `SCRAPE_DECOMPRESSED_TOO_LARGE`
 */
export async function identifyFile(input: ParserInput): Promise<ParserInput> {
  if (input.mediaType !== undefined) return input
  const mediaType = await findMediaType(input)
  if (mediaType !== 'application/gzip') return { ...input, mediaType }
  const body = ungzip(input.body, input.url)
  if (body === undefined) return { ...input, mediaType }
  const { contentType, ...rest } = input
  const declared = contentType !== undefined && isTextType(essenceOf(contentType)) ? contentType : undefined
  const name = nameOfFile(input).replace(/\.gz$/i, '')
  const inner = sniffMediaType(body, declared, { fileName: name })
  if (!isTextType(inner)) return { ...input, mediaType }
  return { ...rest, contentType: declared, fileName: name, body, mediaType: inner }
}

/** Returns the media type of the bytes, in lower case and without parameters. */
export async function findMediaType(input: ParserInput): Promise<string> {
  const seen = sniffMediaType(input.body, input.contentType, input)
  if (isTextType(seen) || (CERTAIN.has(seen) && !isOnlyDeclared(seen, input))) return seen
  const { fileTypeFromBuffer } = await import('file-type')
  // The library throws on some truncated and malicious files. The type by their first bytes is then used.
  const found = await fileTypeFromBuffer(input.body).catch(() => undefined)
  // The library also detects some text types. The bytes are known to be binary here.
  const type = found && !isTextType(found.mime) ? found.mime.toLowerCase() : seen
  const contained = ownValue(CONTAINED, type)
  if (!contained) return type
  const declared = essenceOf(input.contentType ?? '')
  if (Object.values(contained).includes(declared)) return declared
  const extension = extensionOf(nameOfFile(input))
  return ownValue(contained, extension) ?? type
}

/** Tests if only the server declares the type, and the bytes do not show it, as for an image served as a PDF file. */
const isOnlyDeclared = (type: string, { body, contentType, ...file }: ParserInput): boolean =>
  essenceOf(contentType ?? '') === type && sniffMediaType(body, undefined, file) !== type

const essenceOf = (contentType: string): string => contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''

/** Maximum unpacked size of a gzip file, in bytes. */
const MAX_BYTES = 33_554_432

/**
 * Unpacks a gzip file; undefined if it is broken.
 *
 * @throws TrawlError `SCRAPE_DECOMPRESSED_TOO_LARGE`
 * @see https://www.rfc-editor.org/rfc/rfc1952
 */
function ungzip(body: Uint8Array, url: string): Uint8Array | undefined {
  try {
    return gunzipSync(body, { maxOutputLength: MAX_BYTES })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') {
      const message = `The gzip file has more than ${MAX_BYTES} bytes after decompression`
      throw new TrawlError('SCRAPE_DECOMPRESSED_TOO_LARGE', message, { url, cause: error })
    }
    return undefined
  }
}
