import { chunkMarkdown, type Chunk, fitChunks } from '../convert/split/chunk-markdown.js'
import { limitWarning } from '../html/document-limits.js'
import { writeMarkdown } from '../convert/write/write-markdown.js'
import type { ExtractedPage } from '../extract/extracted-page.js'
import { removeInvisible } from '../extract/visibility/remove-invisible.js'
import type { StructuredItem } from '../extract/structured-data/structured-item.js'
import type { FoundMedia } from '../extract/media/found-media.js'
import { findMedia } from '../extract/media/find-media.js'
import { readItems } from '../extract/structured-data/read-items.js'

/** Inputs for the formats of `enrich`, such as `json` and `product`. */
export interface EnrichInputs {
  /** Chunks of the content's Markdown, without invisible elements; empty if not requested. */
  readonly chunks: readonly Chunk[]
  /** Structured data of the page; empty if not requested. */
  readonly items: readonly StructuredItem[]
  /** Audio and video of the page, the most reliable first; empty if not requested. */
  readonly media: readonly FoundMedia[]
}

/** Selection of the inputs to create. */
export interface EnrichInputsPlan {
  readonly text: boolean
  readonly facts: boolean
  readonly media: boolean
  /** Maximum number of tokens in a chunk. */
  readonly maxTokens: number
}

/**
 * Creates the inputs. It must be called last, because it removes invisible elements from the content.
 *
 * @param warn receives a sentence for each part of the content that is missing
 * @internal
 */
export function createEnrichInputs(
  content: ExtractedPage,
  plan: EnrichInputsPlan,
  warn: (warning: string) => void,
): EnrichInputs {
  const items = plan.facts || plan.media ? readItems(content, warn) : []
  const made = { items: plan.facts ? items : [], media: plan.media ? findMedia(content, items) : [] }
  if (!plan.text) return { chunks: [], ...made }
  removeInvisible(content.tree)
  // Data URLs of images are removed: they may have megabytes, and a language model cannot read them.
  const markdown = writeMarkdown(content, { removeBase64Images: true }, { warn })
  const { part } = content.limits
  const { chunks, leftOut } = fitChunks(chunkMarkdown(markdown, plan.maxTokens), part)
  if (leftOut > 0) warn(limitWarning(leftOut, 'chunks at the end are not shown to the language model', part))
  return { chunks, ...made }
}
