import { type ChildNode, type Element, collapse, findElement, isElement, textOf } from '../../html/tree.js'
import type { ElementReader, ReadingContext } from '../ast/element-reader.js'
import { mathmlToTex } from './mathml-to-tex.js'

/** Reads a formula in MathML: its TeX source if the page has it, or else a conversion. */
export const readFormula: ElementReader = (element, { view }) => {
  const tex = texOf(element)
  if (tex !== undefined) addFormula(tex, element.attribs['display'] === 'block' || isDisplayed(element), view)
}

/** Returns the TeX source of MathML, or else a conversion. */
export function texOf(element: Element): string | undefined {
  const annotation = findElement(element, statesTex)
  if (annotation !== undefined) return cleanTex(textOf(annotation))
  const { alttext } = element.attribs
  const isSpoken = alttext !== undefined && /\p{L}{2,} \p{L}{2,}/u.test(alttext) && !/[\\^_{]/.test(alttext)
  const source = isSpoken ? undefined : cleanTex(alttext)
  return source ?? cleanTex(mathmlToTex(element))
}

/** True for an annotation in TeX. The type of AsciiMath begins with `text/`. */
const statesTex = ({ name, attribs }: Element): boolean =>
  name === 'annotation' && /\b(?:x-)?(?:la|ams)?tex\b/i.test(attribs['encoding'] ?? '')

/**
 * Returns the formula without the commands around it that only set a style, so that it can stand between `$` in Markdown:
 * see {@link enclose}.
 */
export function cleanTex(source: string | undefined): string | undefined {
  if (source === undefined) return undefined
  const tex = collapse(source)
  const bare = enclose(/^\{\\(?:display|text)style\s+(.*)\}$/.exec(tex)?.[1] ?? tex)
  return bare === '' ? undefined : bare
}

/**
 * Writes a formula so that it ends at its own delimiter, and is no HTML, link or code where Markdown is rendered without
 * formulas. TeX ignores spaces, so that it stays the same formula.
 */
const enclose = (tex: string): string =>
  tex
    .replace(TEXT, (text) => text.replace(INNER_FORMULA, (sign, inner?: string) => (inner ? `\\(${inner}\\)` : sign)))
    .replace(/\\[^]|\\$|\$/g, (sign) => (sign === '$' ? '\\$' : sign === '\\' ? '' : sign))
    .replace(/<(?=[a-z/!?])/gi, '< ')
    .replaceAll('](', '] (')
    // A sign of code would go on after the formula. In TeX it is a quotation mark.
    .replaceAll('`', '‘')
    .trim()
    // On a line of its own, these would begin a heading, or code up to the end of the page.
    .replace(/^(?=#|~~~)/, '{}')

/** Text in a formula, with braces up to a depth of two. */
const TEXT = /\\(?:text|mbox)\s*\{(?:\\[^]|[^\\{}]|\{(?:\\[^]|[^\\{}])*\})*\}|\\[^]/g
/** A formula between `$` in such a text: the same between `\(` and `\)`, which do not end the formula around it. */
const INNER_FORMULA = /\\[^]|\$((?:\\[^]|[^\\$])+)\$/g

/** Adds a formula to the line, or on lines of its own. */
export function addFormula(tex: string, isBlock: boolean, view: ReadingContext['view']): void {
  view.hasFormula = true
  // A cell, a heading or a link cannot contain lines.
  if (isBlock && !view.inCell && !view.inHeading && !view.inLink) view.leaf('blockText', `$$\n${tex}\n$$`)
  else view.inline('inlineText', `$${tex}$`)
}

/** True if a wrapper displays the formula on lines of its own. */
function isDisplayed({ parent }: Element): boolean {
  let at = parent
  // KaTeX and MathJax put up to three elements around it.
  for (let left = 3; left > 0 && at !== null && isElement(at); left--) {
    if (/(?:katex|MathJax)[-_]+display\b/i.test(at.attribs['class'] ?? '') || at.attribs['display'] === 'true')
      return true
    at = at.parent
  }
  return false
}

/** Returns the TeX source in an attribute of an element that a script fills with the rendered formula. */
export function formulaSource(element: Element): string | undefined {
  const { name, attribs } = element
  if (attribs['class']?.includes('ql-formula')) return cleanTex(attribs['data-value'])
  // MathJax 4 draws the formula without MathML. Each part of the drawing states its source, the whole formula first.
  if (name === 'mjx-container') return cleanTex(findElement(element, statesSource)?.attribs['data-latex'])
  if (name === 'mjx-math') return undefined
  return cleanTex(attribs['data-tex'] ?? attribs['data-latex'] ?? attribs['data-katex'])
}

const statesSource = ({ attribs }: Element): boolean => attribs['data-latex'] !== undefined

/** True for a formula that is drawn on lines of its own, without the MathML that would say so. */
export const isDrawnOnLines = ({ name, attribs }: Element): boolean =>
  name === 'mjx-container' && attribs['display'] === 'true'

const DRAWN =
  /(?:^|\s)(?:MathJax(?:_(?:Preview|Display|CHTML|SVG|Processed|Processing))?|MJXc-display|katex|katex-html)(?:\s|$)/

/** True for a rendered formula of KaTeX or MathJax with a sibling that has the same formula as MathML or TeX. */
export function isDrawnFormula(element: Element): boolean {
  const { name, attribs } = element
  if (name === 'mjx-math') return true
  if (attribs['aria-hidden'] === 'true' && holdsMath(element.prev)) return true
  if (name === 'mjx-container' || !DRAWN.test(attribs['class'] ?? '')) return false
  // The source follows directly: other formulas may follow in the same line.
  let { next } = element
  for (let left = 2; left > 0 && next !== null && isElement(next) && DRAWN.test(next.attribs['class'] ?? ''); left--) {
    next = next.next
  }
  return next !== null && isElement(next) && next.name === 'math'
}

/** Returns the MathML in an element that also renders the formula. */
export const formulaIn = (element: Element): Element | undefined =>
  element.name === 'mjx-container' || DRAWN.test(element.attribs['class'] ?? '')
    ? findElement(element, ({ name }) => name === 'math')
    : undefined

const holdsMath = (node: ChildNode | null): boolean =>
  node !== null &&
  isElement(node) &&
  (node.name === 'math' || findElement(node, ({ name }) => name === 'math') !== undefined)
