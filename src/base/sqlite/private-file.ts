import { closeSync, existsSync, openSync, realpathSync, statSync } from 'node:fs'

/** File mode: readable and writable by the owner only. */
const OWNER_ONLY_MODE = 0o600

/** Creates a file that only its owner can read, unless it exists. @throws Error that says so where its folder is missing */
export function createPrivateFile(file: string): void {
  try {
    // An existing file is not opened: closing it would release all POSIX locks that this process has on it.
    closeSync(openSync(file, 'wx', OWNER_ONLY_MODE))
  } catch (error) {
    if (existsSync(file)) return
    // A file that is to be created is missing only where its folder is.
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (isMissing) throw new Error('its folder does not exist: create it first', { cause: error })
    throw error
  }
}

/** Tests for a file or a folder. A library of SQLite may create a missing file even if it is told to read only. */
export const hasFile = (file: string): boolean => existsSync(file)

/** Returns the place of an open file: its path may be relative or a link, and the host may change its working directory meanwhile. */
export const placeOf = (file: string): string => (existsSync(file) ? realpathSync(file) : file)

/**
 * Returns a test whether a path still leads to the file that it leads to now. What is written to a file that was deleted or replaced is
 * lost without an error. A look at it takes some microseconds.
 */
export function followFile(file: string): () => boolean {
  const path = placeOf(file)
  const identify = (): string | undefined => {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false })
    return found && `${found.dev} ${found.ino}`
  }
  const opened = identify()
  return () => {
    try {
      return identify() === opened
    } catch {
      // The folder is not readable to this process any more: the open file is used.
      return true
    }
  }
}

/** Returns the size of the write-ahead log of a file. @param file its place, where the log is as well @returns bytes; 0 if there is none */
export function readLogSize(file: string): number {
  try {
    return statSync(`${file}-wal`).size
  } catch {
    return 0
  }
}
