import type { Store, StoredEntry } from '../store/store.js'
import { headKey, type PageRecord, partKey, type RecordHead, type RecordName, seriesKey } from './crawl-record.js'
import { readSeries } from './recall-crawl.js'
import { writePart } from './record-text.js'

/**
 * Pages written together, and what they may come to before they are. Links are counted at this much each, for most stand on
 * many pages, and long ones at their length. Bytes.
 */
const PART_PAGES = 1000
const PART_BYTES = 1024 * 1024
const LINK_BYTES = 8
const LONG_LINK_BYTES = 300
const PAGE_BYTES = 300

/** Records that are kept of the crawls of a start URL and tag: the oldest is forgotten for a newer one. */
export const MAX_RECORDS = 10

/** Gathers the record of a crawl: packed part by part, so that it never stands in memory as it is. */
export class CrawlRecorder {
  readonly #parts: StoredEntry[] = []
  #open: PageRecord[] = []
  #openBytes = 0
  #pages = 0
  /** Packing goes on beside the pages, one part after another. */
  #packing: Promise<void> = Promise.resolve()

  /** Adds a page; waits when a part is full. */
  async add(page: PageRecord): Promise<void> {
    this.#open.push(page)
    this.#pages += 1
    this.#openBytes += PAGE_BYTES
    for (const { url } of page.links ?? []) this.#openBytes += url.length < LONG_LINK_BYTES ? LINK_BYTES : url.length
    if (this.#open.length >= PART_PAGES || this.#openBytes >= PART_BYTES) await this.#closePart()
  }

  /** Writes everything, the head last: a record is there whole or not at all. Older ones make room. */
  async write({ jobId, start, tag, askedAs }: RecordName, endedAtMs: number, store: Store): Promise<void> {
    await this.#closePart()
    for (const [index, part] of this.#parts.entries()) await store.set(partKey(jobId, index), part)
    const head: RecordHead = { start, tag, askedAs, endedAtMs, parts: this.#parts.length, pages: this.#pages }
    await store.set(headKey(jobId), { facts: { ...head } })
    const jobIds = [jobId, ...(await readSeries(start, tag, store)).filter((id) => id !== jobId)]
    await store.set(seriesKey(start, tag), { facts: { jobIds: jobIds.slice(0, MAX_RECORDS) } })
    for (const old of jobIds.slice(MAX_RECORDS)) await forget(old, store)
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
  const { parts } = ((await store.get(headKey(jobId)))?.facts ?? {}) as Partial<RecordHead>
  await store.delete(headKey(jobId))
  for (let part = 0; part < (parts ?? 0); part++) await store.delete(partKey(jobId, part))
}
