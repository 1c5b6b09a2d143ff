import type { PageBlocks } from '../../../features/boilerplate/repeated-block.js'
import { parseJson } from '../../../base/text/parse-json.js'

/** Note about an ended page, stored for a job that resumes in another process. */
interface PageNote {
  /** Plain data for the strategy's `restore`. */
  readonly page?: unknown
  /** Blocks of the page, as a sample for boilerplate. */
  readonly blocks?: PageBlocks | undefined
  /** Facts that it has for other pages, by the types of their formats. */
  readonly [format: string]: unknown
}

/** Serializes a note; undefined when it is empty. */
export function writeNote({ page, blocks, ...told }: PageNote): string | undefined {
  if (page === undefined && blocks === undefined && Object.keys(told).length === 0) return undefined
  // Base64 takes half the size of decimal digits.
  const packed = blocks && {
    whole: blocks.whole,
    hashes: Buffer.from(blocks.hashes.buffer, blocks.hashes.byteOffset, blocks.hashes.byteLength).toString('base64'),
  }
  return JSON.stringify({ page, blocks: packed, ...told })
}

interface StoredNote {
  page?: unknown
  blocks?: { whole: number; hashes: string }
}

export function readNote(text: string): PageNote {
  const { page, blocks, ...told } = parseJson(text) as StoredNote
  return { ...(page !== undefined && { page }), ...(blocks && { blocks: unpack(blocks) }), ...told }
}

function unpack({ whole, hashes }: { whole: number; hashes: string }): PageBlocks {
  const bytes = Buffer.from(hashes, 'base64')
  const numbers = new Float64Array(bytes.byteLength / Float64Array.BYTES_PER_ELEMENT)
  new Uint8Array(numbers.buffer).set(bytes)
  return { whole, hashes: numbers }
}
