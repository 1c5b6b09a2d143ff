import { readFileName } from '../parse/media-type/file-name.js'
import type { ParserInput } from '../parse/parser.js'

/** A page with its response headers. */
export interface DigestInput extends ParserInput {
  /** Response headers by name in lower case. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Picks the fields of a page that its parser reads, so that no others are copied to a worker thread. */
export function pickParserInput({
  url,
  body,
  contentType,
  fileName,
  mediaType,
  headers,
  unseen,
  sheets,
}: DigestInput): ParserInput {
  const name = fileName ?? readFileName(headers?.['content-disposition'])
  return { url, body, contentType, fileName: name, mediaType, unseen, sheets }
}
