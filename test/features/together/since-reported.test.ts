import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEngine, type CrawlRequest, type Engine, memoryStore, type Store } from '../../../src/index.js'
import { openChangingSite, pathOf, useChangingSite } from '../../site/changing-site.js'
import { answers, startReceiver, type Receiver } from '../../site/receiver.js'

const on = useChangingSite()
const PAGES = Array.from({ length: 11 }, (_, number) => `/${number}`)
let snapshots: Store
let start: string
let receiver: Receiver
let pages: Awaited<ReturnType<typeof openChangingSite>>['pages']

beforeEach(async () => {
  snapshots = memoryStore()
  ;({ start, pages } = await openChangingSite(on, { '/': PAGES }))
  receiver = await startReceiver()
})
afterEach(() => receiver.close())

const open = (): Engine => createEngine({ allowPrivateNetworks: true, threads: 0, retry: { backoffMs: 1 }, snapshots })

const request = (): CrawlRequest => ({ url: start, since: 'last', maxConcurrency: 1, sitemap: 'skip' })

/** Crawls once more. @returns paths of the pages that come as a whole, as new ones do */
async function crawlAgain(): Promise<string[]> {
  await using engine = open()
  const whole: string[] = []
  for await (const page of engine.crawl(request())) if ('markdown' in page) whole.push(pathOf(page.metadata.url))
  return whole.toSorted()
}

describe('a page that is reported to a webhook', () => {
  it('counts as known to `since` when its report was delivered', async () => {
    await using engine = open()
    const job = engine.crawl({ ...request(), webhook: receiver.url })
    job.on('document', () => undefined)
    await job.finished()
    await engine.close()
    expect(await crawlAgain()).toEqual([])
  })

  it('does not where the receiver refuses it', async () => {
    receiver.answer = answers.status(500)
    await using engine = open()
    await engine.crawl({ ...request(), webhook: receiver.url }).finished()
    await engine.close()
    expect(await crawlAgain()).toEqual(['/', ...PAGES].toSorted())
  })
})

describe('a page whose document says that it is gone', () => {
  it('counts as known to `since` only once that was delivered', async () => {
    const tracked = { ...request(), scrapeOptions: { formats: ['markdown', 'changeTracking'] } } as const
    const readRemoved = async (): Promise<string[]> => {
      await using engine = open()
      const removed: string[] = []
      for await (const { metadata, changeTracking } of engine.crawl(tracked))
        if (changeTracking?.changeStatus === 'removed') removed.push(pathOf(metadata.url))
      return removed
    }
    await readRemoved()
    pages.set('/', { links: PAGES.slice(1) })
    pages.delete('/0')
    await using engine = open()
    const job = engine.crawl(tracked)
    const taken: string[] = []
    const take = async (): Promise<void> => {
      for await (const { metadata } of job) {
        if (taken.length === 3) throw new Error('429')
        taken.push(pathOf(metadata.url))
      }
    }
    await expect(take()).rejects.toThrow('429')
    await job.finished()
    expect(await readRemoved()).toEqual(['/0'])
    expect(await readRemoved()).toEqual([])
  })
})
