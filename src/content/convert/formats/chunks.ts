import { type Chunk, chunkMarkdown, fitChunks } from '../split/chunk-markdown.js'
import { linkChunks } from '../passage/link-chunks.js'
import { withFragment } from '../passage/text-fragment.js'
import { limitWarning } from '../../html/document-limits.js'
import type { Format } from '../format.js'
import { writeMarkdown } from '../write/write-markdown.js'
import { partSchemas, partsOf } from '../written-parts.js'
import { tokensSchema } from './markdown.js'

/** The content as Markdown in chunks. An extension of trawl. */
interface ChunksFormat {
  type: 'chunks'
  /**
   * Maximum tokens in a chunk, at least 100. Tokens are estimated, mostly within 10 to 20 % of a language model's own
   * count.
   *
   * @default 512
   */
  maxTokens?: number
  /** As for `markdown`. @default none */
  preset?: 'model'
  /** As for `markdown`: `text` is the text of a link alone. @default 'inline' */
  links?: 'inline' | 'text'
  /** As for `markdown`. @default 'full' */
  images?: 'full' | 'alt' | 'none'
  /** As for `markdown`. @default false */
  cleanUrls?: boolean
}

/** A chunk of a page, with a link to it. */
export interface LinkedChunk extends Chunk {
  /**
   * URL that shows the chunk in a browser: by the id of its heading (`#id`), or else by words that the page has once (`#:~:text=`). Where
   * neither is sure, for files, and for pages of more than a million characters, the URL of the page. The fragment alone, to be resolved
   * against the page's URL, if that is so long that all links together exceed a quarter of the limit of a document.
   */
  link: string
}

interface ChunksFields {
  /** The sections of the content in order; large ones as several chunks. */
  chunks: LinkedChunk[]
}

const DEFAULT_MAX_TOKENS = 512

/**
 * The content in chunks for semantic search: one for each heading with its text, and with the path of headings above
 * it. A section of more than `maxTokens` continues in further chunks with the same path, cut between blocks; a list is
 * cut between items, a table between rows, with its header repeated. Code, a row or a sentence is cut only if it
 * exceeds a chunk. Together, the chunks contain all of the Markdown.
 */
export const chunks: Format<ChunksFormat, ChunksFields> = {
  type: 'chunks',
  showsContent: true,
  readsPage: 'always',
  options: (z) => ({ maxTokens: tokensSchema(z), ...partSchemas(z, ['inline', 'text']) }),
  convert(content, { maxTokens = DEFAULT_MAX_TOKENS, ...options }, settings, warn) {
    const all = chunkMarkdown(writeMarkdown(content, settings, { parts: partsOf(options), warn }), maxTokens)
    const { part } = content.limits
    const { url: address } = content.page
    // The address of each chunk is a part of the document, whose length is limited.
    const url = address.length * all.length > part / 4 ? '' : address
    const { chunks: fitting, shortened, leftOut } = fitChunks(all, part - url.length * all.length)
    if (shortened > 0) warn?.(limitWarning(shortened, 'chunks have the last heading of their path only', part))
    if (leftOut > 0) warn?.(limitWarning(leftOut, 'chunks at the end were left out', part))
    const links = linkChunks(content.page, fitting)
    return { chunks: fitting.map((chunk, at) => ({ ...chunk, link: withFragment(url, links[at]) })) }
  },
}
