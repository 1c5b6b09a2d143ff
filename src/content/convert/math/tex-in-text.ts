import { type ChildNode, type ParentNode, collapse, isElement, isText, textOf, walk } from '../../html/tree.js'
import { cleanTex } from './read-formula.js'

/** A part of a text: words, or a formula. */
type TextPart =
  | { readonly text: string }
  | { readonly tex: string; readonly isBlock: boolean }
  /** AsciiMath, which is no TeX. */
  | { readonly code: string }

/** TeX delimiters that a page's scripts render in text. */
export interface TexMarks {
  /** True if the page renders any. */
  readonly isUsed: boolean
  /** True if `$` is a delimiter. Elsewhere it is a currency sign. */
  readonly withDollar: boolean
  /** True if a backtick is the delimiter of AsciiMath. */
  readonly withTicks: boolean
}

/**
 * Reads the delimiters from the page's scripts.
 *
 * @see https://docs.mathjax.org/en/latest/input/tex/delimiters.html
 *
 * @see https://katex.org/docs/autorender
 */
export function findTexMarks(page: ParentNode): TexMarks {
  const marks = { isUsed: false, withDollar: false, withTicks: false }
  walk(page, readSettings, undefined, marks)
  return marks
}

function readSettings(node: ChildNode, marks: { -readonly [name in keyof TexMarks]: TexMarks[name] }): void {
  if (!isElement(node) || node.name !== 'script') return
  const text = textOf(node)
  // A longer script contains no settings.
  const settings = `${node.attribs['src'] ?? ''} ${node.attribs['type'] ?? ''} ${text.length < 5000 ? text : ''}`
  if (!/mathjax|katex/i.test(settings)) return
  marks.isUsed = true
  marks.withTicks ||= /asciimath|config=[\w-]{0,20}AM_/i.test(settings)
  marks.withDollar ||= /["']\$["']\s*,\s*["']\$["']|left\s*:\s*["']\$["']/.test(settings)
}

// Maximum number of delimiters without a closing one. The text is searched to its end once for each, and a hostile text
// may have any number of environment names.
const MAX_UNCLOSED = 20

const OPENING = /\\\(|\\\[|\$\$?|`|\\begin\{([a-z]+\*?)\}/g

/** Splits a text at its formulas. A delimiter without a closing one is text. */
export function splitTex(text: string, { withDollar, withTicks }: TexMarks): TextPart[] {
  const parts: TextPart[] = []
  // Closing delimiters that the rest of the text does not contain, so that each is searched to the end only once.
  const unclosed = new Set<string>()
  let end = 0
  for (const { 0: open, 1: name, index } of text.matchAll(OPENING)) {
    if (index < end || (open === '$' && !withDollar) || (open === '`' && !withTicks)) continue
    const close = closing(open, name)
    const from = index + open.length
    const to = unclosed.has(close) || unclosed.size > MAX_UNCLOSED ? -1 : text.indexOf(close, from)
    if (to < 0) unclosed.add(close)
    const source = to < 0 ? '' : text.slice(from, to)
    const inside = open === '`' ? collapse(source) || undefined : cleanTex(source)
    if (inside === undefined || ((open === '$' || open === '`') && !isFormula(source))) continue
    parts.push({ text: text.slice(end, index) })
    end = to + close.length
    if (open === '`') {
      parts.push({ code: inside })
      continue
    }
    const tex = name === undefined ? inside : `${open} ${inside} ${close}`
    parts.push({ tex, isBlock: open !== '\\(' && open !== '$' })
  }
  parts.push({ text: text.slice(end) })
  return parts
}

function closing(open: string, name: string | undefined): string {
  if (name !== undefined) return `\\end{${name}}`
  return open === '\\(' ? '\\)' : open === '\\[' ? '\\]' : open
}

/** Maximum length of a formula between two `$`, in characters. In a longer text, the signs belong to two prices. */
const MAX_FORMULA_LENGTH = 400

/**
 * True for a text between two `$` that may be a formula, as MathJax and pandoc decide: no space at its ends, and short.
 */
const isFormula = (text: string): boolean => text.length < MAX_FORMULA_LENGTH && !/^\s|\s$/.test(text)

/** True for an element that declares its text a formula. */
export const isTexPlace = (parent: ParentNode | null): boolean =>
  parent !== null &&
  isElement(parent) &&
  /(?:^|\s)(?:math|arithmatex|tex2jax_process|mathjax|katex)(?:\s|$)/i.test(parent.attribs['class'] ?? '') &&
  parent.children.every((child) => isText(child))
