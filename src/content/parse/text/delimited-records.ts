/** Limits for {@link readRecords}. */
interface RecordLimits {
  /** Maximum number of records that are returned. `total` counts all. */
  readonly records: number
  /** Maximum number of cells of a record that are returned. `widest` counts all. */
  readonly cells: number
}

/** Table of delimited values, within the limits. */
interface DelimitedRecords {
  readonly records: readonly (readonly string[])[]
  /** Number of all records. */
  readonly total: number
  /** Number of cells of the longest record. */
  readonly widest: number
}

const QUOTE = 0x22
const SPACE = 0x20
const RETURN = 0x0d
const LINE_FEED = 0x0a

/**
 * Parses delimited values (CSV) in one pass.
 *
 * A quoted cell may contain delimiters, line breaks, and `""` for a quotation mark. Text between its closing quotation
 * mark and the next delimiter is appended to it. Spaces around a quoted cell are ignored. A quotation mark anywhere
 * else, or without a closing one, is ordinary text. Empty lines are skipped.
 *
 * @param delimiter one character
 * @see https://www.rfc-editor.org/rfc/rfc4180#section-2
 */
export function readRecords(text: string, delimiter: string, limits: RecordLimits): DelimitedRecords {
  const separator = delimiter.charCodeAt(0)
  const records: string[][] = []
  let total = 0
  let widest = 0
  let width = 0
  let hasText = false
  let record: string[] = []
  let at = 0
  // False after the first unclosed quotation mark. Searching for an end again at each later one would take quadratic
  // time.
  let quotes = true
  let spaced = MAX_FALSE_QUOTES

  const endCell = (cell: string): void => {
    width += 1
    hasText ||= cell !== ''
    if (width <= limits.cells && total < limits.records) record.push(cell)
  }
  const endRecord = (): void => {
    if (width > 1 || hasText) {
      if (total < limits.records) records.push(record)
      total += 1
      widest = Math.max(widest, width)
    }
    record = []
    width = 0
    hasText = false
  }
  const isEnd = (place: number): boolean => {
    const code = text.charCodeAt(place)
    return place >= text.length || code === separator || code === LINE_FEED || code === RETURN
  }
  /** Returns the end of an unquoted cell, or of the text after a closing quotation mark. */
  const findEnd = (from: number): number => {
    let end = from
    while (!isEnd(end)) end += 1
    return end
  }

  while (at < text.length) {
    let cell = ''
    const open = quotes ? skipSpaces(text, at) : at
    if (quotes && text.charCodeAt(open) === QUOTE && (open === at || spaced > 0)) {
      const close = findClose(text, open + 1)
      if (close === undefined) {
        quotes = false
        continue
      }
      const after = open === at ? close + 1 : skipSpaces(text, close + 1)
      // After white space, a quotation mark can be part of the text: `5, "six" is next`.
      if (open === at || isEnd(after)) {
        cell = text.slice(open + 1, close).replaceAll('""', '"')
        at = after
      } else spaced -= 1
    }
    const end = findEnd(at)
    cell += text.slice(at, end)
    endCell(cell)
    const code = text.charCodeAt(end)
    at = end + (code === RETURN && text.charCodeAt(end + 1) === LINE_FEED ? 2 : 1)
    if (code !== separator) endRecord()
    else if (at === text.length) endCell('')
  }
  if (width > 0) endRecord()
  return { records, total, widest }
}

/**
 * Maximum number of quotation marks after spaces that turn out to be text. All later ones are read as text at once,
 * because each costs a search for its end.
 */
const MAX_FALSE_QUOTES = 1000

function skipSpaces(text: string, from: number): number {
  let at = from
  while (text.charCodeAt(at) === SPACE) at += 1
  return at
}

/** Returns the offset of the quotation mark that closes a cell. */
function findClose(text: string, from: number): number | undefined {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 2)) {
    if (text.charCodeAt(at + 1) !== QUOTE) return at
  }
  return undefined
}

const DELIMITERS: readonly string[] = [',', ';', '\t', '|']

/** Number of characters that the delimiter is detected from. */
const SAMPLE_LENGTH = 65_536
const SAMPLE_RECORDS = 100

/**
 * Detects the delimiter of a table: the one with the largest share of records of equal width, above one cell. Of
 * delimiters with nearly equal shares, the one with the most cells in a record is chosen.
 */
export function findDelimiter(text: string): string {
  const sample = text.slice(0, SAMPLE_LENGTH)
  let best = { delimiter: ',', share: 0, width: 1 }
  for (const delimiter of DELIMITERS) {
    const { records } = readRecords(sample, delimiter, { records: SAMPLE_RECORDS, cells: 1000 })
    const counts = new Map<number, number>()
    for (const { length } of records) counts.set(length, (counts.get(length) ?? 0) + 1)
    const [width, count] = [...counts].reduce((most, next) => (next[1] > most[1] ? next : most), [1, 0])
    const share = records.length === 0 ? 0 : count / records.length
    const isBetter = share > best.share + 0.1 || (share > best.share - 0.1 && width > best.width)
    if (width > 1 && (best.width === 1 || isBetter)) best = { delimiter, share, width }
  }
  return best.delimiter
}
