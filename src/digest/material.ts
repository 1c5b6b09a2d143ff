import { chunkMarkdown, type Chunk } from '../convert/chunk-markdown.js'
import { convert } from '../convert/convert.js'
import type { ExtractedPage } from '../extract/extracted-page.js'
import { leaveOutInvisible } from '../extract/leave-out-invisible.js'
import type { StructuredItem } from '../extract/structured-item.js'
import { readItems } from '../extract/read-items.js'

/** What a page says, for who makes something of it that is no conversion. */
export interface PageMaterial {
  /** The content as Markdown in pieces, without what a reader does not see; empty when it was not asked for. */
  readonly chunks: readonly Chunk[]
  /** What the page says in a form for programs; empty when that was not asked for. */
  readonly items: readonly StructuredItem[]
}

/** Which material is made of a page. */
export interface MaterialPlan {
  readonly text: boolean
  readonly facts: boolean
  /** The most tokens in a piece. */
  readonly maxTokens: number
}

/** Makes the material. To be called last: what a reader does not see is taken out of the content. */
export function makeMaterial(content: ExtractedPage, plan: MaterialPlan): PageMaterial {
  const items = plan.facts ? readItems(content) : []
  if (!plan.text) return { chunks: [], items }
  leaveOutInvisible(content.$)
  // Inline pictures are megabytes that say nothing.
  const { markdown = '' } = convert(content, { formats: [{ type: 'markdown' }], removeBase64Images: true })
  return { chunks: chunkMarkdown(markdown, plan.maxTokens), items }
}
