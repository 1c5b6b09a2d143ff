import { closeSync, openSync, readSync } from 'node:fs'
import { parseJson } from '../text/parse-json.js'

/** Line of the `index.ndjson` of a folder of pages. */
export interface IndexedFile {
  readonly url: string
  readonly file: string
  readonly metadata?: { readonly statusCode?: number; readonly contentType?: string }
  /** The file that the page itself is. */
  readonly original?: unknown
}

/** Bytes that {@link readIndexNow} reads at once. */
const CHUNK_BYTES = 1 << 20

/**
 * Reads the lines of an `index.ndjson` synchronously, for the end of an output, and one at a time, as it may be larger than memory. It
 * ends before a damaged line: what follows is not known. Lines without a URL and a file are left out.
 */
export function* readIndexNow(index: string): Generator<IndexedFile, void, void> {
  const file = openSync(index, 'r')
  try {
    const decoder = new TextDecoder()
    const buffer = Buffer.alloc(CHUNK_BYTES)
    let begun: string[] = []
    for (let length = 1; length > 0;) {
      length = readSync(file, buffer, 0, CHUNK_BYTES, null)
      const [first = '', ...others] =
        `${decoder.decode(buffer.subarray(0, length), { stream: true })}${length === 0 ? '\n' : ''}`.split('\n')
      begun.push(first)
      for (const next of others) {
        const line = parseLine(begun.join(''))
        if (line === undefined) return
        if (line !== null && typeof line.url === 'string' && typeof line.file === 'string') yield line
        begun = [next]
      }
    }
  } finally {
    closeSync(file)
  }
}

/** Parses a line: null for an empty one, undefined for a damaged one. */
function parseLine(text: string): IndexedFile | null | undefined {
  if (text.trim() === '') return null
  try {
    return parseJson(text) as IndexedFile | null
  } catch {
    return undefined
  }
}
