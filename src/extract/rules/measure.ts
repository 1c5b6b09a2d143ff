import { BLOCK_ELEMENTS, type Element, isElement, isText, singleSpaces, walk } from '../../html/tree.js'

/** What an element holds, in characters of visible text. */
export interface Measure {
  /** All text, white space collapsed. */
  text: number
  /** Of it, text of links. */
  link: number
  /** Of it, text of lines that read as sentences: long, and not made of links. */
  prose: number
}

/** Every element of the page's body with what it holds. */
export type Measures = ReadonlyMap<Element, Measure>

/** A line is taken for prose from this length on. */
const PROSE_LENGTH = 60
const PROSE_LINK_SHARE = 0.4

/**
 * Measures each element in one walk: what lies in an element counts for all around it.
 *
 * @param isCleared elements that are not there for a reader
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
      line.text >= PROSE_LENGTH &&
      line.sentences > 0 &&
      line.link <= line.text * PROSE_LINK_SHARE
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

/** What an element holds; nothing, for one that was cleared away. */
export type Holding = (element: Element) => Measure

const NOTHING: Measure = { text: 0, link: 0, prose: 0 }

/** {@link measure}, as a question. */
export function holdings(root: Element, isCleared: (element: Element) => boolean): Holding {
  const measures = measure(root, isCleared)
  return (element) => measures.get(element) ?? NOTHING
}
