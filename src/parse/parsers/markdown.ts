import { Text } from '../../html/tree.js'
import { makeElement } from '../html/load-tree.js'
import { decodeText } from '../text/decode-text.js'
import { linkText } from '../text/link-text.js'
import { readMarkdownMarks } from '../text/markdown-marks.js'
import type { Parser } from '../parser.js'
import { makeVerbatimPage } from '../pages/verbatim-page.js'

/** Reads Markdown files, such as `llms.txt`: the text is kept as it is, title and links are extracted. */
export const markdown: Parser = {
  name: 'markdown',
  accepts: (mediaType) => mediaType === 'text/markdown' || mediaType === 'text/x-markdown',
  parse(input) {
    const text = decodeText(input.body, input.contentType, 'text')
    const title = findTitle(text)
    const { content, head } = linkText(text, readMarkdownMarks(text))
    const named = title === undefined ? [] : [makeElement('title', {}, [new Text(title)])]
    return makeVerbatimPage(input, text, text, { content, head: [...named, ...head] })
  },
}

/** Returns the title of the front matter, otherwise a first heading of level 1. */
function findTitle(text: string): string | undefined {
  const start = text.slice(0, 10_000)
  const [front = '', fields = ''] = /^---\r?\n([\s\S]*?)\n---\s*\n/.exec(start) ?? []
  const [, named] = /^title:[ \t]*(["']?)(.*)\1[ \t]*$/m.exec(fields)?.slice(1) ?? []
  if (named !== undefined && named.trim() !== '') return named.trim()
  const [, heading] = /^ {0,3}#[ \t]+(.*)$/m.exec(start.slice(front.length)) ?? []
  return heading?.replace(/[ \t]+#+[ \t]*$/, '').trim() || undefined
}
