import { chunkMarkdown, type Chunk } from '../convert/split/chunk-markdown.js'
import { convert } from '../convert/convert.js'
import type { ExtractedPage } from '../extract/extracted-page.js'
import { removeInvisible } from '../extract/visibility/remove-invisible.js'
import type { StructuredItem } from '../extract/structured-data/structured-item.js'
import type { FoundMedia } from '../extract/media/found-media.js'
import { findMedia } from '../extract/media/find-media.js'
import { readItems } from '../extract/structured-data/read-items.js'

/** Inputs of formats that are made by `enrich`. */
export interface EnrichInputs {
  /** Chunks of the content's Markdown, without invisible elements; empty when not asked for. */
  readonly chunks: readonly Chunk[]
  /** Structured data of the page; empty when not asked for. */
  readonly items: readonly StructuredItem[]
  /** Audio and video of the page, the surest first; empty when not asked for. */
  readonly media: readonly FoundMedia[]
}

/** Selection of the inputs to make. */
export interface MaterialPlan {
  readonly text: boolean
  readonly facts: boolean
  readonly media: boolean
  /** Maximum number of tokens of a chunk. */
  readonly maxTokens: number
}

/** Makes the inputs. To be called last: invisible elements are removed from the content. @internal */
export function createEnrichInputs(content: ExtractedPage, plan: MaterialPlan): EnrichInputs {
  const items = plan.facts || plan.media ? readItems(content) : []
  const made = { items: plan.facts ? items : [], media: plan.media ? findMedia(content, items) : [] }
  if (!plan.text) return { chunks: [], ...made }
  removeInvisible(content.$)
  // Inline images are megabytes without meaning for a model.
  const { markdown = '' } = convert(content, { formats: [{ type: 'markdown' }], removeBase64Images: true })
  return { chunks: chunkMarkdown(markdown, plan.maxTokens), ...made }
}
