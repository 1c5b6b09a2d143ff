import { child, elements, readXml, type XmlElement, xmlText } from '../../office/package/xml.js'
import { type ChildNode, Text } from '../../html/tree.js'
import { makeElement } from '../html/load-tree.js'
import { BREAKS } from '../html/strip-tags.js'

/** Elements that are not rendered, or only by reference. */
const NOT_RENDERED = /^(?:clipPath|defs|desc|mask|metadata|script|style|symbol|title)$/

/** Words of an SVG image. */
interface DrawingWords {
  /** Title, or an empty string. */
  readonly title: string
  /** Title, description, and a list of the lines of text. */
  readonly content: readonly ChildNode[]
}

/** Reads the words of an SVG image from its source. */
export function readDrawing(source: string): DrawingWords {
  const { root } = readXml(new TextEncoder().encode(source))
  const title = collapse(xmlText(child(root, 'title')))
  const description = collapse(xmlText(child(root, 'desc')))
  const lines = findLines(root)
  const content = [
    ...(title === '' ? [] : [makeElement('h1', {}, [new Text(title)])]),
    ...(description === '' ? [] : [makeElement('p', {}, [new Text(description)])]),
    ...(lines.length === 0 ? [] : [makeElement('ul', {}, lines)]),
  ]
  return { title, content }
}

const collapse = (text: string): string => text.replace(/\s+/g, ' ').trim()

/**
 * Returns the elements of a `switch` that are drawn: the first one that needs no extension, such as those in which
 * programs keep data of their own.
 */
const chooseDrawn = (choices: readonly XmlElement[]): readonly XmlElement[] =>
  choices.filter(({ attributes: { requiredExtensions = XHTML } }) => requiredExtensions.trim() === XHTML).slice(0, 1)

const XHTML = 'http://www.w3.org/1999/xhtml'

/** Lists the lines of text as list items, in drawing order. */
function findLines(root: XmlElement, href?: string): ChildNode[] {
  const drawn = elements(root).filter(({ name }) => !NOT_RENDERED.test(name))
  return (root.name === 'switch' ? chooseDrawn(drawn) : drawn).flatMap((element) => {
    const { name, attributes } = element
    if (attributes['display'] === 'none') return []
    const inside = name === 'a' ? (attributes['href'] ?? attributes['xlink:href'] ?? href) : href
    if (name !== 'text' && name !== 'foreignObject') return findLines(element, inside)
    return (name === 'text' ? linesOf(element) : linesOfHtml(element)).map((line) => {
      const words = new Text(line)
      return makeElement('li', {}, inside === undefined ? [words] : [makeElement('a', { href: inside }, [words])])
    })
  })
}

/** Lists the lines of HTML inside an image, as diagrams have it for labels with line breaks. */
function linesOfHtml(html: XmlElement): string[] {
  const lines = ['']
  const read = ({ name, children }: XmlElement): void => {
    if (name === 'script' || name === 'style') return
    const isLine = BREAKS.has(name)
    if (isLine) lines.push('')
    for (const node of children) {
      if (typeof node === 'string') lines.push(`${lines.pop() ?? ''}${node}`)
      else read(node)
    }
    if (isLine) lines.push('')
  }
  read(html)
  return lines.map(collapse).filter((line) => line !== '')
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
