import { loadTree, wrapInPage } from '../html/load-tree.js'
import type { ParserInput, ParsedPage, ParsePlan } from '../parser.js'
import { isTextType } from '../media-type/sniff-media-type.js'

/** Tests if the plan requests files of this type in base64, without parsing. */
export const isWantedAsBase64 = (mediaType: string, { asBase64 }: ParsePlan): boolean =>
  (asBase64 === 'all' && !isTextType(mediaType)) || (asBase64 === 'pdf' && mediaType === 'application/pdf')

/**
 * Creates the page of a file that is not parsed: `text` and `markdown` are its bytes in base64.
 *
 * @see docs/compatibility/requests.md#parsers
 */
export function makeBase64Page({ url, body }: ParserInput): ParsedPage {
  const base64 = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('base64')
  return {
    url,
    baseUrl: url,
    tree: loadTree(wrapInPage([])),
    text: base64,
    markdown: base64,
    base64,
    isFile: true,
    warnings: [],
  }
}
