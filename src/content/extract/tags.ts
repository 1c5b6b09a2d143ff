import { messageOf } from '../../base/errors.js'
import type { HtmlTree } from '../parse/parser.js'
import { type Element, isElement, walk } from '../html/tree.js'

/** Elements of the whole page that a list of selectors matches, in document order. */
interface Matches {
  readonly elements: ReadonlySet<Element>
  /** One warning for each selector that could not be parsed. */
  readonly warnings: readonly string[]
}

/** Matches of a list without selectors. */
export const NO_MATCHES: Matches = { elements: new Set(), warnings: [] }

/**
 * Finds the elements that a list of selectors matches. `*word*` matches elements whose tag name, class or id contains
 * the word, ignoring case.
 *
 * @see docs/compatibility/documents.md#content
 */
export function matchTags(tree: HtmlTree, selectors: readonly string[]): Matches {
  const matched = new Set<Element>()
  const warnings: string[] = []
  const words: string[] = []
  for (const selector of selectors) {
    const word = /^\*([^*]+)\*$/.exec(selector.trim())?.[1]
    if (word !== undefined) words.push(word.toLowerCase())
    else warnings.push(...select(tree, selector, matched))
  }
  if (matched.size + words.length === 0) return { elements: matched, warnings }
  const inOrder = new Set<Element>()
  walk(tree.root, (node) => {
    if (isElement(node) && (matched.has(node) || containsWord(node, words))) inOrder.add(node)
  })
  return { elements: inOrder, warnings }
}

function select(tree: HtmlTree, selector: string, into: Set<Element>): string[] {
  try {
    for (const node of tree.$(selector)) if (isElement(node)) into.add(node)
    return []
  } catch (error) {
    const reason = messageOf(error)
    return [`The selector \`${selector}\` cannot be read and matches nothing: ${reason}.`]
  }
}

const containsWord = ({ name, attribs }: Element, words: readonly string[]): boolean =>
  words.some((word) =>
    [name, attribs['class'], attribs['id']].some((text) => text !== undefined && text.toLowerCase().includes(word)),
  )

/** Returns the elements that lie inside no other of the set. */
export function outermost(elements: ReadonlySet<Element>): Element[] {
  return [...elements].filter((element) => {
    for (let parent = element.parent; parent !== null; parent = parent.parent) {
      if (isElement(parent) && elements.has(parent)) return false
    }
    return true
  })
}
