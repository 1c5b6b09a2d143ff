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
  let own: Measure = { text: 0, link: 0, prose: 0 }
  const measures = new Map<Element, Measure>([[body, own]])
  // State of the walk: the open elements and the measures around the innermost, the open links, and the current line.
  const open: Element[] = [body]
  const around: Measure[] = []
  let links = 0
  let lineText = 0
  let lineLink = 0
  let hasSentence = false
  const endLine = (): void => {
    if (hasSentence && lineText >= MIN_PROSE_LENGTH && lineLink <= lineText * MAX_PROSE_LINK_SHARE)
      own.prose += lineText
    lineText = lineLink = 0
    hasSentence = false
  }
  walk(
    body,
    (node) => {
      if (isText(node)) {
        const text = singleSpaces(node.data)
        if (text === ' ') return false
        const { length } = text
        own.text += length
        lineText += length
        hasSentence ||= SENTENCE.test(text)
        if (links > 0) {
          own.link += length
          lineLink += length
        }
        return false
      }
      if (!isElement(node) || isCleared(node)) return false
      if (BLOCK_ELEMENTS.has(node.name) || node.name === 'br') endLine()
      open.push(node)
      around.push(own)
      own = { text: 0, link: 0, prose: 0 }
      measures.set(node, own)
      if (isLink(node)) links += 1
      return true
    },
    (element) => {
      if (open.at(-1) !== element) return
      if (BLOCK_ELEMENTS.has(element.name)) endLine()
      if (isLink(element)) links -= 1
      open.pop()
      const outer = around.pop()
      if (outer === undefined) return
      outer.text += own.text
      outer.link += own.link
      outer.prose += own.prose
      own = outer
    },
  )
  return measures
}

const SENTENCE = /[.!?;:,。、，！？؟।]/

const isLink = ({ name, attribs }: Element): boolean => name === 'a' && attribs['href'] !== undefined

/** Returns the measure of an element; zeros for a cleared one. */
export type MeasureOf = (element: Element) => Measure

const NOTHING: Measure = { text: 0, link: 0, prose: 0 }

/** Returns the lookup of an element's measure. The tree is measured on the first call: many pages need no measure. */
export function createMeasureOf(root: Element, isCleared: (element: Element) => boolean): MeasureOf {
  let measures: Measures | undefined
  return (element) => (measures ??= measure(root, isCleared)).get(element) ?? NOTHING
}
