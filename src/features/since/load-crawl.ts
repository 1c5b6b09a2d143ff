import { isObject } from '../../base/collections/is-object.js'
import type { Store, StoredEntry } from '../../base/store/store.js'
import { headKey, type PageRecord, partKey, type RecordHead, seriesKey } from './crawl-record.js'
import { readPart } from './record-part.js'
import { isUrl } from '../../base/url.js'
import { readUndelivered } from './undelivered.js'

/** The record of a crawl. */
export interface RecordedCrawl {
  readonly jobId: string
  readonly head: RecordHead
  /** Reads the pages of a part: one that nobody has got is without its links, so that it is read again before it counts as known. */
  readPart(part: number, from: Store): Promise<PageRecord[]>
  /** All pages; one part of the record is read at a time. @param from the store to read. @default that of the call */
  pages(from?: Store): AsyncGenerator<PageRecord, void, void>
}

/** The pages of a record, by key. */
export interface RecordedPages {
  /** Number of parts that are missing or damaged. */
  readonly lostParts: number
  find(key: string): Promise<PageRecord | undefined>
}

/** Number of parts held uncompressed. Few suffice, because a crawl reaches its pages in about the same order as the last one. */
const MAX_OPEN_PARTS = 8

/** Largest number of parts that is believed: a hundred million pages with few links have so many. */
const MAX_PARTS = 100_000

/** The jobs with records of crawls of this start URL under this tag, newest first. */
export async function listRecordedJobs(start: string, tag: string | null, store: Store): Promise<string[]> {
  return readJobIds(await store.get(seriesKey(start, tag)))
}

/** The jobs of the entry of a series. */
export function readJobIds(entry: StoredEntry | undefined): string[] {
  const { jobIds } = isObject(entry?.facts) ? entry.facts : {}
  return Array.isArray(jobIds) ? jobIds.filter((id) => typeof id === 'string') : []
}

/** Reads the head of a record. @returns undefined when there is none, and when it is damaged: each part is asked for in turn */
export function readHead(entry: StoredEntry | undefined): RecordHead | undefined {
  const facts = entry?.facts
  if (!isObject(facts) || typeof facts['start'] !== 'string') return undefined
  const head = facts as unknown as RecordHead
  // No part is written without a page.
  const isWhole = Number.isInteger(head.parts) && head.parts >= 0 && head.parts <= Math.min(head.pages, MAX_PARTS)
  return isWhole ? head : undefined
}

/** Loads the record of a job; undefined when there is none, and when it is damaged. */
export async function loadCrawl(jobId: string, store: Store): Promise<RecordedCrawl | undefined> {
  const entry = await store.get(headKey(jobId))
  const head = readHead(entry)
  if (!entry || !head) return undefined
  const list = await readUndelivered(entry)
  const [undelivered, gone] = [new Set(list?.urls), new Set(list?.gone)]
  const readPages = async (part: number, from: Store): Promise<PageRecord[]> =>
    (await readPart(await from.get(partKey(jobId, part)))).flatMap((page) => {
      if (list && !undelivered.has(page.url)) return gone.has(page.url) ? [] : [page]
      return [withoutLinks(page)]
    })
  return {
    jobId,
    head,
    readPart: readPages,
    async *pages(from = store) {
      for (let part = 0; part < head.parts; part++) yield* await readPages(part, from)
    },
  }
}

/** Removes the links of a page in the record, so that it is read again before it counts as known. */
export function withoutLinks(page: PageRecord): PageRecord {
  const { links: _, ...rest } = page
  return rest
}

/** Loads the newest existing record of this start URL and tag. */
export async function loadLastCrawl(
  start: string,
  tag: string | null,
  store: Store,
): Promise<RecordedCrawl | undefined> {
  for (const jobId of await listRecordedJobs(start, tag, store)) {
    const crawl = await loadCrawl(jobId, store)
    if (crawl) return crawl
  }
  return undefined
}

/** Indexes the pages of a record by their keys, without keeping the pages in memory. */
export async function indexPages(
  { head, readPart: readPages }: RecordedCrawl,
  keyOf: (url: string) => string,
  store: Store,
): Promise<RecordedPages> {
  const places = new Map<string, readonly [part: number, index: number]>()
  const atHand = new Map<number, PageRecord[]>()

  async function open(part: number): Promise<PageRecord[]> {
    const known = atHand.get(part)
    const pages = known ?? (await readPages(part, store))
    // A Map iterates in order of insertion: re-inserting makes its first entry the least recently used one.
    atHand.delete(part)
    atHand.set(part, pages)
    for (const oldest of atHand.keys()) {
      if (atHand.size <= MAX_OPEN_PARTS) break
      atHand.delete(oldest)
    }
    return pages
  }

  let lostParts = 0
  for (let part = 0; part < head.parts; part++) {
    const pages = await open(part)
    // No part is written without a page.
    if (pages.length === 0) lostParts += 1
    for (const [index, { url }] of pages.entries()) {
      if (isUrl(url)) places.set(keyOf(url), [part, index])
    }
  }
  return {
    lostParts,
    async find(key) {
      const place = places.get(key)
      return place && (await open(place[0]))[place[1]]
    },
  }
}
