import { createReadStream } from 'node:fs'
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
