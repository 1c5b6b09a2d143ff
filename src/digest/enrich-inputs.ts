import { chunkMarkdown, type Chunk } from '../convert/split/chunk-markdown.js'
import { convert } from '../convert/convert.js'
import type { ExtractedPage } from '../extract/extracted-page.js'
import { removeInvisible } from '../extract/visibility/remove-invisible.js'
import type { StructuredItem } from '../extract/structured-data/structured-item.js'
import type { FoundMedia } from '../extract/media/found-media.js'
import { findMedia } from '../extract/media/find-media.js'
import { readItems } from '../extract/structured-data/read-items.js'

/** What a page says, for who makes something of it that is no conversion. */
export interface EnrichInputs {
  /** The content as Markdown in pieces, without what a reader does not see; empty when it was not asked for. */
  readonly chunks: readonly Chunk[]
  /** What the page says in a form for programs; empty when that was not asked for. */
  readonly items: readonly StructuredItem[]
  /** What there is to hear and to see on it, the surest first; empty when that was not asked for. */
  readonly media: readonly FoundMedia[]
}

/** Which material is made of a page. */
export interface MaterialPlan {
  readonly text: boolean
  readonly facts: boolean
  readonly media: boolean
  /** The most tokens in a piece. */
  readonly maxTokens: number
}

/** Makes the material. To be called last: what a reader does not see is taken out of the content. @internal */
export function createEnrichInputs(content: ExtractedPage, plan: MaterialPlan): EnrichInputs {
  const items = plan.facts || plan.media ? readItems(content) : []
  const made = { items: plan.facts ? items : [], media: plan.media ? findMedia(content, items) : [] }
  if (!plan.text) return { chunks: [], ...made }
  removeInvisible(content.$)
  // Inline pictures are megabytes that say nothing.
  const { markdown = '' } = convert(content, { formats: [{ type: 'markdown' }], removeBase64Images: true })
  return { chunks: chunkMarkdown(markdown, plan.maxTokens), ...made }
}
