import { BLOCK_ELEMENTS, type Element, isElement, isText, singleSpaces, walk } from '../../html/tree.js'

/** Visible text of an element, in characters. */
export interface Measure {
  /** All text, white space collapsed. */
  text: number
  /** Text of links. */
  link: number
  /** Text of prose lines, which are long and consist of more than links. */
  prose: number
}

/** Measures of every element of the page's body. */
export type Measures = ReadonlyMap<Element, Measure>

/** Minimum length of a prose line, in characters. */
const MIN_PROSE_LENGTH = 60
const MAX_PROSE_LINK_SHARE = 0.4

/**
 * Measures each element, with all of its descendants, in one walk.
 *
 * @param isCleared true for elements that are not visible
 */
function measure(body: Element, isCleared: (element: Element) => boolean): Measures {
  const measures = new Map<Element, Measure>([[body, { text: 0, link: 0, prose: 0 }]])
  const open: Element[] = [body]
  let line = { text: 0, link: 0, sentences: 0 }
  let links = 0
  const endLine = (): void => {
    const block = measures.get(open.at(-1) ?? body)
    if (
      block !== undefined &&
      line.text >= MIN_PROSE_LENGTH &&
      line.sentences > 0 &&
      line.link <= line.text * MAX_PROSE_LINK_SHARE
    )
      block.prose += line.text
    line = { text: 0, link: 0, sentences: 0 }
  }
  walk(
    body,
    (node) => {
      if (isText(node)) {
        const text = singleSpaces(node.data)
        const length = text === ' ' ? 0 : text.length
        const own = measures.get(open.at(-1) ?? body)
        if (own === undefined || length === 0) return false
        own.text += length
        line.text += length
        if (/[.!?;:,。、，！？؟।]/.test(text)) line.sentences += 1
        if (links > 0) {
          own.link += length
          line.link += length
        }
      }
      if (!isElement(node) || isCleared(node)) return false
      if (BLOCK_ELEMENTS.has(node.name) || node.name === 'br') endLine()
      measures.set(node, { text: 0, link: 0, prose: 0 })
      open.push(node)
      if (node.name === 'a' && node.attribs['href'] !== undefined) links += 1
      return true
    },
    (element) => {
      if (open.at(-1) !== element) return
      if (BLOCK_ELEMENTS.has(element.name)) endLine()
      open.pop()
      if (element.name === 'a' && element.attribs['href'] !== undefined) links -= 1
      const inner = measures.get(element)
      const outer = measures.get(open.at(-1) ?? body)
      if (inner === undefined || outer === undefined) return
      outer.text += inner.text
      outer.link += inner.link
      outer.prose += inner.prose
    },
  )
  return measures
}

/** Returns the measure of an element; zeros for a cleared one. */
export type MeasureOf = (element: Element) => Measure

const NOTHING: Measure = { text: 0, link: 0, prose: 0 }

/** Measures a tree, and returns the lookup of an element's measure. */
export function createMeasureOf(root: Element, isCleared: (element: Element) => boolean): MeasureOf {
  const measures = measure(root, isCleared)
  return (element) => measures.get(element) ?? NOTHING
}
