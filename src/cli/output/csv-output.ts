import { randomUUID } from 'node:crypto'
import { closeSync, openSync, readSync, unlinkSync } from 'node:fs'
import type { ListRow } from '../../index.js'
import { CsvColumns } from './csv-columns.js'
import { openLineFile } from './line-file.js'
import type { Output } from './output.js'
import { findTarget, nameBeside, openPartialFile, type PartialFile } from './partial-file.js'
import { printRecord } from './print-csv.js'

/**
 * Opens a file of rows in CSV.
 *
 * The last row may have a further column. Rows are therefore kept in a file beside the output, one JSON object a line,
 * and written as CSV when the output is closed, when all columns are known. The memory does not grow with the rows.
 */
export function openCsv(path: string): Output<ListRow> {
  const kept = nameBeside(path, `${randomUUID()}.rows`)
  // Before anything is requested.
  findTarget(path)
  const rows = openLineFile(kept)
  const columns = new CsvColumns()
  let isOpen = true
  let isEmpty = true
  return {
    write: async (row) => {
      rows.add(row)
      columns.add(row)
      isEmpty = false
    },
    close: () => {
      if (!isOpen) return
      isOpen = false
      rows.close()
      if (!isEmpty) writeCsv(path, kept, columns.names)
    },
    destination: path,
  }
}

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
