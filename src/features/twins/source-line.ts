/** A part of a source: a line without what it stands in, or a cell. */
export interface SourceLine {
  readonly text: string
  /** Place in the source. */
  readonly at: number
}

/** White space of a line, and the place after it. */
interface Space {
  readonly pos: number
  readonly col: number
  readonly width: number
}

/** Skips spaces and tabs, which reach to the next multiple of four columns. */
export function skipSpace(line: string, start: number, column: number): Space {
  let [pos, col] = [start, column]
  for (; line[pos] === ' ' || line[pos] === '\t'; pos += 1) col += line[pos] === '\t' ? 4 - (col % 4) : 1
  return { pos, col, width: col - column }
}

/** Skips spaces and tabs, at most a number of columns. */
export function takeColumns(
  line: string,
  start: number,
  column: number,
  columns: number,
): { pos: number; col: number } {
  let [pos, col] = [start, column]
  for (; col < column + columns && (line[pos] === ' ' || line[pos] === '\t'); pos += 1)
    col += line[pos] === '\t' ? 4 - (col % 4) : 1
  return { pos, col }
}

/** Removes spaces and tabs at the end, and no other white space, which could hide something. */
export function withoutEnd(text: string): string {
  let end = text.length
  while (text[end - 1] === ' ' || text[end - 1] === '\t') end -= 1
  return text.slice(0, end)
}

/** Counts the equal characters at the start of a text. */
export function countSigns(text: string): number {
  let count = 1
  while (text[count] === text[0]) count += 1
  return count
}

/** Tests for the underline of a heading. */
export const isUnderline = (rest: string): boolean => {
  const signs = withoutEnd(rest)
  return (signs.startsWith('=') || signs.startsWith('-')) && countSigns(signs) === signs.length
}

/** Tests for a thematic break. */
export function isBreak(rest: string): boolean {
  const signs = rest.replaceAll(' ', '').replaceAll('\t', '')
  return '*-_'.includes(rest.charAt(0)) && signs.length >= 3 && countSigns(signs) === signs.length
}

/** Reads the mark of a list item. @param isInText true after a line of text, which few marks end */
export function readMarker(rest: string, isInText: boolean): string | undefined {
  const mark = /^(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$)/.exec(rest)?.[0]
  if (mark === undefined) return undefined
  const isWeak = rest.length === mark.length || (mark.length > 1 && mark.slice(0, -1) !== '1')
  return isInText && isWeak ? undefined : mark
}

/** Removes the signs at the end of a heading. */
export function withoutClosing(text: string): string {
  const trimmed = withoutEnd(text)
  let end = trimmed.length
  while (trimmed[end - 1] === '#') end -= 1
  return end === 0 || ' \t'.includes(trimmed.charAt(end - 1)) ? trimmed.slice(0, end) : trimmed
}

/** Splits a row of a table into its cells. */
export function splitCells({ text, at }: SourceLine): readonly SourceLine[] {
  const cells: SourceLine[] = []
  const end = withoutEnd(text).length
  let from = text.startsWith('|') ? 1 : 0
  const add = (to: number): void => {
    cells.push({ text: text.slice(from, to), at: at + from })
    from = to + 1
  }
  for (let pos = from; pos < end; pos += 1) {
    if (text[pos] === '\\') pos += 1
    else if (text[pos] === '|') add(pos)
  }
  if (from < end) add(end)
  return cells
}

/** Counts the cells of a delimiter row; 0 if the line is none. */
export function countDelimiters(text: string): number {
  if (!text.includes('|') || !text.includes('-')) return 0
  const cells = splitCells({ text, at: 0 })
  return cells.every((cell) => /^[ \t]*:?-+:?[ \t]*$/.test(cell.text)) ? cells.length : 0
}
