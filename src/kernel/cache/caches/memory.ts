import { LRUCache } from 'lru-cache'
import { CompressedBlocks, CompressedPart } from '../../../base/collections/compressed-blocks.js'
import { PassingMap } from '../../../base/concurrency/passing-map.js'
import type { FetchedPage } from '../../fetch/fetched-page.js'
import { numberInRange, checkOptions } from '../../../base/runtime/check-options.js'
import type { PageCache } from '../cache.js'

/** Estimated size of a stored page without its body: headers and the entry itself. Bytes. */
const OVERHEAD_BYTES = 2048

/**
 * Every page is compressed, and few are read again. Level 0 makes an eighth of pages of javadoc, in 0.04 ms for each of
 * 25 KiB; level 3 a tenth in 0.16 ms.
 */
const LEVEL = 0

/**
 * Total size of bodies that are compressed together. Bytes. Blocks of 512 KiB make a hundredth less of pages of
 * documentation, but each page that is read inflates its block, in 0.5 ms in place of 1 ms.
 */
const BLOCK_BYTES = 256 * 1024

/** Share of the cache that a block may take, so that a small cache holds many. */
const MAX_BLOCK_SHARE = 1 / 16

/** Share of the cache that dropped bodies may take before what is left of their blocks is compressed again. */
const MAX_DROPPED_SHARE = 1 / 8

/** Options of {@link memoryCache}. */
export interface MemoryCacheOptions {
  /**
   * Maximum size in memory, of compressed pages; up to a ninth more while pages are replaced. Bytes. @default 16777216 (16 MiB)
   */
  readonly maxBytes?: number
}

/**
 * Makes a cache in the memory of this process. Bodies are compressed, which makes a fifth to a tenth of pages of one
 * site. The least recently used pages are evicted first. A page that compressed is larger than `maxBytes`, less at
 * most 320 KiB for reading, is not stored.
 *
 * @throws TypeError for options that are not allowed
 * @example createEngine({ cache: memoryCache({ maxBytes: 128 * 1024 * 1024 }) })
 */
export function memoryCache(options: MemoryCacheOptions = {}): PageCache {
  checkOptions('memoryCache', options, { maxBytes: numberInRange('bytes', 1, Number.MAX_SAFE_INTEGER) })
  const { maxBytes = 16 * 1024 * 1024 } = options
  const pages = new CompressedPages(Math.floor(maxBytes))
  return {
    get: pages.get.bind(pages),
    set: pages.set.bind(pages),
    delete: pages.delete.bind(pages),
    close: pages.close.bind(pages),
  }
}

interface CachedPage<Body = Uint8Array | CompressedPart> {
  readonly facts: Omit<FetchedPage, 'body'>
  /** The bytes themselves while they wait to be compressed. */
  readonly body: Body
}

/**
 * Cache of pages with compressed bodies. Pages are stored and deleted one after the other, so that only one block is
 * being compressed at a time. A page counts from the end of its `set`; until then its caller holds it.
 */
export class CompressedPages implements PageCache {
  readonly #maxBytes: number
  readonly #blockBytes: number
  readonly #blocks: CompressedBlocks
  /** The pages in order of use, each with its size without a compressed body. */
  readonly #pages: LRUCache<string, CachedPage>
  /** Pages whose bodies are not compressed yet. */
  readonly #waiting = new PassingMap<string, CachedPage<Uint8Array>>()
  #waitingBytes = 0
  #turn: Promise<void> = Promise.resolve()

  constructor(maxBytes: number) {
    this.#blockBytes = Math.min(BLOCK_BYTES, maxBytes * MAX_BLOCK_SHARE)
    // The rest is for the block that was read last: the last body of a block may exceed its size by a quarter.
    this.#maxBytes = maxBytes - this.#blockBytes * 1.25
    this.#blocks = new CompressedBlocks({ level: LEVEL, blockBytes: this.#blockBytes })
    this.#pages = new LRUCache<string, CachedPage>({
      maxSize: Number.MAX_SAFE_INTEGER,
      sizeCalculation: sizeWithoutBlock,
      dispose: (page, key) => this.#forget(page, key),
    })
  }

  /** Size of all that the cache holds: pages, compressed blocks, and the block that was read last. Bytes. */
  get heldBytes(): number {
    return this.#pages.calculatedSize + this.#blocks.storedBytes + this.#blocks.openBytes
  }

  async get(key: string): Promise<FetchedPage | undefined> {
    const page = this.#pages.get(key)
    if (page === undefined) return undefined
    const { facts, body } = page
    return { ...facts, body: body instanceof CompressedPart ? new Uint8Array(await body.read()) : body }
  }

  /** Stores a page. It resolves when the page has its size: large bodies are compressed before. */
  set(key: string, page: FetchedPage): Promise<void> {
    return this.#inTurn(async () => {
      await this.#store(key, page)
      await this.#evict()
    })
  }

  delete(key: string): Promise<void> {
    return this.#inTurn(async () => void this.#pages.delete(key))
  }

  close(): Promise<void> {
    return this.#inTurn(async () => {
      this.#pages.clear()
      this.#blocks.close()
    })
  }

  #inTurn(task: () => Promise<void>): Promise<void> {
    const run = this.#turn.then(task)
    this.#turn = run.catch(() => undefined)
    return run
  }

  async #store(key: string, { body, ...facts }: FetchedPage): Promise<void> {
    // A copy of just the page's bytes: a view would keep the whole buffer behind it alive, uncounted.
    if (body.length < this.#blockBytes / 4) {
      const page = { facts, body: new Uint8Array(body) }
      if (!this.#add(key, page)) return
      this.#waiting.set(key, page)
      this.#waitingBytes += body.length
      if (this.#waitingBytes >= this.#blockBytes) await this.#compressWaiting()
    } else {
      const [compressed = new Uint8Array(body)] = await this.#compress([body])
      this.#add(key, { facts, body: compressed })
    }
  }

  /** @returns false for a page that is too large, which is dropped with its predecessor */
  #add(key: string, page: CachedPage): boolean {
    const size = sizeWithoutBlock(page, key) + (page.body instanceof CompressedPart ? page.body.size : 0)
    const isSmallEnough = size <= this.#maxBytes
    if (isSmallEnough) this.#pages.set(key, page)
    else {
      this.#pages.delete(key)
      this.#forget(page, key)
    }
    return isSmallEnough
  }

  async #compressWaiting(): Promise<void> {
    const waiting = Array.from(this.#waiting)
    this.#waiting.clear()
    this.#waitingBytes = 0
    const parts = await this.#compress(waiting.map(([, { body }]) => body))
    for (const [at, [key, { facts }]] of waiting.entries()) {
      const body = parts[at]
      if (body !== undefined) this.#pages.set(key, { facts, body })
    }
  }

  /** Evicts pages until the others fit. Blocks that keep few of their pages are compressed again before. */
  async #evict(): Promise<void> {
    while (this.#pages.size > 0 && this.#pages.calculatedSize + this.#blocks.storedBytes > this.#maxBytes) {
      const isSparse = this.#blocks.droppedBytes > this.#maxBytes * MAX_DROPPED_SHARE
      if (isSparse && (await this.#blocks.repack().catch(() => false))) continue
      this.#pages.pop()
    }
  }

  /** Compresses bodies. @returns nothing where that fails: the bodies stay as they are */
  async #compress(bodies: readonly Uint8Array[]): Promise<readonly CompressedPart[]> {
    return this.#blocks.write(bodies).catch(() => [])
  }

  #forget(page: CachedPage, key: string): void {
    if (page.body instanceof CompressedPart) page.body.drop()
    else if (this.#waiting.get(key) === page) {
      this.#waiting.delete(key)
      this.#waitingBytes -= page.body.length
    }
  }
}

const sizeWithoutBlock = ({ facts, body }: CachedPage, key: string): number =>
  (body instanceof CompressedPart ? 0 : body.length) +
  (facts.captures?.screenshot?.bytes.byteLength ?? 0) +
  2 * key.length +
  OVERHEAD_BYTES
