/** Hashes of the blocks of a page's content, for comparison with other pages. Plain data, at most 2 KB. */
export interface PageBlocks {
  /** Hash of the whole content, equal for two pages with the same content. */
  readonly whole: number
  /**
   * A hash for each block that may repeat, in document order: 52 bits of its text, structure and ancestors. It is
   * negative if other blocks have the same tag names and classes, as paragraphs do.
   */
  readonly hashes: Float64Array
  /**
   * 0 for each of `hashes` whose block is kept although it repeats, because it is short, a heading, or has code. Absent
   * if the page has further blocks without a hash here.
   */
  readonly droppable?: Uint8Array
}

/** Blocks that repeat on other pages of the site and are therefore boilerplate. */
export interface LearntBlocks {
  /** Reason for dropping them, for the trace: `repeats on 5 of 6 pages of /docs/*`. */
  readonly reason: string
  /**
   * Hashes as in {@link PageBlocks}. A block with a negative hash is dropped only at the start or end of the content.
   */
  readonly hashes: Float64Array
}

/**
 * Returns false if the page keeps all of these blocks: its document is then the same with and without them. One in four
 * pages of a javadoc site has such a block, such as the name of its module.
 */
export function mayDrop({ hashes, droppable }: PageBlocks, learnt: readonly LearntBlocks[]): boolean {
  if (!droppable) return true
  const own = new Set(Array.from(hashes, Math.abs).filter((_, at) => droppable[at] !== 0))
  return learnt.some((part) => part.hashes.some((hash) => own.has(Math.abs(hash))))
}

/** {@link PageBlocks} as JSON has them, in which arrays take half the size as Base64. A stored job has them in its notes. */
export interface PackedBlocks {
  readonly whole: number
  readonly hashes: string
  readonly droppable?: string
}

export const packBlocks = ({ whole, hashes, droppable }: PageBlocks): PackedBlocks => ({
  whole,
  hashes: toBase64(hashes),
  droppable: droppable && toBase64(droppable),
})

export function unpackBlocks({ whole, hashes, droppable }: PackedBlocks): PageBlocks {
  const bytes = Buffer.from(hashes, 'base64')
  const numbers = new Float64Array(bytes.byteLength / Float64Array.BYTES_PER_ELEMENT)
  new Uint8Array(numbers.buffer).set(bytes)
  return {
    whole,
    hashes: numbers,
    droppable: droppable === undefined ? undefined : new Uint8Array(Buffer.from(droppable, 'base64')),
  }
}

const toBase64 = ({ buffer, byteOffset, byteLength }: Float64Array | Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64')
