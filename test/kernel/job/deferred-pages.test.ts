import type { EndedRow } from '../../../src/kernel/job/attempt/attempt-row.js'
import { expect, it, vi } from 'vitest'
import { DeferredPages } from '../../../src/kernel/job/run/deferred-pages.js'
import type { PageLearner } from '../../../src/kernel/job/page-learner.js'
import type { LedgerRow } from '../../../src/kernel/ledger/ledger.js'
import type { Document } from '../../../src/kernel/page/document.js'
import type { ScrapedPage } from '../../../src/kernel/page/scraped-page.js'

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
  readonly formerName = 'lines'
  /** What pages have told. */
  readonly told: unknown[] = []

  start(): void {}

  end(_: string, tells?: unknown) {
    this.told.push(tells)
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

const jobOf = (maxBytes: number, learner: PageLearner = new WaitingLearner()) => ({
  signal,
  maxBytes,
  learners: [learner],
})

/** Ends a page that asks. */
function endAsking(
  pages: DeferredPages,
  at: number,
  { nowMs, ...facts }: { nowMs: number } & Partial<ScrapedPage>,
): void {
  const metadata = { statusCode: 200 } as Document['metadata']
  const document: Document = { metadata }
  const page = { document, shared: { rows: { asks: [] } }, rawBytes: 10, ...facts } as Partial<ScrapedPage>
  const createEnding = (made: Document) => ({ outcome: 'done', documents: [made], bytes: 0, credits: 1 }) as const
  const ending = createEnding(document)
  const reviewed = { page: page as ScrapedPage, createEnding }
  const siteResponse = { latencyMs: 1, statusCode: 200, retryAfterMs: undefined }
  expect(pages.defer(rowOf(at), { ending, reviewed, siteResponse }, nowMs)).toBe(true)
}

it('a page waits for what is told by pages that have not started for half a minute', async () => {
  const finished: string[] = []
  const pages = new DeferredPages(async ({ key }) => void finished.push(key), jobOf(Infinity))
  pages.start(rowOf(0), 0)
  endAsking(pages, 0, { nowMs: 1000 })
  expect(pages.isAwaiting(31_000)).toBe(false)
  await pages.release()
  expect(finished).toEqual([])
  pages.isAwaiting(31_001)
  await pages.release()
  expect(finished).toEqual(['0'])
})

it('the oldest pages are finished when they are too large', async () => {
  const finished: string[] = []
  const pages = new DeferredPages(async ({ key }) => void finished.push(key), jobOf(25))
  for (const at of [0, 1, 2, 3]) {
    pages.start(rowOf(at), 0)
    endAsking(pages, at, { nowMs: 1 })
  }
  await pages.release()
  expect(finished).toEqual(['0', '1'])
})

it('a page is converted again if a learner leaves something else out of it, and completed then', async () => {
  const drop = { feature: 'rows', learnt: [{}] }
  const learner = Object.assign(new WaitingLearner(), {
    isDecided: () => true,
    dropAgain: () => drop,
    complete: (_: unknown, asks: unknown, document: Document) => ({
      ...document,
      markdown: `${document.markdown} ${String(asks)}`,
    }),
  })
  const finished: EndedRow[] = []
  const pages = new DeferredPages(async (_, result) => void finished.push(result), jobOf(Infinity, learner))
  const convertAgain = vi.fn(async () => ({ markdown: 'again', metadata: {} }) as Document)
  pages.start(rowOf(0), 0)
  endAsking(pages, 0, { nowMs: 1, shared: { rows: { tells: 1, asks: 'completed' } }, convertAgain })
  await pages.release()
  expect(convertAgain).toHaveBeenCalledWith(drop, signal)
  expect(finished).toMatchObject([{ ending: { documents: [{ markdown: 'again completed' }] } }])
  expect(learner.told).toEqual([1])
})

it('what pages have told in an earlier process is read by its name, and by the one that it had in an earlier version', () => {
  const learner = new WaitingLearner()
  const pages = new DeferredPages(async () => undefined, jobOf(Infinity, learner))
  pages.addTold(rowOf(0), { rows: 'now' })
  pages.addTold(rowOf(1), { lines: 'before' })
  pages.addTold(rowOf(2), { others: 1 })
  expect(learner.told).toEqual(['now', 'before', undefined])
})
