import { BLOCK, ELEMENT, HAS_STOP, LINE_BREAK, LINK, listNodes, type PageNodes, TEXT } from '../../html/page-nodes.js'
import type { Element } from '../../html/tree.js'

/** Visible text of an element, in characters. */
export interface Measure {
  /** All text, white space collapsed. */
  text: number
  /** Text of links. */
  link: number
  /** Text of prose lines, which are long and consist of more than links. */
  prose: number
}

/** Minimum length of a prose line, in characters. */
const MIN_PROSE_LENGTH = 60
const MAX_PROSE_LINK_SHARE = 0.4

/** Measures of the nodes of a page: three numbers for each. */
type Measures = Int32Array

const SIZE = 3
const LINK_TEXT = 1
const PROSE = 2

/**
 * Measures each element, with all of its descendants, in one loop.
 *
 * @param cleared elements that are not visible
 */
function measure(body: Element, cleared: ReadonlySet<Element>, list: PageNodes): Measures {
  const { kinds, ends, parents } = list
  const begin = list.indexOf(body)
  const end = list.endOf(body)
  const isCleared = list.mark(cleared)
  const line = new Line(list)
  /** The innermost open element, and the end of the outermost open link. */
  let own = begin
  let linkEnd = 0
  for (let at = begin + 1; at < end;) {
    while (own !== begin && (ends[own] ?? 0) <= at) {
      if (((kinds[own] ?? 0) & BLOCK) !== 0) line.end(own)
      own = parents[own] ?? begin
    }
    const kind = kinds[at] ?? 0
    if ((kind & TEXT) !== 0) line.addText(at, own, at < linkEnd)
    else if ((kind & ELEMENT) !== 0) {
      if (isCleared[at] === 1) {
        at = ends[at] ?? end
        continue
      }
      if ((kind & (BLOCK | LINE_BREAK)) !== 0) line.end(own)
      if ((kind & LINK) !== 0 && at >= linkEnd) linkEnd = ends[at] ?? end
      own = at
    }
    at += 1
  }
  for (; own > begin; own = parents[own] ?? begin) if (((kinds[own] ?? 0) & BLOCK) !== 0) line.end(own)
  return addUp(line.measures, begin, end, parents)
}

/** Adds the measures of each element to those of all elements around it, which stand before it. */
function addUp(measures: Measures, begin: number, end: number, parents: Int32Array): Measures {
  for (let at = end - 1; at > begin; at -= 1) {
    const inner = at * SIZE
    const text = measures[inner] ?? 0
    const prose = measures[inner + PROSE] ?? 0
    if (text === 0 && prose === 0) continue
    const outer = (parents[at] ?? begin) * SIZE
    measures[outer] = (measures[outer] ?? 0) + text
    measures[outer + LINK_TEXT] = (measures[outer + LINK_TEXT] ?? 0) + (measures[inner + LINK_TEXT] ?? 0)
    measures[outer + PROSE] = (measures[outer + PROSE] ?? 0) + prose
  }
  return measures
}

/** The current line of text. */
class Line {
  readonly measures: Measures
  readonly #kinds: Int32Array
  readonly #lengths: Int32Array
  #text = 0
  #link = 0
  #hasStop = false

  constructor({ nodes, kinds, lengths }: PageNodes) {
    this.measures = new Int32Array(nodes.length * SIZE)
    this.#kinds = kinds
    this.#lengths = lengths
  }

  /** Adds a text to the element around it. */
  addText(at: number, around: number, isLink: boolean): void {
    const length = this.#lengths[at] ?? 0
    if (length === 0) return
    const { measures } = this
    const own = around * SIZE
    measures[own] = (measures[own] ?? 0) + length
    this.#text += length
    if (((this.#kinds[at] ?? 0) & HAS_STOP) !== 0) this.#hasStop = true
    if (!isLink) return
    measures[own + LINK_TEXT] = (measures[own + LINK_TEXT] ?? 0) + length
    this.#link += length
  }

  /** Ends the line in an element. */
  end(around: number): void {
    const text = this.#text
    if (text === 0) return
    if (this.#hasStop && text >= MIN_PROSE_LENGTH && this.#link <= text * MAX_PROSE_LINK_SHARE) {
      const own = around * SIZE + PROSE
      this.measures[own] = (this.measures[own] ?? 0) + text
    }
    this.#text = this.#link = 0
    this.#hasStop = false
  }
}

/** Returns the measure of an element; zeros for a cleared one, and for one that was added after the nodes were listed. */
export type MeasureOf = (element: Element) => Measure

/**
 * Returns the lookup of an element's measure. The tree is measured on the first call: many pages need no measure.
 *
 * @param nodes nodes of the page. @default they are listed
 */
export function createMeasureOf(
  root: Element,
  cleared: ReadonlySet<Element>,
  nodes: PageNodes = listNodes(root),
): MeasureOf {
  let measures: Measures | undefined
  return (element) => {
    measures ??= measure(root, cleared, nodes)
    const index = nodes.indexOf(element)
    if (index === -1) return { text: 0, link: 0, prose: 0 }
    const at = index * SIZE
    return { text: measures[at] ?? 0, link: measures[at + LINK_TEXT] ?? 0, prose: measures[at + PROSE] ?? 0 }
  }
}
