import type { StandardSchema } from '../../base/json-schema/answer-schema.js'
import { defineFeature } from '../../kernel/engine/feature.js'
import type { List } from '../../kernel/enrich/row-list.js'
import { list as format } from './list.js'

export type { ListFormat } from './list.js'

declare module '../../kernel/enrich/format.js' {
  interface FeatureFormats {
    list: typeof format
  }
}

/** Type of a row that conforms to a schema. */
type RowOf<Schema> = Schema extends StandardSchema<infer Output> ? Output : Record<string, unknown>

/** Lists with rows in the shape of a schema. */
interface ListsOf<Schema> {
  list: List<RowOf<Schema>>
  lists?: List<RowOf<Schema>>[]
}

declare module '../../kernel/page/document.js' {
  interface SchemaFields<Schema> {
    list: ListsOf<Schema>
  }
}

/** Lists of pages, as rows. @internal */
export const list = defineFeature({ name: 'list', formats: [format] })
