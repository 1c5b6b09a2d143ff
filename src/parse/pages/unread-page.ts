import { loadTree, wrapInPage } from '../html/load-tree.js'
import type { ParserInput, ParsedPage, ParsePlan } from '../parser.js'
import { isTextType } from '../media-type/sniff-media-type.js'

/** Whether a file is to be given as it came. */
export const isUnread = (mediaType: string, { unread }: ParsePlan): boolean =>
  (unread === 'all' && !isTextType(mediaType)) || (unread === 'pdf' && mediaType === 'application/pdf')

/** A file as it came: its bytes in base64, in place of whatever could have been read in it. @see docs/compatibility.md#parsers */
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
