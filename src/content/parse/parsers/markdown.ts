import { collapse, Text } from '../../html/tree.js'
import { makeElement } from '../html/load-tree.js'
import { stripTags } from '../html/strip-tags.js'
import { decodeText } from '../../encoding/decode-text.js'
import { linkText } from '../text/link-text.js'
import { isDefinition, type MarkdownMarks, readMarkdownMarks } from '../text/markdown-marks.js'
import type { Parser } from '../parser.js'
import { makeVerbatimPage } from '../pages/verbatim-page.js'

/** Reads Markdown files, such as `llms.txt`: the text is kept as it is, title and links are extracted. */
export const markdown: Parser = {
  name: 'markdown',
  accepts: (mediaType) => mediaType === 'text/markdown' || mediaType === 'text/x-markdown',
  parse(input) {
    const text = decodeText(input, 'text')
    const marks = readMarkdownMarks(text)
    const title = findTitle(text, marks)
    const { content, head } = linkText(text, marks)
    const named = title === undefined ? [] : [makeElement('title', {}, [new Text(title)])]
    return makeVerbatimPage(input, text, text, { content, head: [...named, ...head] })
  },
}

/** Characters in which a title is searched for. */
const MAX_START = 10_000

/** Returns the title of the front matter, otherwise the first heading of level 1 outside of code. */
function findTitle(text: string, { code }: MarkdownMarks): string | undefined {
  const start = text.slice(0, MAX_START)
  const [front = '', fields = ''] = /^---\r?\n([\s\S]*?)\n---\s*\n/.exec(start) ?? []
  const [, named] = /^title:[ \t]*(["']?)(.*)\1[ \t]*$/m.exec(fields)?.slice(1) ?? []
  if (named !== undefined && named.trim() !== '') return named.trim()
  const codeAtStart = code.filter(([from]) => from < MAX_START)
  for (const { index, groups: { signed, underlined } = {} } of start.matchAll(HEADING)) {
    if (index < front.length || codeAtStart.some(([from, to]) => from <= index && index < to)) continue
    const heading =
      signed?.replace(/[ \t]+#+[ \t]*$/, '') ??
      (underlined === undefined ? htmlHeading(start, index) : paragraph(start.slice(front.length, index), underlined))
    if (heading.trim() !== '') return heading.trim()
  }
  return undefined
}

/** Returns the text of the `h1` element at an index; `''` if it does not end. */
const htmlHeading = (text: string, from: number): string =>
  collapse(stripTags(/^[\s\S]*?(?=<\/h1)/i.exec(text.slice(from))?.[0] ?? ''))

/** Returns the paragraph that a line ends; `''` if it is no paragraph of its own, such as the text of a list item. */
function paragraph(above: string, last: string): string {
  const lines = [last.trim()]
  for (let end = above.length - 1; end > 0;) {
    const start = above.lastIndexOf('\n', end - 1) + 1
    const line = above.slice(start, end)
    if (OTHER_BLOCK.test(line)) break
    if (OTHER_TEXT.test(line)) return ''
    lines.push(line.trim())
    end = start - 1
  }
  // Definitions before the text are no part of a paragraph, and cannot interrupt one.
  const first = lines.reverse().findIndex((line) => !isDefinition(line))
  return first === -1 ? '' : lines.slice(first).join(' ')
}

/** Lines that end before a paragraph begins: blank ones, headings and what underlines them, rules, fences. */
const OTHER_BLOCK =
  /^\s*$|^ {0,3}(?:#{1,6}(?:[ \t]|\r?$)|=+[ \t]*\r?$|(?:-[ \t]*)+\r?$|(?:[*_][ \t]*){3,}\r?$|`{3}|~{3})/

/** Lines which a paragraph below continues, or that are no Markdown: list items, quotes, HTML. */
const OTHER_TEXT = /^ {0,3}(?:[-+*][ \t]|\d{1,9}[.)][ \t]|[><])/

/**
 * A heading of level 1: after a sign, above a line, or in HTML.
 *
 * @see https://spec.commonmark.org/0.31.2/#setext-headings
 */
const HEADING =
  /^ {0,3}#[ \t]+(?<signed>.*)$|^ {0,3}(?![ \t>#=<]|[-+*][ \t]|\d{1,9}[.)][ \t])(?<underlined>\S.*)\r?\n {0,3}=+[ \t]*\r?$|^ {0,3}<h1[ \t\r\n>]/gim
