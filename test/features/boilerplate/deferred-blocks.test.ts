import type { EndedRow } from '../../../src/kernel/job/attempt/attempt-row.js'
import { expect, it, vi } from 'vitest'
import { packBlocks, type PageBlocks } from '../../../src/features/boilerplate/repeated-block.js'
import { DeferredPages } from '../../../src/kernel/job/run/deferred-pages.js'
import type { JobView } from '../../../src/kernel/job/job-hooks.js'
import type { PageLearner } from '../../../src/kernel/job/page-learner.js'
import { BlockLearner } from '../../../src/features/boilerplate/block-learner.js'
import type { LedgerRow } from '../../../src/kernel/ledger/ledger.js'
import type { Document } from '../../../src/kernel/page/document.js'
import type { ScrapedPage } from '../../../src/kernel/page/scraped-page.js'

const SHARED = 1
const signal = new AbortController().signal

const rowOf = (at: number): LedgerRow => ({
  key: `${at}`,
  url: `http://site.test/docs/page-${at}`,
  via: 'link',
  depth: 1,
  outcome: 'queued',
  attempts: [],
  foundAtMs: 0,
})

/** Waits for pages that are never enough. */
class WaitingLearner implements PageLearner {
  readonly feature = 'rows'

  start(): void {}

  end() {
    return { startedAtMs: 0 }
  }

  postpone(): void {}

  isAwaiting(): boolean {
    return false
  }

  settle(): void {}

  isDecided(): boolean {
    return false
  }
}

const job: JobView = { id: 'job', kind: 'crawl', slice: true, previousJobId: undefined, warn() {}, announce() {} }

const jobOf = (maxBytes: number) => ({
  signal,
  maxBytes,
  learners: [new BlockLearner(job), new WaitingLearner()],
})

/** The result of a page with these blocks. */
function endedWith(blocks: PageBlocks, convertAgain: ScrapedPage['convertAgain']): EndedRow {
  const metadata = { statusCode: 200 } as Document['metadata']
  const document: Document = { metadata }
  const facts = packBlocks(blocks)
  const shared = { boilerplate: { tells: facts, asks: facts } }
  const page = { document, shared, convertAgain, rawBytes: 10 } as Partial<ScrapedPage>
  const ending = { outcome: 'done', documents: [document], bytes: 10, credits: 1 } as const
  const reviewed = { page: page as ScrapedPage, createEnding: () => ending }
  return { ending, reviewed, siteResponse: { latencyMs: 1, statusCode: 200, retryAfterMs: undefined } }
}

/** Ends five pages that share a block, and returns the number of documents that were made again. */
async function countRebuilt(describe: (own: number) => PageBlocks): Promise<number> {
  const convertAgain = vi.fn(async () => ({ metadata: { statusCode: 200 } }) as Document)
  const finished: string[] = []
  const finish = async ({ key }: LedgerRow): Promise<void> => void finished.push(key)
  const pages = new DeferredPages(finish, jobOf(Infinity))
  const rows = Array.from({ length: 5 }, (_, at) => rowOf(at))
  for (const row of rows) pages.start(row, 0)
  for (const [at, row] of rows.entries()) pages.defer(row, endedWith(describe(100 + at), convertAgain), 1)
  await pages.release()
  expect(finished.toSorted()).toEqual(['0', '1', '2', '3', '4'])
  return convertAgain.mock.calls.length
}

it('makes the documents again that drop a block which was learnt after them', async () => {
  const hashes = (own: number): Float64Array => Float64Array.of(SHARED, own)
  expect(await countRebuilt((own) => ({ whole: own, hashes: hashes(own) }))).toBe(5)
  const droppable = Uint8Array.of(1, 0)
  expect(await countRebuilt((own) => ({ whole: own, hashes: hashes(own), droppable }))).toBe(5)
})

it('makes no document again for a block that is kept although it repeats', async () => {
  const droppable = Uint8Array.of(0, 1)
  const blocks = (own: number): PageBlocks => ({ whole: own, hashes: Float64Array.of(SHARED, own), droppable })
  expect(await countRebuilt(blocks)).toBe(0)
})

/** Ends a page with one entry. */
function endFew(pages: DeferredPages, at: number, { nowMs, rawBytes }: { nowMs: number; rawBytes: number }): void {
  const metadata = { statusCode: 200 } as Document['metadata']
  const document: Document = { metadata }
  const page = { document, shared: { rows: { asks: [] } }, rawBytes } as Partial<ScrapedPage>
  const ending = { outcome: 'done', documents: [document], bytes: 0, credits: 1 } as const
  const reviewed = { page: page as ScrapedPage, createEnding: () => ending }
  const siteResponse = { latencyMs: 1, statusCode: 200, retryAfterMs: undefined }
  expect(pages.defer(rowOf(at), { ending, reviewed, siteResponse }, nowMs)).toBe(true)
}

it('the oldest pages that wait for lists are finished when they are too large, and samples are still waited for', async () => {
  const finished: string[] = []
  const pages = new DeferredPages(async ({ key }) => void finished.push(key), jobOf(25))
  pages.start(rowOf(9), 0)
  for (const at of [0, 1, 2, 3]) {
    pages.start(rowOf(at), 0)
    endFew(pages, at, { nowMs: 1, rawBytes: 10 })
  }
  await pages.release()
  expect(finished).toEqual(['0', '1'])
  expect(pages.isAwaiting(2)).toBe(true)
})

it('of pages that are too large together, those are finished that wait for the first ones to end', async () => {
  const finished: string[] = []
  const pages = new DeferredPages(async ({ key }) => void finished.push(key), jobOf(75))
  const convertAgain = vi.fn(async () => ({ metadata: { statusCode: 200 } }) as Document)
  const elsewhere = { ...rowOf(5), url: 'http://other.test/docs/a' }
  const rows = Array.from({ length: 5 }, (_, at) => rowOf(at))
  for (const row of [...rows, elsewhere]) pages.start(row, 0)
  for (const row of rows.slice(1))
    pages.defer(row, endedWith({ whole: Number(row.key), hashes: Float64Array.of(SHARED) }, convertAgain), 1)
  await pages.release()
  expect(finished).toEqual(['1', '2', '3', '4'])
  expect(convertAgain).toHaveBeenCalledTimes(4)
  expect(pages.isAwaiting(2)).toBe(true)
})
