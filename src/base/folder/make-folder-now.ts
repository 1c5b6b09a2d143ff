import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a folder, and its parents if they are missing. It is synchronous because outputs of commands are.
 *
 * `mkdirSync` with `recursive` never returns where a file system says of a new folder that its parent is missing, which exists: below
 * `/proc`, for example. No signal ends the process then.
 *
 * @throws Error of the file system
 */
export function makeFolderNow(path: string): void {
  let error = tryMake(path)
  if (error?.code === 'ENOENT' && dirname(path) !== path) {
    makeFolderNow(dirname(path))
    error = tryMake(path)
  }
  if (error && !statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error
}

/** Creates one folder. @returns the error of the file system */
function tryMake(path: string): NodeJS.ErrnoException | undefined {
  try {
    mkdirSync(path)
    return undefined
  } catch (error) {
    return error as NodeJS.ErrnoException
  }
}
