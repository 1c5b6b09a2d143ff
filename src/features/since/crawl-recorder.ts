import type { Store, StoredEntry } from '../../base/store/store.js'
import { updateEntry } from '../../base/store/update-entry.js'
import { headKey, type PageRecord, partKey, type RecordHead, type RecordId, seriesKey } from './crawl-record.js'
import { readHead, readJobIds } from './load-crawl.js'
import { writePart } from './record-part.js'
import { type Undelivered, withUndelivered } from './undelivered.js'

/**
 * Limits of a part: number of pages, and estimated size in bytes. A short link is estimated at a few bytes, because
 * most links occur on many pages of a part and are written once; a long link at its length.
 */
const PART_PAGES = 1000
const PART_BYTES = 1024 * 1024
const LINK_BYTES = 8
const LONG_LINK_BYTES = 300
const PAGE_BYTES = 300

/** Records kept for each start URL and tag; the oldest ones are deleted. */
export const MAX_RECORDS = 10

/**
 * Collects the record of a crawl. Parts are compressed as they fill up, so that the whole record is never in memory
 * uncompressed.
 */
export class CrawlRecorder {
  readonly #parts: StoredEntry[] = []
  #open: PageRecord[] = []
  #openBytes = 0
  #pages = 0
  /** Parts are compressed in the background, one after another. */
  #packing: Promise<void> = Promise.resolve()

  /** Adds a page; waits for the compression when a part is full. */
  async add(page: PageRecord): Promise<void> {
    this.#open.push(page)
    this.#pages += 1
    this.#openBytes += PAGE_BYTES
    for (const { url } of page.links ?? []) this.#openBytes += url.length < LONG_LINK_BYTES ? LINK_BYTES : url.length
    if (this.#open.length >= PART_PAGES || this.#openBytes >= PART_BYTES) await this.#closePart()
  }

  /** Writes the record with its head last, so that it is complete or absent. Deletes the oldest records. */
  async write({ jobId, ...about }: RecordId, endedAtMs: number, list: Undelivered, store: Store): Promise<void> {
    await this.#closePart()
    for (const [index, part] of this.#parts.entries()) await store.set(partKey(jobId, index), part)
    const { start, tag } = about
    const head: RecordHead = { ...about, endedAtMs, parts: this.#parts.length, pages: this.#pages }
    await store.set(headKey(jobId), await withUndelivered({ facts: { ...head } }, list))
    let forgotten: readonly string[] = []
    await updateEntry(store, seriesKey(start, tag), (entry) => {
      const jobIds = [jobId, ...readJobIds(entry).filter((id) => id !== jobId)]
      forgotten = jobIds.slice(MAX_RECORDS)
      return { facts: { jobIds: jobIds.slice(0, MAX_RECORDS) } }
    })
    for (const old of forgotten) await forget(old, store)
  }

  #closePart(): Promise<void> {
    const pages = this.#open
    this.#open = []
    this.#openBytes = 0
    if (pages.length > 0) {
      this.#packing = this.#packing.then(async () => void this.#parts.push(await writePart(pages)))
    }
    return this.#packing
  }
}

async function forget(jobId: string, store: Store): Promise<void> {
  const { parts = 0 } = readHead(await store.get(headKey(jobId))) ?? {}
  await store.delete(headKey(jobId))
  for (let part = 0; part < parts; part++) await store.delete(partKey(jobId, part))
}
