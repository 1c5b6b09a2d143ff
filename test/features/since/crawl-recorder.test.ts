import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CrawlRecorder, MAX_RECORDS } from '../../../src/features/since/crawl-recorder.js'
import { listRecordedJobs, loadCrawl, loadLastCrawl } from '../../../src/features/since/load-crawl.js'
import { memoryStore, s3Store } from '../../../src/base/store/stores/index.js'
import type { Store } from '../../../src/base/store/store.js'
import { BUCKET, credentials, REGION, type S3Server, startS3 } from '../../base/store/s3-server.js'

const start = 'http://site.test/'
const write = (jobId: string, store: Store): Promise<void> =>
  new CrawlRecorder().write({ jobId, start, tag: null, askedAs: 'hash' }, 1000, { urls: [], gone: [] }, store)

describe('the record of a crawl', () => {
  let server: S3Server
  beforeAll(async () => {
    server = await startS3()
  })
  afterAll(() => server.close())

  it('is found after crawls of several machines ended at the same time', async () => {
    const open = (): Store => s3Store({ bucket: BUCKET, credentials, region: REGION, endpoint: server.endpoint })
    const jobs = ['a', 'b', 'c', 'd', 'e']
    await Promise.all(jobs.map((jobId) => write(jobId, open())))
    expect((await listRecordedJobs(start, null, open())).toSorted()).toEqual(jobs)
  })

  it('is deleted when ten newer ones of its start were written', async () => {
    const store = memoryStore()
    for (let n = 0; n <= MAX_RECORDS; n += 1) await write(`job ${n}`, store)
    expect(await listRecordedJobs(start, null, store)).toHaveLength(MAX_RECORDS)
    expect((await loadLastCrawl(start, null, store))?.jobId).toBe(`job ${MAX_RECORDS}`)
    expect(await store.get('crawl job 0')).toBeUndefined()
    expect(await store.get('crawl job 1')).toBeDefined()
  })

  it.each([Infinity, 1e15, 2, -1, 0.5, '1'])(
    'counts as none when its number of parts is damaged: %s',
    async (parts) => {
      const store = memoryStore()
      await write('job', store)
      const { facts } = (await store.get('crawl job')) ?? {}
      await store.set('crawl job', { facts: { ...(facts as object), parts } })
      expect(await loadCrawl('job', store)).toBeUndefined()
      expect(await loadLastCrawl(start, null, store)).toBeUndefined()
      // It is deleted as an old one without an end.
      for (let n = 0; n < MAX_RECORDS; n += 1) await write(`job ${n}`, store)
      expect(await store.get('crawl job')).toBeUndefined()
    },
  )
})
