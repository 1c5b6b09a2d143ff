import { readFileName } from '../parse/media-type/file-name.js'
import type { ParserInput } from '../parse/parser.js'

/** A page, with what its server said beside it. */
export interface DigestInput extends ParserInput {
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Of a page what its parser reads: whatever else it carries need not cross to a thread. */
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
