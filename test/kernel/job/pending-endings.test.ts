import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../src/index.js'
import { PendingEndings } from '../../../src/kernel/job/run/pending-endings.js'
import type { Ending } from '../../../src/kernel/ledger/ledger.js'
import type { Document } from '../../../src/kernel/page/document.js'
import { openIndex } from '../../../src/features/search/thread/index-thread.js'
import { startSite } from '../../site/site.js'

const failed: Ending<Document> = { outcome: 'failed', code: 'SCRAPE_SITE_ERROR', error: 'none' }
const done = (bytes: number): Ending<Document> => ({ outcome: 'done', documents: [], bytes })

/** Records that end when they are told to. */
function createRecords() {
  const running: (() => void)[] = []
  return {
    record: () => new Promise<void>((resolve) => void running.push(resolve)),
    endOne: () => running.shift()?.(),
    get count() {
      return running.length
    },
  }
}

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

describe('endings that are being recorded', () => {
  it.each([
    ['number', failed, 50],
    ['size', done(1000), 4],
  ])('are bounded by their %s', async (_, ending, most) => {
    let ended = 0
    const endings = new PendingEndings({ maxBytes: 3000, onEnded: () => (ended += 1) })
    const records = createRecords()
    let added = 0
    const adding = (async () => {
      for (; added < 2 * most; added += 1) await endings.add(ending, records.record)
    })()
    await turn()
    expect([added, endings.size, records.count]).toEqual([most - 1, most, most])
    records.endOne()
    await turn()
    expect([added, ended, endings.size]).toEqual([most, 1, most])
    const drained = adding.then(() => endings.drain())
    for (let left = 2 * most; left > 0; left -= 1) {
      records.endOne()
      await turn()
    }
    await drained
    expect(endings.size).toBe(0)
  })

  it('report the first one that fails, when all have ended', async () => {
    const endings = new PendingEndings({ maxBytes: 3000, onEnded: () => undefined })
    const records = createRecords()
    await endings.add(failed, () => Promise.reject(new Error('the disk is full')))
    await endings.add(failed, records.record)
    const drained = endings.drain()
    await turn()
    expect(endings.size).toBe(1)
    records.endOne()
    await expect(drained).rejects.toThrow('the disk is full')
    expect(endings.failure?.message).toContain('the disk is full')
  })
})

describe('a page whose ending is being recorded', () => {
  it('takes no place among the pages at once, and its job ends after it', async () => {
    await using site = await startSite()
    const records = createRecords()
    const index = openIndex('')
    const { put } = index
    index.put = async (jobId, page) => {
      await records.record()
      return put(jobId, page)
    }
    await using engine = createEngine({ allowPrivateNetworks: true, index, threads: 0 })
    const urls = Array.from({ length: 12 }, (_, at) => site.url(`/page/${'abcdefghijkl'[at]}`))
    const job = engine.batchScrape({ urls, maxConcurrency: 2 })
    await expect.poll(() => records.count, { timeout: 20_000 }).toBe(urls.length)
    expect(await job.status()).toMatchObject({ status: 'scraping', completed: 0 })
    while (records.count > 0) records.endOne()
    const { status, completed, data } = await job.finished()
    expect([status, completed, data.length]).toEqual(['completed', 12, 12])
    expect((await job.search('page', { limit: 50 })).length).toBeGreaterThan(0)
  })
})
