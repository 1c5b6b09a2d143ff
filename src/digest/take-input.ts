import { readFileName } from '../parse/media-type/file-name.js'
import type { ParserInput } from '../parse/parser.js'

/** A page with its response headers. */
export interface DigestInput extends ParserInput {
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Picks the fields of a page that its parser reads: no others need to cross to a thread. */
export function takeInput({ url, body, contentType, fileName, mediaType, headers }: DigestInput): ParserInput {
  const name = fileName ?? readFileName(headers?.['content-disposition'])
  return {
    url,
    body,
    ...(contentType !== undefined && { contentType }),
    ...(name !== undefined && { fileName: name }),
    ...(mediaType !== undefined && { mediaType }),
  }
}
