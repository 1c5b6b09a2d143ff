import { BLOCK_ELEMENTS, type ChildNode, type Element, isElement, isText, singleSpaces, walk } from '../../html/tree.js'

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
 * @param cleared elements that are not visible
 */
function measure(body: Element, cleared: ReadonlySet<Element>): Measures {
  const measurer = new Measurer(body, cleared)
  walk(body, enterNode, leaveElement, measurer)
  return measurer.measures
}

const enterNode = (node: ChildNode, measurer: Measurer): boolean => measurer.enter(node)
const leaveElement = (element: Element, measurer: Measurer): void => measurer.leave(element)

class Measurer {
  readonly measures = new Map<Element, Measure>()
  readonly #cleared: ReadonlySet<Element>
  #own: Measure = { text: 0, link: 0, prose: 0 }
  /** The open elements, and the measures around the innermost one. */
  readonly #open: Element[]
  readonly #around: Measure[] = []
  /** Number of open links. */
  #links = 0
  // The current line.
  #lineText = 0
  #lineLink = 0
  #hasSentence = false

  constructor(body: Element, cleared: ReadonlySet<Element>) {
    this.#cleared = cleared
    this.#open = [body]
    this.measures.set(body, this.#own)
  }

  enter(node: ChildNode): boolean {
    if (isText(node)) {
      this.#addText(node.data)
      return false
    }
    if (!isElement(node) || this.#cleared.has(node)) return false
    if (BLOCK_ELEMENTS.has(node.name) || node.name === 'br') this.#endLine()
    this.#open.push(node)
    this.#around.push(this.#own)
    this.#own = { text: 0, link: 0, prose: 0 }
    this.measures.set(node, this.#own)
    if (isLink(node)) this.#links += 1
    return true
  }

  leave(element: Element): void {
    if (this.#open.at(-1) !== element) return
    if (BLOCK_ELEMENTS.has(element.name)) this.#endLine()
    if (isLink(element)) this.#links -= 1
    this.#open.pop()
    const outer = this.#around.pop()
    if (outer === undefined) return
    outer.text += this.#own.text
    outer.link += this.#own.link
    outer.prose += this.#own.prose
    this.#own = outer
  }

  #addText(data: string): void {
    const text = singleSpaces(data)
    if (text === ' ') return
    const { length } = text
    this.#own.text += length
    this.#lineText += length
    this.#hasSentence ||= SENTENCE.test(text)
    if (this.#links === 0) return
    this.#own.link += length
    this.#lineLink += length
  }

  #endLine(): void {
    const isProse =
      this.#hasSentence && this.#lineText >= MIN_PROSE_LENGTH && this.#lineLink <= this.#lineText * MAX_PROSE_LINK_SHARE
    if (isProse) this.#own.prose += this.#lineText
    this.#lineText = this.#lineLink = 0
    this.#hasSentence = false
  }
}

const SENTENCE = /[.!?;:,。、，！？؟।]/

const isLink = ({ name, attribs }: Element): boolean => name === 'a' && attribs['href'] !== undefined

/** Returns the measure of an element; zeros for a cleared one. */
export type MeasureOf = (element: Element) => Measure

const NOTHING: Measure = { text: 0, link: 0, prose: 0 }

/** Returns the lookup of an element's measure. The tree is measured on the first call: many pages need no measure. */
export function createMeasureOf(root: Element, cleared: ReadonlySet<Element>): MeasureOf {
  let measures: Measures | undefined
  return (element) => (measures ??= measure(root, cleared)).get(element) ?? NOTHING
}
