import { type ChildNode, type Element, isElement, isText } from '../../html/tree.js'

/** The element of CodeMirror 5 that holds its lines, each in a `pre`. */
const OF_PRE = /(?:^|\s)CodeMirror-code(?=\s|$)/
/** Those of CodeMirror 6, Monaco and Ace, and the class of each line in them. */
const OF_LINES = /(?:^|\s)(?:cm-content|view-lines|ace_text-layer)(?=\s|$)/
const LINE = /(?:^|\s)(?:cm-line|view-line|ace_line(?:_group)?)(?=\s|$)/

/**
 * True for a code listing without `pre`: Doxygen writes each line as a `div`, and so do editors that a page draws. Verses
 * are built of such lines, too, under another name.
 */
export function isDrawnListing({ name, attribs, children }: Element): boolean {
  const classes = attribs['class']
  if (name !== 'div' || classes === undefined) return false
  if (OF_PRE.test(classes)) return true
  if (OF_LINES.test(classes)) return children.some((child) => isOf(child, LINE))
  return (
    /(?:^|\s)fragment(?:\s|$)/.test(classes) &&
    children.some(isElement) &&
    children.every((child) =>
      isElement(child) ? isOf(child, /(?:^|\s)(?:line|ttc)(?:\s|$)/) : !isText(child) || child.data.trim() === '',
    )
  )
}

const isOf = (node: ChildNode, names: RegExp): boolean => isElement(node) && names.test(node.attribs['class'] ?? '')

/** Class names of what an editor draws beside its lines: their numbers, and a sample to measure letters by. */
const BESIDE = /(?:^|\s)(?:CodeMirror-(?:gutters|measure)|cm-gutters|margin-view-overlays|ace_gutter)(?=\s|$)/

/** True for class names of a part of an editor that is no code. */
export const isBesideLines = (classes: string): boolean => BESIDE.test(classes)
