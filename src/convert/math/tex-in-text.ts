import { type ParentNode, isElement, isText, textOf, walk } from '../../html/tree.js'
import { cleanTex } from './read-formula.js'

/** A stretch of a text: words, or a formula in TeX. */
export type TextPart = { readonly text: string } | { readonly tex: string; readonly isBlock: boolean }

/** Which formulas a page writes as TeX into its text, for a script to draw. */
export interface TexMarks {
  /** Whether any are. */
  readonly isUsed: boolean
  /** Whether `$` is one of the marks: it costs money elsewhere. */
  readonly withDollar: boolean
}

/** What the page's scripts say. @see MathJax, "TeX and LaTeX input"; KaTeX, "Auto-render extension" */
export function findTexMarks(page: ParentNode): TexMarks {
  let isUsed = false
  let withDollar = false
  walk(page, (node) => {
    if (!isElement(node) || node.name !== 'script') return
    const text = textOf(node)
    // Longer ones are no settings.
    const said = `${node.attribs['src'] ?? ''} ${node.attribs['type'] ?? ''} ${text.length < 5000 ? text : ''}`
    if (!/mathjax|katex/i.test(said)) return
    isUsed = true
    withDollar ||= /["']\$["']\s*,\s*["']\$["']|left\s*:\s*["']\$["']/.test(said)
  })
  return { isUsed, withDollar }
}

// Each kind of mark that nothing closes is looked for once, and a text may make up kinds.
const MAX_ABSENT = 20

const OPENING = /\\\(|\\\[|\$\$?|\\begin\{([a-z]+\*?)\}/g

/** Splits a text at the formulas in it. A mark that nothing closes is text. */
export function splitTex(text: string, withDollar: boolean): TextPart[] {
  const parts: TextPart[] = []
  // Looked for once: text full of marks that never close would be read to its end for each.
  const absent = new Set<string>()
  let end = 0
  for (const { 0: open, 1: name, index } of text.matchAll(OPENING)) {
    if (index < end || (open === '$' && !withDollar)) continue
    const close = closing(open, name)
    const from = index + open.length
    const to = absent.has(close) || absent.size > MAX_ABSENT ? -1 : text.indexOf(close, from)
    if (to < 0) absent.add(close)
    const inside = to < 0 ? undefined : cleanTex(text.slice(from, to))
    if (inside === undefined || (open === '$' && !isFormula(text.slice(from, to)))) continue
    parts.push({ text: text.slice(end, index) })
    end = to + close.length
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

/** Whether what stands between two `$` may be a formula, as MathJax and pandoc see it: no space at its ends, and short. */
const isFormula = (text: string): boolean => text.length < 400 && !/^\s|\s$/.test(text)

/** Whether an element says of its text that it is a formula. */
export const isTexPlace = (parent: ParentNode | null): boolean =>
  parent !== null &&
  isElement(parent) &&
  /(?:^|\s)(?:math|arithmatex|tex2jax_process|mathjax|katex)(?:\s|$)/i.test(parent.attribs['class'] ?? '') &&
  parent.children.every((child) => isText(child))
