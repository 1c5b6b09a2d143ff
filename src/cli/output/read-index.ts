import { closeSync, createReadStream, openSync, readSync } from 'node:fs'
import type { Document } from '../../index.js'

/** Line of the `index.ndjson` of a folder: a document without its Markdown, and the file that has it. */
export interface IndexLine extends Document {
  readonly url: string
  readonly file: string
}

/** Reads the lines of an `index.ndjson`. @throws SyntaxError for a damaged one */
export async function* readIndex(index: string): AsyncGenerator<IndexLine, void, void> {
  for await (const line of readLines(index)) if (line.trim() !== '') yield JSON.parse(line) as IndexLine
}

/** Reads the lines of a file. `node:readline` of Node 24 ends lines at U+2028 and U+2029 too, which JSON has within texts. */
async function* readLines(path: string): AsyncGenerator<string, void, void> {
  let begun: string[] = []
  for await (const chunk of createReadStream(path, 'utf8') as AsyncIterable<string>) {
    const [first = '', ...others] = chunk.split('\n')
    begun.push(first)
    for (const next of others) {
      yield begun.join('')
      begun = [next]
    }
  }
  yield begun.join('')
}

/** Bytes that {@link readIndexNow} reads at once. */
const CHUNK_BYTES = 1 << 20

/**
 * Reads the lines of an `index.ndjson` synchronously, for the end of an output, and one at a time, as it may be larger than memory. It
 * ends before a damaged line: what follows is not known. Lines without a URL and a file are left out.
 */
export function* readIndexNow(index: string): Generator<IndexLine, void, void> {
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
function parseLine(text: string): IndexLine | null | undefined {
  if (text.trim() === '') return null
  try {
    return JSON.parse(text) as IndexLine | null
  } catch {
    return undefined
  }
}
