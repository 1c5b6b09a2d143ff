import type { ListField, ListRow, PageList } from '../../extract/list/page-list.js'
import type { Format } from '../format.js'

/** The list that a page shows, as rows. An extension of trawl. */
export interface ListFormat {
  type: 'list'
  /**
   * Read the list to its end: its further pages and, if there are none, the data that the page embeds, the requests that
   * its scripts send for more, and the page in a browser while it grows. At most as long as `timeout` allows. @default false
   */
  all?: boolean | undefined
  /** With `all`, document field `lists` has each list of the page as well. @default the main list only */
  lists?: 'all' | undefined
  /** Maximum number of rows of a list, 1 to 10,000. @default 10,000 */
  most?: number | undefined
}

/** Rows of a list. */
export interface List {
  /** The rows in the order of the page, each once. */
  items: ListRow[]
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
  /** Heading or caption of the list; absent if it has none. */
  heading?: string
}

export interface ListFields {
  /** The main list of the page. It has no items if the page has no list. */
  list: List
  /** Each list of the page, the main one first, with `lists: 'all'`. */
  lists?: List[]
}

const MAX_ROWS = 10_000

/**
 * The main list of a page as rows, without a model: products, results, jobs, events, rows of tables. Fields are what the
 * entries have in common. They are named by what the page calls them (properties of its markup, headers, labels,
 * attributes, class names), or by their role.
 *
 * @see docs/guides/lists.md
 */
export const list: Format<ListFormat, ListFields> = {
  type: 'list',
  options: (z) => ({
    all: z.boolean().optional(),
    lists: z.literal('all').optional(),
    most: z.number().multipleOf(1).min(1).max(MAX_ROWS).optional(),
  }),
  convert({ lists = [] }, { lists: wanted, most = MAX_ROWS }) {
    const [main] = lists
    return {
      list: main === undefined ? NO_LIST : toList(main, most),
      ...(wanted === 'all' && { lists: lists.map((one) => toList(one, most)) }),
    }
  },
}

const NO_LIST: List = {
  items: [],
  fields: [],
  complete: false,
  pagesRead: 0,
  how: 'page',
  stoppedBy: 'The page has no list.',
}

function toList({ items, fields, heading, total, more, end }: PageList, most: number): List {
  const stoppedBy = whyIncomplete({ rows: items.length, most, total, more, end })
  return {
    items: [...items],
    fields: [...fields],
    complete: stoppedBy === undefined,
    pagesRead: 1,
    how: 'page',
    ...(stoppedBy !== undefined && { stoppedBy }),
    ...(heading !== undefined && { heading }),
  }
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
