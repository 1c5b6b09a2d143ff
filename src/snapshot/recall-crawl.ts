import { isObject } from '../collections/is-object.js'
import type { Store } from '../store/store.js'
import { headKey, type PageRecord, partKey, type RecordHead, seriesKey } from './crawl-record.js'
import { readPart } from './record-text.js'

/** The record that a crawl left. */
export interface RecordedCrawl {
  readonly jobId: string
  readonly head: RecordHead
  /** Every page, a part of the record at a time. */
  pages(): AsyncGenerator<PageRecord, void, void>
}

/** The pages of a record, by key. */
export interface RecordedPages {
  find(key: string): Promise<PageRecord | undefined>
}

/** Parts that stand unpacked at once: a crawl comes to its pages in about the order of the last one. */
const PARTS_AT_HAND = 8

/** The jobs that left records of crawls of this start URL under this tag, newest first. */
export async function readSeries(start: string, tag: string | null, store: Store): Promise<string[]> {
  const facts = (await store.get(seriesKey(start, tag)))?.facts
  const { jobIds } = isObject(facts) ? facts : {}
  return Array.isArray(jobIds) ? jobIds.filter((id) => typeof id === 'string') : []
}

/** The record that a job left; undefined when there is none. */
export async function recallCrawl(jobId: string, store: Store): Promise<RecordedCrawl | undefined> {
  const facts = (await store.get(headKey(jobId)))?.facts
  if (!isObject(facts) || typeof facts['start'] !== 'string' || typeof facts['parts'] !== 'number') return undefined
  const head = facts as unknown as RecordHead
  return {
    jobId,
    head,
    async *pages() {
      for (let part = 0; part < head.parts; part++) yield* await readPart(await store.get(partKey(jobId, part)))
    },
  }
}

/** The newest record of this start URL and tag that is still there. */
export async function recallLastCrawl(
  start: string,
  tag: string | null,
  store: Store,
): Promise<RecordedCrawl | undefined> {
  for (const jobId of await readSeries(start, tag, store)) {
    const crawl = await recallCrawl(jobId, store)
    if (crawl) return crawl
  }
  return undefined
}

/** Makes the pages of a record known by their keys; the pages themselves stay where they are. */
export async function indexPages(
  { jobId, head }: RecordedCrawl,
  keyOf: (url: string) => string,
  store: Store,
): Promise<RecordedPages> {
  const places = new Map<string, readonly [part: number, index: number]>()
  const atHand = new Map<number, PageRecord[]>()

  async function open(part: number): Promise<PageRecord[]> {
    const known = atHand.get(part)
    const pages = known ?? (await readPart(await store.get(partKey(jobId, part))))
    // The part used last stands last.
    atHand.delete(part)
    atHand.set(part, pages)
    for (const oldest of atHand.keys()) {
      if (atHand.size <= PARTS_AT_HAND) break
      atHand.delete(oldest)
    }
    return pages
  }

  for (let part = 0; part < head.parts; part++) {
    for (const [index, { url }] of (await open(part)).entries()) {
      if (URL.canParse(url)) places.set(keyOf(url), [part, index])
    }
  }
  return {
    async find(key) {
      const place = places.get(key)
      return place && (await open(place[0]))[place[1]]
    },
  }
}
