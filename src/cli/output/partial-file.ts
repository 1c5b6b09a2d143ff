import { randomUUID } from 'node:crypto'
import { closeSync, ftruncateSync, openSync, renameSync, rmSync, unlinkSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '../make-folder.js'

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
 * file with the final name stays untouched. The random name prevents attacks with prepared links.
 *
 * Texts are written synchronously: no signal can interrupt a write, so a text is complete or absent.
 */
export function openPartialFile(path: string): PartialFile {
  makeFolder(dirname(path))
  const partial = `${path}.${randomUUID()}.partial`
  const file = openSync(partial, 'wx')
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
      else renameSync(partial, path)
    },
    discard: () => {
      end()
      rmSync(partial, { force: true })
    },
  }
}
