import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { createEngine, type CrawlRequest, type Engine, memoryStore, sqlite, type Store } from '../../../src/index.js'
import { openChangingSite, pathOf, useChangingSite } from '../../site/changing-site.js'

const on = useChangingSite()
const PAGES = Array.from({ length: 11 }, (_, number) => `/${number}`)
const ALL = ['/', ...PAGES]
let snapshots: Store
let start: string
let pages: Awaited<ReturnType<typeof openChangingSite>>['pages']

beforeEach(async () => {
  snapshots = memoryStore()
  ;({ start, pages } = await openChangingSite(on, { '/': PAGES }))
})

const open = (more: object = {}): Engine =>
  createEngine({ allowPrivateNetworks: true, threads: 0, retry: { backoffMs: 1 }, snapshots, ...more })

const request = (): CrawlRequest => ({ url: start, since: 'last', maxConcurrency: 1, sitemap: 'skip' })

/** A job whose documents are taken. */
type Documents = AsyncIterable<{ readonly metadata: { readonly url: string } }>

/** A loop whose embedding API refuses the page after a number of pages. @returns paths of the pages that it has taken */
async function takeUntilRefused(job: Documents, count: number): Promise<string[]> {
  const taken: string[] = []
  await expect(
    (async () => {
      for await (const { metadata } of job) {
        if (taken.length === count) throw new Error('429')
        taken.push(pathOf(metadata.url))
      }
    })(),
  ).rejects.toThrow('429')
  return taken
}

/** Waits for the end of a job without asking for its documents. */
async function untilEnded(job: { status(options: object): Promise<{ status: string }> }): Promise<void> {
  while ((await job.status({ limit: 0 })).status === 'scraping') await new Promise((wake) => setTimeout(wake, 5))
}

/** Crawls again, and returns the paths of the pages that are given with their content. */
async function crawlAgain(): Promise<string[]> {
  await using engine = open()
  const whole: string[] = []
  for await (const page of engine.crawl(request())) if ('markdown' in page) whole.push(pathOf(page.metadata.url))
  return whole.toSorted()
}

const without = (taken: readonly string[]): string[] => ALL.filter((path) => !taken.includes(path)).toSorted()

describe('a page counts as known to `since` only once it was delivered', () => {
  const cuts: Record<string, (take: (job: Documents) => Promise<string[]>) => Promise<string[]>> = {
    async 'a loop that throws while the crawl runs'(take) {
      await using engine = open()
      return await take(engine.crawl(request()))
    },
    async 'a loop that throws when the crawl has ended'(take) {
      await using engine = open()
      const job = engine.crawl(request())
      await untilEnded(job)
      const taken = await take(job)
      await job.finished()
      return taken
    },
    async 'a loop that throws, and a status that is read nevertheless'(take) {
      await using engine = open()
      const job = engine.crawl(request())
      const taken = await take(job)
      await job.finished()
      await job.status()
      return taken
    },
    async 'a loop that ends with `job.cancel()`'(take) {
      await using engine = open()
      const job = engine.crawl(request())
      const taken = await take(job)
      await job.cancel()
      return taken
    },
    async 'an engine that is closed in the middle'(take) {
      const engine = open()
      const taken = await take(engine.crawl(request()))
      await engine.close()
      return taken
    },
    async 'a job that keeps no documents'(take) {
      await using engine = open()
      return await take(engine.crawl({ ...request(), retain: false }))
    },
  }
  for (const [name, cut] of Object.entries(cuts)) {
    it(`after ${name}`, async () => {
      const taken = await cut((job) => takeUntilRefused(job, 3))
      expect(taken).toHaveLength(3)
      expect(await crawlAgain()).toEqual(without(taken))
      expect(await crawlAgain()).toEqual([])
    })
  }

  it('also where an earlier crawl had it, and it has changed', async () => {
    await crawlAgain()
    for (const path of PAGES) pages.set(path, { links: [], text: 'Written anew.' })
    await using engine = open()
    const taken = await takeUntilRefused(engine.crawl(request()), 3)
    await engine.close()
    expect(await crawlAgain()).toEqual(PAGES.filter((path) => !taken.includes(path)).toSorted())
    expect(await crawlAgain()).toEqual([])
  })

  it('of results, when they were given: all at the end of a job, and the pages of `status()`', async () => {
    await using engine = open()
    await engine.crawl(request()).finished()
    expect(await crawlAgain()).toEqual([])
    snapshots = memoryStore()
    await using other = open()
    const job = other.crawl(request())
    await untilEnded(job)
    const { data } = await job.status({ skip: 2, limit: 4 })
    expect(await crawlAgain()).toEqual(without(data.map(({ metadata }) => pathOf(metadata.url))))
  })

  it('of a job that was cancelled, not by the results that `cancel()` returns', async () => {
    await using engine = open()
    const job = engine.crawl(request())
    await new Promise((resolve) => job.once('document', resolve))
    const { data } = await job.cancel()
    expect(data.length).toBeGreaterThan(0)
    expect((await crawlAgain()).length).toBeGreaterThanOrEqual(ALL.length - 1)
  })

  it('to a listener', async () => {
    await using engine = open()
    const job = engine.crawl(request())
    const heard: string[] = []
    const cancelled = new Promise<void>((resolve, reject) => {
      job.on('document', ({ metadata }) => {
        if (heard.push(pathOf(metadata.url)) === 3) job.cancel().then(() => resolve(), reject)
      })
    })
    await cancelled
    expect(await crawlAgain()).toEqual(without(heard))
  })

  it('by what was acknowledged, in a job whose documents are', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trawl-undelivered-'))
    try {
      await using engine = open({ ledger: sqlite(join(folder, 'jobs.db')) })
      const job = engine.crawl(request(), { acknowledge: true })
      job.on('document', () => undefined)
      const { data } = await job.finished()
      const acknowledged = data.slice(4, 7)
      const [first, second, third] = acknowledged
      await job.acknowledge(first ?? '')
      await job.acknowledge(second?.metadata.deliveryId ?? -1)
      await job.acknowledge(String(third?.metadata.deliveryId))
      expect(await crawlAgain()).toEqual(without(acknowledged.map(({ metadata }) => pathOf(metadata.url))))
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('in another process, which reads the job to its end', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trawl-undelivered-'))
    try {
      const ledger = (): object => ({ ledger: sqlite(join(folder, 'jobs.db')) })
      const first = open(ledger())
      const job = first.crawl(request())
      await takeUntilRefused(job, 3)
      await untilEnded(job)
      await first.close()
      await using second = open(ledger())
      let count = 0
      for await (const _ of (await second.job(job.id)) ?? []) count += 1
      expect(count).toBe(ALL.length)
      expect(await crawlAgain()).toEqual([])
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
