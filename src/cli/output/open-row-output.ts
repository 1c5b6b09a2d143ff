import type { ListRow } from '../../index.js'
import { UsageError } from '../usage-error.js'
import { openCsv } from './csv-output.js'
import { openNdjson } from './ndjson-output.js'
import { openWritable, refuseFolder } from './open-output.js'
import { type Output, STANDARD_OUTPUT } from './output.js'
import { removeLeft } from '../../base/folder/left-files.js'
import { openPartialFile } from '../../base/folder/partial-file.js'
import type { Terminal } from '../terminal/terminal.js'

/**
 * Opens the output for the rows of lists.
 *
 * @param path value of `--output`
 * @throws UsageError if the path names no possible output
 * @throws Error of the file system
 */
export function openRowOutput(path: string | undefined, terminal: Terminal): Output<ListRow> {
  if (path === undefined) {
    return {
      write: (row) => terminal.print(`${JSON.stringify(row)}\n`),
      close: () => undefined,
      destination: STANDARD_OUTPUT,
    }
  }
  const open = OPENERS.find(([extension]) => extension.test(path))?.[1]
  if (open === undefined) {
    throw new UsageError([`--output: rows need FILE.csv, FILE.ndjson or FILE.json, not ${JSON.stringify(path)}`])
  }
  refuseFolder(path)
  return openWritable(path, open)
}

/** Opens a file with a JSON array, one row per line. */
function openArray(path: string): Output<ListRow> {
  removeLeft(path)
  const file = openPartialFile(path)
  let isEmpty = true
  let isOpen = true
  return {
    write: async (row) => {
      file.append(`${isEmpty ? '[' : ','}\n${JSON.stringify(row)}`)
      isEmpty = false
    },
    close: () => {
      if (isOpen && !isEmpty) file.append('\n]\n')
      isOpen = false
      file.close()
    },
    destination: path,
  }
}

const OPENERS: readonly (readonly [RegExp, (path: string) => Output<ListRow>])[] = [
  [/\.csv$/i, openCsv],
  [/\.(ndjson|jsonl)$/i, openNdjson],
  [/\.json$/i, openArray],
]
