import { decodeText } from '../decode-text.js'
import { linkText } from '../link-text.js'
import type { Parser } from '../parser.js'
import { makeVerbatimPage } from '../verbatim-page.js'

const OTHERS = new Set(['text/html', 'text/xml', 'text/json', 'text/markdown', 'text/x-markdown', 'text/rtf'])

/** Any other text: kept as it came. Links written the Markdown way are known, as in `llms.txt`. @see behaviour 2.4, 6.4 */
export const plainText: Parser = {
  name: 'plain-text',
  accepts: (mediaType) => mediaType.startsWith('text/') && !OTHERS.has(mediaType),
  parse(input) {
    const text = decodeText(input.body, input.contentType, 'text')
    return makeVerbatimPage(input, text, text, { content: linkText(text) })
  },
}
