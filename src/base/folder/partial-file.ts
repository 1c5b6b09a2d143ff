import { randomUUID } from 'node:crypto'
import {
  closeSync,
  fchmodSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { makeFolderNow } from './make-folder-now.js'

/** File that is being written. */
export interface PartialFile extends OpenFile {
  /** Appends a text. @throws Error of the file system, after removing what was written of the text */
  append(text: string): void
}

/** A file until it has its final name. */
export interface OpenFile {
  /** Path that it has until it is closed. */
  readonly path: string
  /** Renames the file to its final name, or deletes it when it is empty; further calls do nothing. */
  close(): void
  /** Deletes the file, unless it has its final name. */
  discard(): void
  /** Leaves the file to a later process, under a name without the number of this one. */
  leave(): void
}

/**
 * Opens a file that gets its final name when it is closed. Until then it is called `<path>.<process>.<random>.partial`, and a
 * file with the final name stays untouched. The random name prevents attacks with prepared links; the number of the process tells a file
 * that a killed one has left. A file that is replaced keeps its permissions, and a link its target: see {@link findTarget}.
 *
 * Texts are written synchronously: no signal can interrupt a write, so a text is complete or absent.
 *
 * @throws NoFileError if the path is no file that can be replaced; Error of the file system
 */
export function openPartialFile(path: string): PartialFile {
  makeFolderNow(dirname(path))
  const target = findTarget(path)
  const id = randomUUID()
  const partial = nameBeside(target.path, `${process.pid}.${id}.partial`)
  const file = openSync(partial, 'wx', target.mode)
  // The mode above is without what the umask takes away.
  if (target.mode !== undefined) fchmodSync(file, target.mode)
  let isOpen = true
  let length = 0
  /** Closes the file. @returns false when it was closed before */
  const end = (): boolean => {
    if (!isOpen) return false
    isOpen = false
    closeSync(file)
    return true
  }
  return {
    path: partial,
    append: (text) => {
      const bytes = Buffer.from(text)
      try {
        // `writeSync` may write only a part.
        for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written)
      } catch (error) {
        // For example, the disk is full.
        ftruncateSync(file, length)
        throw error
      }
      length += bytes.length
    },
    close: () => {
      if (!end()) return
      if (length === 0) unlinkSync(partial)
      else renameSync(partial, target.path)
    },
    discard: () => {
      end()
      rmSync(partial, { force: true })
    },
    leave: () => {
      end()
      renameSync(partial, nameBeside(target.path, `${id}.partial`))
    },
  }
}

/** Thrown for a path that is no file that can be replaced. */
export class NoFileError extends Error {}

/** File that an output is written to. */
interface OutputTarget {
  /** Path of the file: for a symbolic link, that of its target. */
  readonly path: string
  /** Permissions of the file that is replaced; undefined if it is new. */
  readonly mode: number | undefined
}

/**
 * Finds the file that an output is written to. A symbolic link is followed only if it belongs to the owner of its target: in a shared
 * folder, another user may have prepared it.
 *
 * @throws NoFileError if the path is no file that can be replaced, such as a device
 */
export function findTarget(path: string): OutputTarget {
  const link = lstatSync(path, { throwIfNoEntry: false })
  const isLink = link?.isSymbolicLink() === true
  const target = isLink ? readLink(path) : path
  const found = statSync(target, { throwIfNoEntry: false })
  if (found?.isFile() === false) throw new NoFileError(`${path} is not a file that can be replaced`)
  if (isLink && (found ?? statSync(dirname(target))).uid !== link.uid)
    throw new NoFileError(`${path} is a link to a file of another user: name ${target} itself`)
  return { path: target, mode: found && found.mode & 0o777 }
}

/** Returns the path that a symbolic link leads to, which may not exist. */
function readLink(path: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return resolve(realpathSync(dirname(path)), readlinkSync(path))
  }
}

/** Characters of a name that its temporary name begins with: with an id, it is no longer than the 255 bytes that names may have. */
export const KEPT_CHARACTERS = 40

/** Creates the name of a temporary file beside a file. */
export const nameBeside = (path: string, suffix: string): string =>
  join(dirname(path), `${basename(path).slice(0, KEPT_CHARACTERS)}.${suffix}`)
