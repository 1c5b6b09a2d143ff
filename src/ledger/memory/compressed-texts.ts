import { CompressedBlocks } from '../../collections/compressed-blocks.js'
import { BATCH_BYTES, type StoredText, type TextStorage } from './text-storage.js'

/** Documents are kept as long as their job, so that a little more time is worth it. */
const LEVEL = 3

/** Texts that are compressed in memory. */
export class CompressedTexts implements TextStorage {
  readonly #blocks = new CompressedBlocks({ level: LEVEL, blockBytes: BATCH_BYTES })

  async write(texts: readonly string[]): Promise<readonly StoredText[]> {
    const parts = await this.#blocks.write(texts.map((text) => Buffer.from(text)))
    return parts.map((part) => ({
      read: async () => Buffer.from(await part.read()).toString(),
      drop: () => part.drop(),
    }))
  }

  async close(): Promise<void> {
    this.#blocks.close()
  }
}
