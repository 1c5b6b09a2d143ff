import type { ListRow, PageList } from '../../content/extract/list/page-list.js'
import type { HeldSchema } from '../../base/json-schema/answer-schema.js'
import type { List } from '../../kernel/enrich/row-list.js'
import { type ColumnChooser, shapeList } from './shape-list.js'

/** Gives the rows of a list the shape of a schema. */
export async function conformList(
  plain: List,
  schema: HeldSchema,
  choose?: ColumnChooser,
): Promise<{ readonly list: List; readonly warnings: readonly string[] }> {
  const { items, fields, invalidItems, warnings } = await shapeList(plain, schema, choose)
  const shaped = {
    ...plain,
    // The rows have the type of the schema, which `DocumentOf` states.
    items: items as ListRow[],
    fields: [...fields],
    ...(invalidItems.length > 0 && { invalidItems: [...invalidItems] }),
  }
  return { list: shaped, warnings }
}

/** Makes the list of a page, without its further pages. */
export function toList({ items, fields, heading, total, more, end }: PageList, most: number): List {
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
