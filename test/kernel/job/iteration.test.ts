import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { type Document, type Job, memoryLedger, sqlite } from '../../../src/index.js'
import { page, pathOf, useCrawlSite } from './crawl-site.js'

const on = useCrawlSite()
const paths = ['/1', '/2', '/3', '/4', '/5', '/6']
const pages = Object.fromEntries(paths.map((path) => [path, page()]))

const urls = (): string[] => paths.map((path) => on.site.url(path))

/** Paths that a loop over a job returned, and the error that it threw at its end. */
async function loopOver(documents: AsyncIterable<Document>): Promise<{ read: string[]; thrown: unknown }> {
  const read: string[] = []
  try {
    for await (const { metadata } of documents) read.push(pathOf(metadata.url))
    return { read, thrown: undefined }
  } catch (thrown) {
    return { read, thrown }
  }
}

describe('a loop over the documents of a job', () => {
  it('ends without an error when the job completes', async () => {
    await on.open(pages)
    const { read, thrown } = await loopOver(on.engine.batchScrape({ urls: urls() }))
    expect({ read: read.toSorted(), thrown }).toEqual({ read: paths, thrown: undefined })
  })

  it('throws the error of a job that ran out of credits, after all that was scraped', async () => {
    await on.open(pages, { creditLimit: 3 })
    const job = on.engine.batchScrape({ urls: urls() })
    const { read, thrown } = await loopOver(job)
    expect(read).toHaveLength(3)
    expect(thrown).toMatchObject({ code: 'INSUFFICIENT_CREDITS' })
    expect(await job.finished()).toMatchObject({ status: 'failed', code: 'INSUFFICIENT_CREDITS', completed: 3 })
  })

  it('throws for every reader, also one that starts after the job has failed', async () => {
    await on.open(pages, { creditLimit: 3 })
    const job = on.engine.batchScrape({ urls: urls() })
    await job.finished()
    for (const { read, thrown } of [await loopOver(job), await loopOver(job)]) {
      expect(read).toHaveLength(3)
      expect(thrown).toMatchObject({ code: 'INSUFFICIENT_CREDITS' })
    }
  })

  it('is finished after it has thrown once', async () => {
    await on.open({})
    const documents = on.engine.crawl({ url: 'http://127.0.0.1:1/' })[Symbol.asyncIterator]()
    await expect(documents.next()).rejects.toMatchObject({ code: 'SCRAPE_SITE_ERROR' })
    expect(await documents.next()).toEqual({ done: true, value: undefined })
  })

  it('passes its error to a stream created from the job', async () => {
    await on.open(pages, { creditLimit: 3 })
    const { read, thrown } = await loopOver(Readable.from(on.engine.batchScrape({ urls: urls() })))
    expect(read).toHaveLength(3)
    expect(thrown).toMatchObject({ code: 'INSUFFICIENT_CREDITS' })
  })

  it('ends without an error when a `budget` ended the job', async () => {
    await on.open(pages)
    const job = on.engine.batchScrape({ urls: urls(), budget: { requests: 2 } })
    expect((await loopOver(job)).thrown).toBeUndefined()
    expect(await job.finished()).toMatchObject({ status: 'completed', stoppedBy: 'requests' })
  })

  it.each([{}, { retain: false }, { zeroDataRetention: true }])(
    'throws the reason of the signal that aborted the job (%o)',
    async (how) => {
      await on.open({ ...pages, '/6': ({ response }) => void response.write('never ends') })
      const controller = new AbortController()
      const reason = new Error('the user has left')
      const job = on.engine.batchScrape({ urls: urls(), ...how }, { signal: controller.signal })
      let seen = 0
      job.on('document', () => ++seen === 5 && controller.abort(reason))
      const { read, thrown } = await loopOver(job)
      expect(read).toHaveLength(5)
      expect(thrown).toBe(reason)
      expect(await job.finished()).toMatchObject({ status: 'cancelled' })
    },
  )

  it('ends without an error after `cancel()`', async () => {
    await on.open({ '/': ({ response }) => void response.write('never ends') })
    const job = on.engine.crawl({ url: on.site.url('/') })
    const loop = loopOver(job)
    await job.cancel()
    expect(await loop).toEqual({ read: [], thrown: undefined })
  })

  it('throws when the engine is closed while the job runs', async () => {
    await on.open({ '/': ({ response }) => void response.write('never ends') })
    const loop = loopOver(on.engine.crawl({ url: on.site.url('/') }))
    await on.engine.close()
    expect((await loop).thrown).toMatchObject({ code: 'ENGINE_CLOSED' })
  })
})

describe('the closing status of a job', () => {
  it('is returned without documents when its ledger never opened', async () => {
    const ledger = memoryLedger()
    await on.open({}, { ledger: { ...ledger, open: () => Promise.reject(new Error('no room')) } })
    const job = on.engine.crawl({ url: on.site.url('/') })
    const ended = { status: 'failed', success: false, error: 'no room', completed: 0, data: [] }
    expect(await job.finished()).toMatchObject(ended)
    expect(await job.cancel()).toMatchObject(ended)
    expect((await loopOver(job)).thrown).toMatchObject({ message: 'no room' })
  })

  it('is returned without documents when the ledger file was closed with the engine', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
    await on.open(pages, { ledger: sqlite(join(folder, 'jobs.db')) })
    const job = on.engine.batchScrape({ urls: urls() })
    await job.finished()
    await on.engine.close()
    const { completed, data, warning } = await job.cancel()
    expect({ completed, data }).toEqual({ completed: 6, data: [] })
    expect(warning).toContain('The documents cannot be read: the ledger')
    await rm(folder, { recursive: true })
  })
})

describe('a disposed job', () => {
  it('is cancelled when its loop was left', async () => {
    await on.open({ ...pages, '/6': ({ response }) => void response.write('never ends') })
    let left: Job<Document>
    {
      await using job = on.engine.batchScrape({ urls: urls() })
      left = job
      for await (const document of job) if (document) break
    }
    expect(await left.status()).toMatchObject({ status: 'cancelled' })
  })

  it('keeps its outcome when it is disposed of repeatedly', async () => {
    await on.open(pages)
    const job = on.engine.batchScrape({ urls: urls(), budget: { requests: 2 } })
    const stopped = await job.finished()
    await job[Symbol.asyncDispose]()
    await job[Symbol.asyncDispose]()
    expect(await job.status()).toMatchObject({ status: 'completed', stoppedBy: 'requests', total: stopped.total })
    void job.resume({ budget: { requests: 100 } })
    expect(await job.finished()).toMatchObject({ status: 'completed', completed: 6 })
    await job[Symbol.asyncDispose]()
    expect((await job.status()).status).toBe('completed')
  })
})
