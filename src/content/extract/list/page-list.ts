/** Maximum number of rows of a list, where none is given. */
export const MAX_ROWS = 10_000

/** Value of a field of a row. A field of type `texts` has an array. */
export type ListValue = string | number | boolean | string[]

/** A row of a list: values by the names of fields. A field that the row has no value for is absent. */
export type ListRow = Record<string, ListValue>

/** A field of the rows of a list. */
export interface ListField {
  /** Name of the field in the rows. */
  name: string
  /**
   * Type of the values: `number`; `date` in ISO 8601, as precise as the page writes it; `url`, absolute; `boolean`;
   * `text`; `texts`, an array of texts. A value that cannot be read as its field's type stays text.
   */
  type: 'text' | 'texts' | 'number' | 'date' | 'url' | 'boolean'
  /** Source of the name: markup, a header, a label, an attribute, a class name, or the role of the field in the row. */
  source: 'microdata' | 'json-ld' | 'header' | 'label' | 'attribute' | 'class' | 'role'
  /** Share of the rows that have the field, 0 to 1. */
  share: number
  /** Unit of the numbers, as the page writes it, if all rows share it: `km`, `comments`, `%`, `$`. */
  unit?: string
  /** Name of the column of the page, where `schema` names the field. */
  column?: string
  /**
   * Evidence that the column is the one of the property of `schema`: their names, values that fit only this column, a type
   * that only this column has, or the answer of a language model.
   */
  matchedBy?: 'name' | 'values' | 'type' | 'model'
}

/** A column of a list: the places in an entry that its values are read from, and the field that they become. */
export interface ListColumn {
  /** Places in an entry, the preferred one first. */
  readonly places: readonly string[]
  readonly name: string
  readonly type: ListField['type']
  readonly source: ListField['source']
  readonly unit?: string
  /** Decimal sign of the numbers. @default `.` */
  readonly decimal?: '.' | ','
  /** Order of day and month in numeric dates. */
  readonly dayFirst?: boolean
}

/** Description of a list by which it is found again on another page, with the same fields. Plain data. */
export interface ListTemplate {
  /** Kinds of the elements around the entries. */
  readonly container: string
  /** Kind of an entry. */
  readonly entry: string
  readonly columns: readonly ListColumn[]
  /** Identity of a row: the column of its URL if it differs in each row, an attribute of the entry, or all of its text. */
  readonly key: string
}

/** A list on a page: its rows, and what the page tells about the list's end. Plain data. */
export interface PageList extends ListEnd {
  /** In document order. */
  readonly items: readonly ListRow[]
  /**
   * Identity of each row: the URL of its main link, else its id, else a hash of its text. Different rows, such as the
   * variants of a product, may have the same.
   */
  readonly keys: readonly string[]
  /** Indices of the rows that are advertisements: they do not count for the total. Absent for none. */
  readonly ads?: readonly number[]
  readonly fields: readonly ListField[]
  readonly template: ListTemplate
  /** Heading or caption of the list. */
  readonly heading?: string
}

/** Facts that a page tells about the end of a list. */
export interface ListEnd {
  /** Number of entries of the whole list, as the page states it. */
  readonly total?: number
  /** Evidence that the list goes on, such as the label of a button. */
  readonly more?: string
  /** Evidence that the list ends on this page. */
  readonly end?: string
}

/** Selection of the lists to read. */
export interface ListPlan {
  /** Returns each list, and not only the main one. @default false */
  readonly all?: boolean
  /** Maximum number of rows of a list. @default 10,000 */
  readonly most?: number
  /** Finds what other pages tell to be a list, for a job: see `ListForm` and `FewEntries`. @default false */
  readonly learns?: boolean
  /** Returns this list only, with the same fields. */
  readonly template?: ListTemplate
}
