import { Text } from '../../html/tree.js'
import { NOTHING_DROPPED } from '../../../base/text/dropped-lines.js'
import { decodeText } from '../../encoding/decode-text.js'
import { loadTree, makeElement, wrapInPage } from '../html/load-tree.js'
import type { Parser } from '../parser.js'
import { readDrawing } from '../pages/drawing-words.js'
import { fence, makeVerbatimPage } from '../pages/verbatim-page.js'

/**
 * Reads the text of an SVG image: its title, its description, and its text elements as a list of lines. An image
 * without text becomes a code block with its source.
 *
 * @see https://www.w3.org/TR/SVG2/text.html
 */
export const svg: Parser = {
  name: 'svg',
  accepts: (mediaType) => mediaType === 'image/svg+xml',
  parse(input) {
    const text = decodeText(input, 'xml')
    const { title, content } = readDrawing(text)
    if (content.length === 0) return makeVerbatimPage(input, text, fence(text, 'xml'))
    const head = title === '' ? [] : [makeElement('title', {}, [new Text(title)])]
    return {
      url: input.url,
      baseUrl: input.url,
      tree: loadTree(wrapInPage(content, head)),
      text,
      isFile: true,
      dropped: NOTHING_DROPPED,
      warnings: [],
    }
  },
}
