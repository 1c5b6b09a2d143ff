import { promisify } from 'node:util'
import { deflateRaw } from 'node:zlib'

const compress = promisify(deflateRaw)

/** Length of the JSON after which a block is written. Characters. */
const BLOCK_LENGTH = 200_000

/** Kind of a block: stories of rows, or contents of pages. It begins the id of its element. */
type BlockKind = 'row' | 'page'

/**
 * Writes values in compressed blocks, each an element of the report. The browser decompresses a block when it shows one of
 * its values, so that opening a report takes no time for the contents of its pages.
 */
export class StoryBlocks {
  readonly #kind: BlockKind
  readonly #append: (text: string) => Promise<void>
  readonly #itemsPerBlock: number
  #items: string[] = []
  #length = 0
  #blocks = 0

  /** @param itemsPerBlock exact number, if the place of an item follows from its number. @default as many as fit */
  constructor(kind: BlockKind, append: (text: string) => Promise<void>, itemsPerBlock = 0) {
    this.#kind = kind
    this.#append = append
    this.#itemsPerBlock = itemsPerBlock
  }

  /** Adds a value. @returns its place */
  async add(value: unknown): Promise<{ readonly block: number; readonly place: number }> {
    const item = JSON.stringify(value)
    const position = { block: this.#blocks, place: this.#items.push(item) - 1 }
    this.#length += item.length
    const isFull = this.#itemsPerBlock === 0 ? this.#length >= BLOCK_LENGTH : this.#items.length === this.#itemsPerBlock
    if (isFull) await this.end()
    return position
  }

  /** Writes the values of the last block. */
  async end(): Promise<void> {
    if (this.#items.length === 0) return
    const id = `${this.#kind}-${this.#blocks}`
    const json = `[${this.#items.join(',')}]`
    this.#items = []
    this.#length = 0
    this.#blocks += 1
    const packed = await compress(json)
    await this.#append(`<script type="application/json" id="${id}">${packed.toString('base64')}</script>\n`)
  }
}
