import { compact } from '../../base/collections/compact.js'
import type { ListField, ListRow, PageList } from '../../content/extract/list/page-list.js'

/** Rows of a list. */
export interface List<Row = ListRow> {
  /** The rows in the order of the page, each once. With `schema`, those that conform to it. */
  items: Row[]
  /** The fields of the rows, in the order of the page. */
  fields: ListField[]
  /**
   * True if these are all rows, and the page says so: it states a total that agrees, or that the list ends. False if
   * there may be more.
   */
  complete: boolean
  /** Number of pages that the rows are from; 0 if no list was found. */
  pagesRead: number
  /**
   * Source of the rows: `page` is the HTML of the page. With `all`, the last source that had further rows: `pages` are the
   * pages after it, `data` is what the page embeds for its scripts, `requests` are those that its scripts send for more,
   * `browser` is the page in a browser, where it grows.
   */
  how: 'page' | 'pages' | 'data' | 'requests' | 'browser'
  /** Reason why the rows are not known to be complete; absent if they are. */
  stoppedBy?: string
  /**
   * With `all`, URL of a page that the list goes on with and that could not be read, for the reason in `stoppedBy`; absent if there is none.
   * Its rows and those after it are missing, and the document has a `warning`.
   */
  lostPage?: string
  /** Heading or caption of the list; absent if it has none. */
  heading?: string
  /** With `schema`, the rows that do not conform to it, with the reasons; absent if there are none. */
  invalidItems?: InvalidRow[]
}

/** A row that breaks the schema. */
export interface InvalidRow {
  /** The row with the names of the schema, and its values as far as they could be converted. */
  item: Record<string, unknown>
  /** Faults of the row: the place of the value, and what is wrong with it. */
  issues: string[]
}

/** Fields of a document with lists. */
export interface ListFields {
  /** The main list of the page. It has no items if the page has no list. */
  list: List
  /** Each list of the page, the main one first, with `lists: 'all'`. */
  lists?: List[]
}

/** Makes the list of a page, without its further pages. */
export function toList({ items, fields, heading, total, more, end }: PageList, most: number): List {
  const stoppedBy = whyIncomplete({ rows: items.length, most, total, more, end })
  return compact({
    items: [...items],
    fields: [...fields],
    complete: stoppedBy === undefined,
    pagesRead: 1,
    how: 'page' as const,
    stoppedBy,
    heading,
  })
}

function whyIncomplete({
  rows,
  most,
  total,
  more,
  end,
}: { rows: number; most: number } & Record<'more' | 'end', string | undefined> & {
    total: number | undefined
  }): string | undefined {
  if (rows >= most) return `\`most\`: the list has ${most} rows or more.`
  if (more !== undefined) {
    const shown = total === undefined ? '' : ` of ${total}`
    return `The list goes on (${quote(more)}): ${rows}${shown} rows are on this page.`
  }
  return end === undefined ? 'The page does not say whether the list goes on.' : undefined
}

const quote = (text: string): string => JSON.stringify(text.slice(0, 100))
