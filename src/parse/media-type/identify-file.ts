import { CONTAINED } from './contained-types.js'
import { extensionOf, nameOfFile } from './file-name.js'
import type { ParserInput } from '../parser.js'
import { isTextType, sniffMediaType } from './sniff-media-type.js'
import { ungzip } from './ungzip.js'
import { ownValue } from '../../collections/own-value.js'

/** Types that are certain from the first bytes; the library would not examine more. */
const CERTAIN: ReadonlySet<string> = new Set(['application/pdf', 'application/rtf', 'application/postscript'])

/**
 * Decides what the bytes are, once and for all: text by the rules of {@link sniffMediaType}, everything else by its
 * own marks, and a zip by what is in it. Of a gzip file that holds text, the text is what is read.
 *
 * The library looks at no more than the bytes at hand, and unpacks at most 1 MiB of an entry of a zip, of at most
 * 1024.
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
  return { ...rest, ...(declared !== undefined && { contentType: declared }), fileName: name, body, mediaType: inner }
}

/** Returns the media type of the bytes, in lower case and without parameters. */
export async function findMediaType(input: ParserInput): Promise<string> {
  const seen = sniffMediaType(input.body, input.contentType, input)
  if (isTextType(seen) || (CERTAIN.has(seen) && !isOnlyDeclared(seen, input))) return seen
  const { fileTypeFromBuffer } = await import('file-type')
  // In truncated or malicious files, it may only find what the start declares.
  const found = await fileTypeFromBuffer(input.body).catch(() => undefined)
  // The library also detects some text types, which these bytes are not.
  const type = found && !isTextType(found.mime) ? found.mime.toLowerCase() : seen
  const contained = ownValue(CONTAINED, type)
  if (!contained) return type
  const declared = essenceOf(input.contentType ?? '')
  if (Object.values(contained).includes(declared)) return declared
  const extension = extensionOf(nameOfFile(input))
  return ownValue(contained, extension) ?? type
}

/** Tests if a type is only declared by the server: an image that is served as a PDF file is an image. */
const isOnlyDeclared = (type: string, { body, contentType, ...file }: ParserInput): boolean =>
  essenceOf(contentType ?? '') === type && sniffMediaType(body, undefined, file) !== type

const essenceOf = (contentType: string): string => contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
