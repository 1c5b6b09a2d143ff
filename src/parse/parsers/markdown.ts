import { decodeText } from '../decode-text.js'
import { linkText } from '../link-text.js'
import type { Parser } from '../parser.js'
import { makeVerbatimPage } from '../verbatim-page.js'

/** Markdown that a site serves itself: kept as it came, its links known. */
export const markdown: Parser = {
  name: 'markdown',
  accepts: (mediaType) => mediaType === 'text/markdown' || mediaType === 'text/x-markdown',
  parse(input) {
    const text = decodeText(input.body, input.contentType, 'text')
    return makeVerbatimPage(input, text, text, { content: linkText(text) })
  },
}
