import { openPartialFile, type OpenFile } from './partial-file.js'

/** File of JSON values, one per line. */
interface LineFile extends OpenFile {
  /** Appends a value. @throws Error of the file system, after removing what was written of the line */
  add(value: unknown): void
}

/** Opens a file of lines, which gets its final name when it is closed: see {@link openPartialFile}. */
export function openLineFile(path: string): LineFile {
  const { append, ...file } = openPartialFile(path)
  return { ...file, add: (value) => append(`${JSON.stringify(value)}\n`) }
}
