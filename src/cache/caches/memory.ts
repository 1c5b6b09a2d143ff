import { LRUCache } from 'lru-cache'
import { CompressedBlocks, CompressedPart } from '../../collections/compressed-blocks.js'
import type { FetchedPage } from '../../fetch/fetched-page.js'
import { numberInRange, checkOptions } from '../../runtime/check-options.js'
import type { PageCache } from '../cache.js'

/** Estimated size of a stored page without its body: headers and the entry itself. Bytes. */
const OVERHEAD_BYTES = 2048

/**
 * Every page is compressed, and few are read again. Level 0 makes an eighth of pages of javadoc, in 0.04 ms for each of
 * 25 KiB; level 3 a tenth in 0.16 ms.
 */
const LEVEL = 0

/** Total size of bodies that are compressed together. Bytes. */
const BLOCK_BYTES = 512 * 1024

/**
 * Makes a cache in the memory of this process. Bodies are compressed, which makes a fifth to a tenth of pages of one
 * site. The least recently used pages are evicted first.
 *
 * @param options.maxBytes maximum size, compressed. @default 16777216 (16 MiB)
 * @throws TypeError for options that are not allowed
 * @example createEngine({ cache: memoryCache({ maxBytes: 128 * 1024 * 1024 }) })
 */
export function memoryCache(options: { maxBytes?: number } = {}): PageCache {
  checkOptions('memoryCache', options, { maxBytes: numberInRange('bytes', 1, Number.MAX_SAFE_INTEGER) })
  const { maxBytes = 16 * 1024 * 1024 } = options
  const pages = new CompressedPages(Math.floor(maxBytes))
  return {
    get: (key) => pages.get(key),
    set: async (key, page) => pages.set(key, page),
    delete: async (key) => pages.delete(key),
    close: async () => pages.clear(),
  }
}

interface CachedPage<Body = Uint8Array | CompressedPart> {
  readonly facts: Omit<FetchedPage, 'body'>
  readonly body: Body
}

class CompressedPages {
  readonly #blocks = new CompressedBlocks(LEVEL)
  readonly #pages: LRUCache<string, CachedPage>
  /** Pages whose bodies are not compressed yet. */
  readonly #recent = new Map<string, CachedPage<Uint8Array>>()
  #recentBytes = 0

  constructor(maxBytes: number) {
    this.#pages = new LRUCache<string, CachedPage>({
      maxSize: maxBytes,
      sizeCalculation: (page, key) => Math.ceil(sizeOf(page) + 2 * key.length + OVERHEAD_BYTES),
      dispose: (page, key) => this.#forget(page, key),
    })
  }

  async get(key: string): Promise<FetchedPage | undefined> {
    const page = this.#pages.get(key)
    if (page === undefined) return undefined
    const { facts, body } = page
    return { ...facts, body: body instanceof CompressedPart ? new Uint8Array(await body.read()) : body }
  }

  set(key: string, { body, ...facts }: FetchedPage): void {
    // A copy of just the page's bytes: a view would keep the whole buffer behind it alive, uncounted.
    const page = { facts, body: new Uint8Array(body) }
    this.#pages.set(key, page)
    if (this.#pages.peek(key) !== page) return
    this.#recent.set(key, page)
    this.#recentBytes += body.length
    // A page that cannot be compressed stays as it is.
    if (this.#recentBytes >= BLOCK_BYTES) this.#compressRecent().catch(() => undefined)
  }

  delete(key: string): void {
    this.#pages.delete(key)
  }

  clear(): void {
    this.#pages.clear()
    this.#blocks.close()
  }

  async #compressRecent(): Promise<void> {
    const recent = Array.from(this.#recent)
    this.#recent.clear()
    this.#recentBytes = 0
    const parts = await this.#blocks.write(recent.map(([, { body }]) => body))
    for (const [at, [key, page]] of recent.entries()) {
      const part = parts[at]
      if (part === undefined) continue
      // It may have been evicted or replaced in the meantime, and images do not become smaller.
      if (this.#pages.peek(key) !== page || part.size > page.body.length) part.drop()
      else this.#pages.set(key, { facts: page.facts, body: part })
    }
  }

  #forget(page: CachedPage, key: string): void {
    if (page.body instanceof CompressedPart) page.body.drop()
    else if (this.#recent.get(key) === page) {
      this.#recent.delete(key)
      this.#recentBytes -= page.body.length
    }
  }
}

const sizeOf = ({ facts, body }: CachedPage): number =>
  (body instanceof CompressedPart ? body.size : body.length) + (facts.captures?.screenshot?.bytes.byteLength ?? 0)
