import type { ColumnSource } from './column-source.js'

/** Describes how rows are made from records. Plain data. */
export interface RecordMapping {
  readonly columns: readonly { readonly name: string; readonly source: ColumnSource }[]
  /** Source of the attribute that identifies a row; undefined where a field, or all of the row, does. */
  readonly key?: ColumnSource
  /** Fields that all visible rows have whose records are known: by them, entries are told from advertisements. */
  readonly required: readonly string[]
}
