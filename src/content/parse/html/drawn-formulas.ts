import {
  type Document,
  Element,
  findElement,
  isElement,
  parentElement,
  setChildren,
  Text,
  walk,
} from '../../html/tree.js'
import type { TreeRepair } from './tree-repair.js'
import { buildTree } from './build-tree.js'
import { readKatex } from './drawn-katex.js'
import { readMathJax } from './drawn-mathjax.js'

/** Parts of the markup of drawn formulas. A page that only loads a program for formulas has none of them. */
const MARK = /<mjx-container|MathJax_SVG|MathJax_CHTML|class="MathJax"|mjx-chtml|katex-html/

/**
 * Replaces formulas that MathJax or KaTeX has drawn with the same formulas in MathML, if the page has no other form of them. The
 * drawings have no text, or text without fractions and exponents.
 */
export const drawnFormulas: TreeRepair = { mark: MARK, classSign: /MathJax|mjx-chtml|katex/, apply: readDrawnFormulas }

/** Does so on pages where the elements of formulas are the only sign. */
export const drawnElements: TreeRepair = { mark: /<mjx-container/, apply: readDrawnFormulas }

function readDrawnFormulas(document: Document): void {
  const drawings: Element[] = []
  walk(document, (node) => {
    if (!isElement(node)) return true
    if (!isDrawing(node)) return node.name !== 'pre'
    drawings.push(node)
    return false
  })
  for (const drawing of drawings) {
    if (hasSource(drawing)) continue
    const math = readFormula(drawing)
    if (math === undefined) continue
    if (isOnLines(drawing)) math.attribs['display'] = 'block'
    drawing.attribs = { class: 'formula' }
    drawing.name = 'span'
    setChildren(drawing, [math])
  }
}

const DRAWING = /(?:^|\s)(?:MathJax(?:_(?:SVG|CHTML))?|mjx-chtml|katex|katex-html)(?=\s|$)/

const isDrawing = ({ name, attribs }: Element): boolean =>
  name === 'mjx-container' || DRAWING.test(attribs['class'] ?? '')

/** True for a drawing whose formula the page has as MathML or TeX, in it or in a script after it. */
function hasSource(drawing: Element): boolean {
  const isSource = ({ name, attribs }: Element): boolean =>
    name === 'math' || attribs['data-latex'] !== undefined || /^math\/(?:tex|latex)/i.test(attribs['type'] ?? '')
  if (findElement(drawing, isSource) !== undefined) return true
  const around = parentElement(drawing)
  return [drawing, ...(around === undefined ? [] : [around])].some((element) => {
    let { next } = element
    for (let left = 3; left > 0 && next !== null; left -= 1, next = next.next)
      if (isElement(next)) return isSource(next)
    return false
  })
}

function readFormula(drawing: Element): Element | undefined {
  const { attribs } = drawing
  const stated = readStated(attribs['data-mathml'])
  if (stated !== undefined) return stated
  const parts = isTooLarge(drawing)
    ? []
    : (attribs['class'] ?? '').includes('katex')
      ? readKatex(drawing)
      : readMathJax(drawing)
  if (parts.length > 0) return mathOf(parts)
  const image = findElement(drawing, (one) => one.attribs['aria-label'] !== undefined)
  const label = attribs['aria-label'] ?? image?.attribs['aria-label'] ?? ''
  // A hole in a sentence is worse than a mark.
  return mathOf([withText('mtext', label.trim() === '' ? 'formula' : label.trim())])
}

/** Maximum elements and texts of a drawing, and maximum depth of it. Formulas on real pages have some hundred. */
const MAX_NODES = 20_000
const MAX_DEPTH = 100

function isTooLarge(drawing: Element): boolean {
  let nodes = 0
  let depth = 0
  let deepest = 0
  walk(
    drawing,
    (node) => {
      nodes += 1
      if (isElement(node)) deepest = Math.max(deepest, (depth += 1))
      return nodes <= MAX_NODES
    },
    () => void (depth -= 1),
  )
  return nodes > MAX_NODES || deepest > MAX_DEPTH
}

function mathOf(parts: readonly Element[]): Element {
  const math = new Element('math', {})
  setChildren(math, [...parts])
  return math
}

function withText(name: string, text: string): Element {
  const element = new Element(name, {})
  setChildren(element, [new Text(text)])
  return element
}

/** Maximum length of MathML in an attribute. Characters. */
const MAX_STATED = 100_000

function readStated(source: string | undefined): Element | undefined {
  if (source === undefined || source.length > MAX_STATED) return undefined
  const { document } = buildTree(source, { maxDepth: 100, maxNodes: MAX_STATED, isXml: false })
  return findElement(document, ({ name }) => name === 'math')
}

/** True for a formula on lines of its own. */
function isOnLines(drawing: Element): boolean {
  let at: Element | undefined = drawing
  for (let left = 3; left > 0 && at !== undefined; left -= 1, at = parentElement(at))
    if (at.attribs['display'] === 'true' || /(?:MathJax|katex|MJXc)[-\w]*[-_]display/i.test(at.attribs['class'] ?? ''))
      return true
  return false
}
