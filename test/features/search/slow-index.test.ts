import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../src/index.js'
import { openIndex } from '../../../src/features/search/thread/index-thread.js'
import { createRecords } from '../../kernel/job/create-records.js'
import { startSite } from '../../site/site.js'

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
