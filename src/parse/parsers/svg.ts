import { child, elements, readXml, type XmlElement, xmlText } from '../../office/package/xml.js'
import { type ChildNode, Text } from '../../html/tree.js'
import { NOTHING_DROPPED } from '../../text/dropped-lines.js'
import { decodeText } from '../text/decode-text.js'
import { loadTree, makeElement, wrapInPage } from '../html/load-tree.js'
import type { Parser } from '../parser.js'
import { fence, makeVerbatimPage } from '../pages/verbatim-page.js'

/** Elements that are not rendered, or only by reference. */
const NOT_RENDERED = /^(?:clipPath|defs|desc|mask|metadata|script|style|symbol|title)$/

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
    const text = decodeText(input.body, input.contentType, 'xml')
    const { root } = readXml(new TextEncoder().encode(text))
    const title = collapse(xmlText(child(root, 'title')))
    const description = collapse(xmlText(child(root, 'desc')))
    const lines = findLines(root)
    const content = [
      ...(title === '' ? [] : [makeElement('h1', {}, [new Text(title)])]),
      ...(description === '' ? [] : [makeElement('p', {}, [new Text(description)])]),
      ...(lines.length === 0 ? [] : [makeElement('ul', {}, lines)]),
    ]
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

const collapse = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Lists the lines of text as list items, in drawing order. */
function findLines(root: XmlElement, href?: string): ChildNode[] {
  return elements(root).flatMap((element) => {
    const { name, attributes } = element
    if (NOT_RENDERED.test(name) || attributes['display'] === 'none') return []
    const inside = name === 'a' ? (attributes['href'] ?? attributes['xlink:href'] ?? href) : href
    if (name !== 'text') return findLines(element, inside)
    return linesOf(element).map((line) => {
      const words = new Text(line)
      return makeElement('li', {}, inside === undefined ? [words] : [makeElement('a', { href: inside }, [words])])
    })
  })
}

/** Splits a text element into lines: each part with a vertical position of its own starts a line. */
function linesOf(text: XmlElement): string[] {
  const lines = ['']
  const read = (element: XmlElement): void => {
    const { y, dy } = element.attributes
    if (element !== text && (y !== undefined || (dy !== undefined && parseFloat(dy) > 0))) lines.push('')
    for (const node of element.children) {
      if (typeof node === 'string') lines.push(`${lines.pop() ?? ''}${node}`)
      else if (!NOT_RENDERED.test(node.name)) read(node)
    }
  }
  read(text)
  return lines.map(collapse).filter((line) => line !== '')
}
