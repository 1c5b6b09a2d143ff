/** Formats rows below their headings, in columns of equal width. */
export function alignColumns(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [headings, ...rows]
  const widths = headings.map((_, at) => Math.max(...all.map((row) => row[at]?.length ?? 0)))
  const alignRow = (row: readonly string[]): string => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')
  return all.map((row) => alignRow(row).trimEnd())
}
