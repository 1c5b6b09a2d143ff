import type { EnrichPlan } from '../enrich/enrich.js'
import type { EnrichFormats } from '../enrich/enrich-formats.js'
import { type List, toList } from '../enrich/row-list.js'
import type { Digest } from '../../content/digest/digest.js'
import type { FewEntries, ListForm } from '../../content/extract/list/few-entries.js'
import { MAX_ROWS } from '../../content/extract/list/page-list.js'

/** Entries of a page without a list, as the list that they may be. */
export interface FewRows extends Omit<FewEntries, 'list'> {
  readonly list: List
  /** True if the rows have the names of a schema, and not those of the page. */
  readonly isShaped: boolean
  readonly warnings: readonly string[]
}

/** Facts about lists that a page has for the others of its job, or needs from them. Plain data. */
export interface LearntLists {
  /** Structure of its main list. */
  readonly form?: ListForm
  /** Rows that are its list if other pages have lists of their structure. */
  readonly few?: readonly FewRows[]
}

/** Prepares what a page and the other pages of its job learn from each other about lists. @returns undefined for nothing */
export async function prepareLists(
  { listForm, fewEntries = [] }: Digest,
  { lists, formats }: EnrichPlan,
  known: EnrichFormats,
): Promise<LearntLists | undefined> {
  if (!lists || (!listForm && fewEntries.length === 0)) return undefined
  const { schema, most = MAX_ROWS } = lists
  const conform = known.findConform(formats)
  const few: FewRows[] = []
  for (const { list, ...facts } of fewEntries) {
    const plain = toList(list, most)
    // A model is not asked about what may be no list.
    const shaped = (schema && (await conform?.(plain, schema))) ?? { list: plain, warnings: [] }
    few.push({ ...facts, ...shaped, isShaped: schema !== undefined })
  }
  return { ...(listForm && { form: listForm }), ...(few.length > 0 && { few }) }
}
