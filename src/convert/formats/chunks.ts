import { type Chunk, chunkMarkdown } from '../split/chunk-markdown.js'
import type { Format } from '../format.js'
import { writeMarkdown } from '../write/write-markdown.js'
import { tokensSchema } from './markdown.js'

/** The content as Markdown in chunks: not of the interface. */
export interface ChunksFormat {
  type: 'chunks'
  /**
   * The most tokens in a chunk; at least 100. Tokens are estimated, for the most part within a tenth or two of what a
   * language model counts.
   *
   * @default 512
   */
  maxTokens?: number | undefined
}

export interface ChunksFields {
  /** The content's sections in order, the larger ones in several chunks. */
  chunks: Chunk[]
}

const DEFAULT_MAX_TOKENS = 512

/**
 * The content in chunks, as search by meaning needs them: one for each heading and what stands under it, with the path of
 * headings over it. A section of more than `maxTokens` goes on in further chunks with the same path, cut between blocks; a
 * list is cut between items, a table between rows, with its header again. Code, a row or a sentence is cut only where it is
 * larger than a chunk. Together the chunks hold all of the Markdown.
 */
export const chunks: Format<ChunksFormat, ChunksFields> = {
  type: 'chunks',
  options: (z) => ({ maxTokens: tokensSchema(z) }),
  convert: (content, { maxTokens = DEFAULT_MAX_TOKENS }, settings) => ({
    chunks: chunkMarkdown(writeMarkdown(content, settings), maxTokens),
  }),
}
