import { randomUUID } from 'node:crypto'
import { closeSync, ftruncateSync, mkdirSync, openSync, renameSync, unlinkSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** File of JSON values, one per line. */
export interface LineFile {
  /** Appends a value. @throws Error of the file system, after removing what was written of the line */
  add(value: unknown): void
  /** Renames the file to its final name, or deletes it when it is empty; further calls do nothing. */
  close(): void
}

/**
 * Opens a file that gets its final name when it is closed. Until then it is called `<path>.<random>.partial`, and a
 * file with the final name stays untouched. The random name prevents attacks with prepared links.
 *
 * Lines are written synchronously: no signal can interrupt a write, so a line is complete or absent.
 */
export function openLineFile(path: string): LineFile {
  mkdirSync(dirname(path), { recursive: true })
  const partial = `${path}.${randomUUID()}.partial`
  const file = openSync(partial, 'wx')
  let isOpen = true
  let length = 0
  return {
    add: (value) => {
      const line = Buffer.from(`${JSON.stringify(value)}\n`)
      try {
        // `writeSync` may write only a part of the line.
        for (let written = 0; written < line.length;) written += writeSync(file, line, written)
      } catch (error) {
        // For example, the disk is full.
        ftruncateSync(file, length)
        throw error
      }
      length += line.length
    },
    close: () => {
      if (!isOpen) return
      isOpen = false
      closeSync(file)
      if (length === 0) unlinkSync(partial)
      else renameSync(partial, path)
    },
  }
}
