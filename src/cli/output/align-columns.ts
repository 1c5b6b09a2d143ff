/** Maximum width of a cell: one long URL would pad each row. Characters. */
const MAX_CELL = 100

/** Formats rows below their headings for people, in columns of equal width. Longer cells are cut. */
export function alignColumns(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [headings, ...rows].map((row) => row.map(cutCell))
  const widths = headings.map((_, at) => all.reduce((width, row) => Math.max(width, row[at]?.length ?? 0), 0))
  const alignRow = (row: readonly string[]): string => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')
  return all.map((row) => alignRow(row).trimEnd())
}

/** Cuts a cell before the half of a character, and ends it with an ellipsis. */
const cutCell = (cell: string): string =>
  cell.length <= MAX_CELL ? cell : `${cell.slice(0, MAX_CELL - 1).replace(/[\ud800-\udbff]$/, '')}…`
