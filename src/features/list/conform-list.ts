import type { ListRow } from '../../content/extract/list/page-list.js'
import type { HeldSchema } from '../../base/json-schema/answer-schema.js'
import type { List } from './row-list.js'
import { type ColumnChooser, shapeList } from './shape-list.js'

/** A list whose rows have the shape of a schema. */
interface ConformedList {
  readonly list: List
  readonly warnings: readonly string[]
}

/** Gives the rows of a list the shape of a schema. */
export async function conformList(plain: List, schema: HeldSchema, choose?: ColumnChooser): Promise<ConformedList> {
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
