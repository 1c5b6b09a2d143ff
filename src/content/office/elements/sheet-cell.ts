/** Cell of a sheet, with its displayed text. */
export interface SheetCell {
  text: string
  /** Parts of the text that are links, in order. */
  links?: readonly CellLink[]
}

/** Part of the text of a cell that is a link: from `start` inclusive to `end` exclusive. */
export interface CellLink {
  readonly start: number
  readonly end: number
  readonly href: string
}

/** Range of cells: row and column of the first, from 0, and their extent. */
export interface CellRange {
  readonly row: number
  readonly column: number
  readonly rows: number
  readonly columns: number
}
