import { cutMarkdown } from '../split/cut-markdown.js'
import { estimateTokens } from '../split/estimate-tokens.js'
import type { Format, SchemaBuilder } from '../format.js'
import { writeFrontMatter } from '../write/front-matter.js'
import { writeMarkdown } from '../write/write-markdown.js'

/** The content as Markdown. Its options are not of the interface, and off by default. */
export interface MarkdownFormat {
  type: 'markdown'
  /**
   * Where the addresses of links and images stand: `inline` is `[text](https://…)`; with `reference` the text has numbered
   * citations, `[text][1]`, and what they refer to is listed at the end, `[1]: https://… "title"`. An address has one
   * number, with the first title it is given on the page. A file that came as Markdown keeps its links as they are.
   *
   * @default 'inline'
   */
  links?: 'inline' | 'reference' | undefined
  /**
   * Put YAML front matter before the text: `title`, `url` (after redirects), `description`, `author`, `publishedTime`,
   * `modifiedTime` and `language`, with the values of the document's `metadata`. What the page does not say is left out.
   *
   * @default false
   */
  frontMatter?: boolean | undefined
  /**
   * The most tokens, front matter and references included; at least 100. What is more is cut from the end, between blocks
   * where that is possible, never behind a heading, with code fences closed and the references kept that are used. A note at
   * the end and the document's `warning` say how much is missing. Tokens are estimated, for the most part within a tenth or
   * two of what a language model counts.
   */
  maxTokens?: number | undefined
}

export interface MarkdownFields {
  /** The content as GitHub Flavored Markdown. */
  markdown: string
}

/** The schema of a budget of tokens: with less, hardly a sentence would fit beside the note that the rest is missing. @internal */
export const tokensSchema = (z: SchemaBuilder) => z.number().multipleOf(1).min(100).optional()

/** The content as Markdown. A file that is Markdown already, or shown as it came, is left as it is. @see docs/compatibility.md#markdown */
export const markdown: Format<MarkdownFormat, MarkdownFields> = {
  type: 'markdown',
  options: (z) => ({
    links: z.enum(['inline', 'reference']).optional(),
    frontMatter: z.boolean().optional(),
    maxTokens: tokensSchema(z),
  }),
  convert(content, { links, frontMatter = false, maxTokens }, settings, warn) {
    const written = writeMarkdown(content, settings, links)
    const { front, body } = frontMatter
      ? writeFrontMatter(written, content, maxTokens === undefined ? Infinity : maxTokens / 2)
      : { front: '', body: written }
    const head = front === '' ? '' : `${front}\n\n`
    if (maxTokens === undefined) return { markdown: `${head}${body}` }
    const { markdown: kept, cut } = cutMarkdown(body, maxTokens, estimateTokens(head))
    if (cut !== undefined) warn?.(`The Markdown is ${cut}`)
    return { markdown: `${head}${kept}` }
  },
}
