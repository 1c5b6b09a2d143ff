import { randomUUID } from 'node:crypto'
import { closeSync, openSync, readSync, unlinkSync } from 'node:fs'
import type { ListRow } from '../../index.js'
import { openLineFile } from '../../base/folder/line-file.js'
import type { Output } from './output.js'
import { removeLeft } from '../../base/folder/left-files.js'
import { nameBeside, openPartialFile, type PartialFile } from '../../base/folder/partial-file.js'

/**
 * Opens a file of rows in CSV.
 *
 * The last row may have a further column. Rows are therefore kept in a file beside the output, one JSON object a line,
 * and written as CSV when the output is closed, when all columns are known. The memory does not grow with the rows.
 */
export function openCsv(path: string): Output<ListRow> {
  const kept = nameBeside(path, `${randomUUID()}.rows`)
  // Before anything is requested.
  removeLeft(path)
  const rows = openLineFile(kept)
  const columns = new CsvColumns()
  let isOpen = true
  let [count, filled] = [0, 0]
  return {
    write: async (row) => {
      rows.add(row)
      columns.add(row)
      count += 1
      filled += Object.keys(row).length
    },
    complete: () => [
      ...(count > 0 && filled * 2 <= count * columns.names.length ? [HALF_EMPTY] : []),
      ...(columns.left > 0 ? [describeLeft(columns.left)] : []),
    ],
    close: () => {
      if (!isOpen) return
      isOpen = false
      rows.close()
      if (count > 0) writeCsv(path, kept, columns.names)
    },
    destination: path,
  }
}

const HALF_EMPTY =
  'Half of its cells or more are empty, as pages name their fields differently: with a `schema`, format `list` has one set of names for all (docs/guides/lists.md)'

const describeLeft = (values: number): string =>
  `${values} values are left out: a table has at most ${MAX_COLUMNS} columns, and pages name more fields. FILE.ndjson has all, and so has a table whose format \`list\` has a \`schema\``

/** Writes kept rows as CSV, and deletes them. @throws Error that says where they are, if that fails */
function writeCsv(path: string, kept: string, columns: readonly string[]): void {
  let file: PartialFile | undefined
  try {
    file = openPartialFile(path)
    file.append(printRecord(columns))
    for (const line of readLines(kept)) {
      const row = JSON.parse(line) as ListRow
      file.append(printRecord(columns.map((name) => (Object.hasOwn(row, name) ? row[name] : undefined))))
    }
    file.close()
  } catch (error) {
    file?.discard()
    throw new Error(`${path} cannot be written. Its rows are in ${kept}, one JSON object a line`, { cause: error })
  }
  unlinkSync(kept)
}

const CHUNK_BYTES = 65_536

/** Reads the lines of a file, a chunk at a time. It is synchronous, because outputs are closed at exit. */
function* readLines(path: string): Generator<string, void> {
  const file = openSync(path, 'r')
  try {
    const chunk = Buffer.alloc(CHUNK_BYTES)
    let begun: Buffer[] = []
    for (let length = readSync(file, chunk); length > 0; length = readSync(file, chunk)) {
      let from = 0
      for (let end = chunk.indexOf('\n'); end >= 0 && end < length; end = chunk.indexOf('\n', from)) {
        yield Buffer.concat([...begun, chunk.subarray(from, end)]).toString()
        begun = []
        from = end + 1
      }
      begun.push(Buffer.from(chunk.subarray(from, length)))
    }
  } finally {
    closeSync(file)
  }
}

/** Maximum number of columns: as many as Excel has. It bounds the memory for sites that name fields at random. */
const MAX_COLUMNS = 16_384

/** Columns of a table whose rows come one by one. */
export class CsvColumns {
  readonly #names: string[] = []
  readonly #known = new Set<string>()
  /** Number of values whose field has no column any more. */
  left = 0

  /** Adds the fields of a row. A new one comes after the field that is before it in the row. */
  add(row: ListRow): void {
    const fields = Object.keys(row)
    if (fields.every((name) => this.#known.has(name))) return
    let at = 0
    for (const name of fields) {
      if (this.#known.has(name)) at = this.#names.indexOf(name) + 1
      else if (this.#names.length < MAX_COLUMNS) {
        this.#names.splice(at, 0, name)
        this.#known.add(name)
        at += 1
      } else this.left += 1
    }
  }

  get names(): readonly string[] {
    return this.#names
  }
}

type CsvValue = ListRow[string] | undefined

/** Separates the values of one cell. */
const SEPARATOR = ' | '

/** Formats a record of CSV, with its line break. @see https://www.rfc-editor.org/rfc/rfc4180 */
export const printRecord = (values: readonly CsvValue[]): string => `${values.map(printCell).join(',')}\r\n`

function printCell(value: CsvValue): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = disarm(Array.isArray(value) ? value.join(SEPARATOR) : (value ?? ''))
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * Puts an apostrophe before a text that a spreadsheet could run as a formula: also if its sign is written in another form, or
 * after characters that nobody sees, which some programs drop. A number with a sign is none.
 *
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
const disarm = (text: string): string =>
  /^\p{Default_Ignorable_Code_Point}*[=+\-@＝＋－＠\u2212\ufe62\ufe63\ufe66\ufe6b\t\r\n]/u.test(text) &&
  !/^[+\-\u2212][\d.,]+$/.test(text)
    ? `'${text}`
    : text
