import type { CheerioAPI } from 'cheerio'
// The slim entry leaves out parse5 and undici: 60 ms less to start a worker thread with.
import { load } from 'cheerio/slim'
import { messageOf } from '../../../base/errors.js'
import { Document, Element, type ChildNode, append } from '../../html/tree.js'
import type { HtmlTree } from '../parser.js'

/** Creates the tree of a page from its root. */
export function loadTree(root: Document): HtmlTree {
  let api: CheerioAPI | undefined
  return {
    root,
    // Loaded on demand: most pages are read without selectors.
    get $() {
      return (api ??= load(root))
    },
    withRoot: loadTree,
  }
}

/** Wraps the content of other files in an HTML page. */
export function wrapInPage(content: readonly ChildNode[], head: readonly Element[] = []): Document {
  const document = new Document([])
  const html = new Element('html', {})
  const top = new Element('head', {})
  const body = new Element('body', {})
  append(document, html)
  append(html, top)
  append(html, body)
  for (const element of head) append(top, element)
  for (const node of content) append(body, node)
  return document
}

/** Creates an element. */
export function makeElement(
  name: string,
  attributes: Record<string, string>,
  content: readonly ChildNode[] = [],
): Element {
  const element = new Element(name, attributes)
  for (const node of content) append(element, node)
  return element
}

let nothing: CheerioAPI | undefined

/**
 * Compiles a CSS selector with the engine that will run it.
 *
 * @returns the reason why it is invalid; undefined if it is valid
 */
export function findSelectorFault(selector: string): string | undefined {
  if (selector.trim() === '') return 'empty'
  const combinator = findLooseCombinator(selector)
  if (combinator !== undefined) return `\`${combinator}\` has no element after it`
  try {
    ;(nothing ??= load(''))(selector)
    return undefined
  } catch (error) {
    return messageOf(error).trim()
  }
}

/** Finds a combinator that the engine accepts, and that matches nothing: at the end of a selector. */
function findLooseCombinator(selector: string): string | undefined {
  // The argument of `:contains()` is any text.
  if (/contains\(/i.test(selector)) return undefined
  const bare = selector
    .replace(/\\[\s\S]/g, 'x')
    .replace(/"[^"]*"|'[^']*'/g, 'x')
    .replace(/\[[^\][]*\]/g, 'x')
  return /([>+~])\s*(?:$|[,)])/.exec(bare)?.[1]
}
