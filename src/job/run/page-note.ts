import type { PageBlocks } from '../../extract/repeats/repeated-block.js'
import { parseJson } from '../../text/parse-json.js'

/** What a job notes of a page that has ended, for when it goes on in another process. */
export interface PageNote {
  /** What its strategy wants to know again: plain data. */
  readonly page?: unknown
  /** What the page teaches about boilerplate. */
  readonly blocks?: PageBlocks | undefined
}

/** The note as a text; undefined when there is nothing to note. */
export function writeNote({ page, blocks }: PageNote): string | undefined {
  if (page === undefined && blocks === undefined) return undefined
  // A number as text would take up twice the room.
  const packed = blocks && {
    whole: blocks.whole,
    hashes: Buffer.from(blocks.hashes.buffer, blocks.hashes.byteOffset, blocks.hashes.byteLength).toString('base64'),
  }
  return JSON.stringify({ page, blocks: packed })
}

export function readNote(text: string): PageNote {
  const { page, blocks } = parseJson(text) as { page?: unknown; blocks?: { whole: number; hashes: string } }
  return { ...(page !== undefined && { page }), ...(blocks && { blocks: unpack(blocks) }) }
}

function unpack({ whole, hashes }: { whole: number; hashes: string }): PageBlocks {
  const bytes = Buffer.from(hashes, 'base64')
  const numbers = new Float64Array(bytes.byteLength / Float64Array.BYTES_PER_ELEMENT)
  new Uint8Array(numbers.buffer).set(bytes)
  return { whole, hashes: numbers }
}
