import { randomUUID } from 'node:crypto'
import { closeSync, ftruncateSync, mkdirSync, openSync, renameSync, unlinkSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** A file of JSON values, one a line. */
export interface LineFile {
  add(value: unknown): void
  /** Gives the file its name, or takes it away when it has no line; calling it again does nothing. */
  close(): void
}

/**
 * Opens a file that has its name only when it is closed: until then it is called `<path>.<random>.partial`, and what
 * stood under the name before is still there. Nobody can have laid a link under a random name.
 *
 * Lines are written synchronously: no signal comes in between, so that a line is there whole or not at all.
 */
export function openLines(path: string): LineFile {
  mkdirSync(dirname(path), { recursive: true })
  const partial = `${path}.${randomUUID()}.partial`
  const file = openSync(partial, 'wx')
  let isOpen = true
  let length = 0
  return {
    add: (value) => {
      const line = Buffer.from(`${JSON.stringify(value)}\n`)
      try {
        // A write may take less than it is given.
        for (let written = 0; written < line.length;) written += writeSync(file, line, written)
      } catch (error) {
        // The disk is full, most likely: the lines before stay whole.
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
