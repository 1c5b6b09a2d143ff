import { findUnlike } from '../../../content/extract/list/find-ads.js'
import { readPageData } from '../../../content/hydration/page-data.js'
import { printPath } from './data-path.js'
import { findRecordLists, type RecordList } from './find-records.js'
import { MIN_ALIGNED } from './align-records.js'
import { learnMapping, type VisibleList } from './learn-mapping.js'
import { readFacts } from './list-facts.js'
import { isComplete, type RowBatch, mapRecords } from './map-records.js'

/** A page with the list that it shows. */
export interface ListedPage {
  readonly url: string
  readonly body: Uint8Array
  readonly contentType?: string
  readonly list: VisibleList
}

/** Rows of the data, and whether they go to its end. */
interface FoundRows extends RowBatch {
  /** Evidence that these are the rows to the end of the list. */
  readonly end?: string
}

/** Rows from the data that a page embeds for its scripts. Plain data. */
export interface DataRows extends FoundRows {
  /** The data, for readers. */
  readonly evidence: string
}

/** Minimum share of the visible rows that are in the data, and maximum share of entries among the others. */
const MIN_ALIGNED_SHARE = 0.5
const MAX_OTHERS = 0.1
/** Minimum share of the records between two visible ones that are visible, too. Otherwise, the page shows a selection. */
const MIN_SHOWN = 0.9
/** Maximum share of records that are no entries. */
const MAX_UNFIT = 0.1

/**
 * Finds the rows of a list in the data that its page embeds for its scripts: an array with the entries that are visible as
 * rows, and further ones. Returns undefined if there is none, or if it is not certain how its entries become rows.
 */
export function findListInData(page: ListedPage): DataRows | undefined {
  const { list } = page
  const data = readPageData(page)
  if (data === undefined) return undefined
  const lists = data.state.flatMap(({ source, value }) =>
    findRecordLists(value, MIN_ALIGNED).map((records) => ({ source, records })),
  )
  let best: DataRows | undefined
  for (const { source, records } of lists) {
    if (records.records.length < Math.max(MIN_ALIGNED, best?.items.length ?? 0)) continue
    const found = readRows(records, list, page.url)
    if (found === undefined || found.items.length <= (best?.items.length ?? 0)) continue
    const path = printPath(records.path)
    best = { ...found, evidence: path === '' ? `\`${source}\`` : `\`${path}\` of \`${source}\`` }
  }
  return best
}

/** Makes rows from the visible records, and from those that follow. */
function readRows({ records, around }: RecordList, list: VisibleList, base: string): FoundRows | undefined {
  const learnt = learnMapping(list, records, base)
  if (learnt === undefined) return undefined
  const { aligned, mapping, others } = learnt
  const { length: rows } = list.items
  if (aligned.size < rows * MIN_ALIGNED_SHARE || others > rows * MAX_OTHERS) return undefined
  const [first, last] = [...aligned].reduce(
    ([low, high], index) => [Math.min(low, index), Math.max(high, index)],
    [records.length, 0],
  )
  if (aligned.size < (last - first + 1) * MIN_SHOWN) return undefined
  const mapped = mapRecords(mapping, records.slice(first), { key: list.template.key, base })
  const { items, keys, unfit, ads } = mapped
  if (unfit > (records.length - first) * MAX_UNFIT) return undefined
  const { total, totalName, goesOn } = readFacts(around)
  const marked = new Set(ads)
  const unmarked = items.filter((_, at) => !marked.has(at))
  // An advertisement without a mark lacks fields of the entries. So does an entry that is sold out.
  const counts = [
    unmarked.length - findUnlike(unmarked, list.fields).length,
    unmarked.filter((item) => isComplete(mapping, item)).length,
  ]
  const isAll = total !== undefined && counts.includes(total) && first === 0 && unfit === 0 && !goesOn
  const end = `the data of the page states ${total} entries: \`${totalName}\``
  return { items, keys, ads, end: isAll ? end : undefined }
}
