import { parseJson } from '../../base/text/parse-json.js'

/** Blocks that are kept decompressed. */
const MAX_BLOCKS = 8

/** Reads values out of the compressed blocks of the report. */
export class StoryReader {
  readonly #blocks = new Map<string, Promise<readonly unknown[]>>()

  /** Reads a value. @throws Error for one that the file does not have */
  async read(kind: 'row' | 'page', block: number, place: number): Promise<unknown> {
    const id = `${kind}-${block}`
    const known = this.#blocks.get(id) ?? readBlock(id)
    // The newest one is last.
    this.#blocks.delete(id)
    this.#blocks.set(id, known)
    const [oldest] = this.#blocks.keys()
    if (this.#blocks.size > MAX_BLOCKS && oldest !== undefined) this.#blocks.delete(oldest)
    return (await known)[place]
  }
}

async function readBlock(id: string): Promise<readonly unknown[]> {
  const element = await findElement(id)
  const bytes = Uint8Array.from(atob(element.textContent), (character) => character.charCodeAt(0))
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  return parseJson(await new Response(plain).text()) as readonly unknown[]
}

/** Finds the element of a block. While the file is read, its last element may lack a part of its text. */
async function findElement(id: string): Promise<Element> {
  if (document.readyState === 'loading' && !document.getElementById(id)?.nextElementSibling) {
    await new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve, { once: true }))
  }
  const found = document.getElementById(id)
  if (!found) throw new Error(`this file is not complete: it has no block ${id}`)
  return found
}
