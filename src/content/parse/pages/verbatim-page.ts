import { type ChildNode, type Element, Text } from '../../html/tree.js'
import { loadTree, makeElement, wrapInPage } from '../html/load-tree.js'
import type { ParserInput, ParsedPage } from '../parser.js'

/**
 * Creates a page that shows its text unchanged.
 *
 * @param text the body as text
 * @param markdown the page's Markdown, mostly the text in a code fence
 * @param options.content contents of the page's `pre` element; `text` by default
 * @param options.head elements of the page's head
 */
export function makeVerbatimPage(
  input: ParserInput,
  text: string,
  markdown: string,
  options: {
    readonly content?: readonly ChildNode[]
    readonly warning?: string
    readonly head?: readonly Element[]
  } = {},
): ParsedPage {
  const pre = makeElement('pre', {}, options.content ?? [new Text(text)])
  return {
    url: input.url,
    baseUrl: input.url,
    tree: loadTree(wrapInPage([pre], options.head)),
    text,
    markdown,
    warnings: options.warning === undefined ? [] : [options.warning],
  }
}

/**
 * Wraps text in a code fence longer than any fence inside.
 *
 * @see https://spec.commonmark.org/0.31.2/#fenced-code-blocks
 */
export function fence(text: string, language: string): string {
  let longest = 2
  for (const [run] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length)
  const ticks = '`'.repeat(longest + 1)
  return `${ticks}${language}\n${text}${text.endsWith('\n') ? '' : '\n'}${ticks}`
}
