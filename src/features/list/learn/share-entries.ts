import type { FewFacts } from '../../../content/extract/list/few-entries.js'
import type { HeldSchema } from '../../../base/json-schema/answer-schema.js'
import type { ListForm } from '../../../content/extract/list/few-entries.js'
import { MAX_ROWS } from '../../../content/extract/list/page-list.js'
import type { EnrichTools, SharedFacts } from '../../../kernel/enrich/format.js'
import { type List, toList } from '../row-list.js'
import { conformList } from '../conform-list.js'

/** Entries of a page without a list, as the list that they may be. */
export interface FewRows extends FewFacts {
  readonly list: List
  /** True if the rows have the names of a schema, and not those of the page. */
  readonly isShaped: boolean
  readonly warnings: readonly string[]
}

/** Facts about lists that a page has for the others of its job, and needs from them. */
interface SharedLists extends SharedFacts {
  /** Structure of its main list. */
  readonly tells?: ListForm
  /** Rows that are its list if other pages have lists of their structure. */
  readonly asks?: readonly FewRows[]
}

/** Prepares what a page and the other pages of its job learn from each other about lists. @returns undefined for nothing */
export async function shareEntries(
  { listForm, fewEntries = [] }: EnrichTools['lists'],
  { schema, most = MAX_ROWS }: { readonly schema?: HeldSchema; readonly most?: number },
): Promise<SharedLists | undefined> {
  if (!listForm && fewEntries.length === 0) return undefined
  const few: FewRows[] = []
  for (const { list, ...facts } of fewEntries) {
    const plain = toList(list, most)
    // A model is not asked about what may be no list.
    const shaped = schema ? await conformList(plain, schema) : { list: plain, warnings: [] }
    few.push({ ...facts, ...shaped, isShaped: schema !== undefined })
  }
  return { tells: listForm, asks: few.length > 0 ? few : undefined }
}
