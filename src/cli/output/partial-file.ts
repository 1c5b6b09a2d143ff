import { randomUUID } from 'node:crypto'
import { closeSync, fchmodSync, ftruncateSync, openSync, renameSync, rmSync, unlinkSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '../make-folder.js'
import { findTarget, nameBeside } from './find-target.js'

/** File that is being written. */
export interface PartialFile {
  /** Appends a text. @throws Error of the file system, after removing what was written of the text */
  append(text: string): void
  /** Renames the file to its final name, or deletes it when it is empty; further calls do nothing. */
  close(): void
  /** Deletes the file, unless it has its final name. */
  discard(): void
}

/**
 * Opens a file that gets its final name when it is closed. Until then it is called `<path>.<random>.partial`, and a
 * file with the final name stays untouched. The random name prevents attacks with prepared links. A file that is replaced keeps its
 * permissions, and a link its target: see {@link findTarget}.
 *
 * Texts are written synchronously: no signal can interrupt a write, so a text is complete or absent.
 *
 * @throws UsageError if the path is no file that can be replaced; Error of the file system
 */
export function openPartialFile(path: string): PartialFile {
  makeFolder(dirname(path))
  const target = findTarget(path)
  const partial = nameBeside(target.path, `${randomUUID()}.partial`)
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
  }
}
