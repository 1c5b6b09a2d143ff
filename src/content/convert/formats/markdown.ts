import { cutMarkdown } from '../split/cut-markdown.js'
import { estimateTokens } from '../split/estimate-tokens.js'
import type { Format, SchemaBuilder } from '../format.js'
import { partSchemas, partsOf } from '../written-parts.js'
import { writeFrontMatter } from '../write/front-matter.js'
import { writeMarkdown } from '../write/write-markdown.js'

/** The content as Markdown. Its options are extensions of trawl, off by default. */
export interface MarkdownFormat {
  type: 'markdown'
  /**
   * A choice of the options below for a purpose; those that are given beside it stay. `model`: for language models and
   * search indexes, with `links: 'text'`, `images: 'alt'` and `cleanUrls: true`. Half of the tokens of lists and of
   * collections are addresses.
   *
   * @default none
   */
  preset?: 'model'
  /**
   * Form of links. `inline` is `[text](https://…)`. With `reference`, the text has numbered
   * citations, `[text][1]`, and their URLs are listed at the end, `[1]: https://… "title"`. A URL has one number, with
   * the first title it gets on the page. `text` is the text alone; `links` of the document has the URLs, where it is
   * requested. The links of a file that is Markdown already stay as they are.
   *
   * @default 'inline'
   */
  links?: 'inline' | 'reference' | 'text'
  /**
   * Form of images. `full` is `![alternative text](https://…)`; `alt` is `![alternative text]`, and nothing for
   * an image without one, or where the text beside it says the same; `none` is nothing.
   *
   * @default 'full'
   */
  images?: 'full' | 'alt' | 'none'
  /**
   * Removes parameters that only tell where a visitor came from, such as `utm_source` and `fbclid`, from the URLs of links
   * and images. What is fetched is not changed.
   *
   * @default false
   */
  cleanUrls?: boolean
  /**
   * Puts YAML front matter before the text: `title`, `url` (after redirects), `description`, `author`, `publishedTime`,
   * `modifiedTime` and `language`, with the values of the document's `metadata`. Fields that the page does not state
   * are left out.
   *
   * @default false
   */
  frontMatter?: boolean
  /**
   * Maximum tokens, including front matter and references; at least 100. The end is cut off, between blocks where that
   * is possible, never right after a heading, with code fences closed and the used references kept. A note at the end
   * and the document's `warning` say how much is missing. Tokens are estimated, mostly within 10 to 20 % of a language
   * model's own count.
   */
  maxTokens?: number
}

interface MarkdownFields {
  /** The content as GitHub Flavored Markdown. */
  markdown: string
}

/**
 * The schema of a budget of tokens. With fewer than 100, hardly a sentence would fit beside the note about the cut.
 * @internal
 */
export const tokensSchema = (z: SchemaBuilder) => z.number().multipleOf(1).min(100).optional()

/**
 * The content as Markdown. A file that is Markdown already, or shown as plain text, is returned unchanged.
 *
 * @see docs/compatibility/documents.md#markdown
 */
export const markdown: Format<MarkdownFormat, MarkdownFields, 'markdown'> = {
  type: 'markdown',
  showsContent: true,
  dropsRepeats: true,
  isForPrompt: true,
  versionOne: { markdown: {} },
  options: (z) => ({
    ...partSchemas(z, ['inline', 'reference', 'text']),
    frontMatter: z.boolean().optional(),
    maxTokens: tokensSchema(z),
  }),
  convert(content, { frontMatter = false, maxTokens, ...options }, settings, warn) {
    const written = writeMarkdown(content, settings, { parts: partsOf(options), warn })
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
