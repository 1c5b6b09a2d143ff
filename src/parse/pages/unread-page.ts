import { loadTree, wrapInPage } from '../html/load-tree.js'
import type { ParserInput, ParsedPage, ParsePlan } from '../parser.js'
import { isTextType } from '../media-type/sniff-media-type.js'

/** Tests if a file is to be returned unread. */
export const isUnread = (mediaType: string, { unread }: ParsePlan): boolean =>
  (unread === 'all' && !isTextType(mediaType)) || (unread === 'pdf' && mediaType === 'application/pdf')

/**
 * Creates a page of an unread file: its bytes in base64.
 *
 * @see docs/compatibility.md#parsers
 */
export function makeUnreadPage({ url, body }: ParserInput): ParsedPage {
  const base64 = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('base64')
  return {
    url,
    baseUrl: url,
    $: loadTree(wrapInPage([])),
    text: base64,
    markdown: base64,
    base64,
    isFile: true,
    warnings: [],
  }
}
