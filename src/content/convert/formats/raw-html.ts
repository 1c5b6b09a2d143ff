import type { Format } from '../format.js'
import { writeHtml } from '../write/write-html.js'

interface RawHtmlFields {
  /** The page as received, after charset decoding. */
  rawHtml: string
}

/** The page as received. @see docs/compatibility/requests.md#formats */
export const rawHtml: Format<{ type: 'rawHtml' }, RawHtmlFields, 'rawHtml'> = {
  type: 'rawHtml',
  isForPrompt: true,
  versionOne: { rawHtml: {} },
  outline: { readsContent: false, convert: ({ text }) => ({ rawHtml: text }) },
  // The HTML of a file is made of its tree.
  readsPage: 'of files',
  convert({ page, limits }, _, __, warn) {
    const { text } = page
    if (page.isFile === undefined || text.length <= limits.part) return { rawHtml: text }
    return { rawHtml: writeHtml(page.tree, limits, { format: 'rawHtml', warn }) }
  },
}
