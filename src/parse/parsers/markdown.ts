import { decodeText } from '../text/decode-text.js'
import { linkText } from '../text/link-text.js'
import { readMarkdownMarks } from '../text/markdown-marks.js'
import type { Parser } from '../parser.js'
import { makeVerbatimPage } from '../pages/verbatim-page.js'

/** Markdown that a site serves itself, such as its `llms.txt`: kept as it came, its title and its links known. */
export const markdown: Parser = {
  name: 'markdown',
  accepts: (mediaType) => mediaType === 'text/markdown' || mediaType === 'text/x-markdown',
  parse(input) {
    const text = decodeText(input.body, input.contentType, 'text')
    const title = findTitle(text)
    return makeVerbatimPage(input, text, text, {
      content: linkText(text, readMarkdownMarks(text)),
      ...(title !== undefined && { title }),
    })
  },
}

/** Its front matter's, or else its first heading, where that is of the first level. */
function findTitle(text: string): string | undefined {
  const start = text.slice(0, 10_000)
  const [front = '', fields = ''] = /^---\r?\n([\s\S]*?)\n---\s*\n/.exec(start) ?? []
  const [, named] = /^title:[ \t]*(["']?)(.*)\1[ \t]*$/m.exec(fields)?.slice(1) ?? []
  if (named !== undefined && named.trim() !== '') return named.trim()
  const [, heading] = /^ {0,3}#[ \t]+(.*)$/m.exec(start.slice(front.length)) ?? []
  return heading?.replace(/[ \t]+#+[ \t]*$/, '').trim() || undefined
}
