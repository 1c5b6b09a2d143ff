import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type BatchScrapeJob, createEngine, type Document, type Engine } from '../../../src/index.js'
import { sqlite } from '../../../src/kernel/ledger/ledgers/index.js'
import { type Site, startSite } from '../../site/site.js'
import { runAndKill, settings } from './run-and-kill.js'
import { useSqliteFiles } from './use-sqlite-files.js'

const { newFile } = useSqliteFiles()

describe('what a call has promised is in the file when the process is killed as soon as the call resolves', () => {
  let site: Site
  let engine: Engine | undefined
  beforeEach(async () => {
    const ready = Array.from({ length: 20 }, (_, at) => [`/ready${at}`, `<h1>Page ${at}</h1><p>Its text.</p>`] as const)
    const hung = Array.from({ length: 400 }, (_, at) => [`/hang${at}`, () => undefined] as const)
    site = await startSite({ pages: Object.fromEntries<string | (() => void)>([...ready, ...hung]) })
  })
  afterEach(async () => {
    await engine?.close({ drain: false })
    engine = undefined
    await site.close()
  })

  /** Runs code, and opens its file again. */
  async function after(code: string): Promise<{ readonly engine: Engine; readonly job: BatchScrapeJob<Document> }> {
    const file = newFile()
    await runAndKill(code, file, site)
    const opened = createEngine({ ...settings, ledger: sqlite(file) })
    engine = opened
    const [listed] = await opened.listJobs()
    return { engine: opened, job: (await opened.job(listed?.id ?? '')) as BatchScrapeJob<Document> }
  }
  const pathsOf = async (job: BatchScrapeJob<Document>): Promise<string[]> => {
    const paths: string[] = []
    for await (const { url } of job.urls()) paths.push(new URL(url).pathname)
    return paths
  }

  it('`append()`: its URLs, and those of a list in several slices', async () => {
    const { job } = await after(`
      const job = await engine.batchScrape({ urls: urls('/hang', 1) }, call)
      await job.append(urls('/ready', 20))
      await job.append(urls('/hang', 400))
      await job.append(urls('/more', 700))`)
    const paths = await pathsOf(job)
    expect(paths.filter((path) => path.startsWith('/ready'))).toHaveLength(20)
    expect(paths.filter((path) => path.startsWith('/more'))).toHaveLength(700)
    expect(paths).toHaveLength(1120)
  })

  it('`append()` of pages that the batch has: one more document for each', async () => {
    const { job } = await after(`
      const job = await engine.batchScrape({ urls: [...urls('/ready', 2), ...urls('/hang', 1)] }, call)
      for await (const document of job) if ((await job.status()).completed === 2) break
      await job.append([...urls('/ready', 2), ...urls('/hang', 1)])`)
    const rows: number[] = []
    for await (const { sources = [] } of job.urls()) rows.push(sources.length)
    expect(rows).toEqual([2, 2, 2])
  })

  it('`cancel()`: the job is cancelled, and every URL has its outcome', async () => {
    const { job } = await after(`
      const job = await engine.batchScrape({ urls: [...urls('/ready', 1), ...urls('/hang', 50)] }, call)
      for await (const document of job) break
      await job.cancel()`)
    const { status, completed, failed, skipped } = await job.status()
    expect([status, completed, failed + skipped]).toEqual(['cancelled', 1, 50])
  })

  it('`finished()`: the end of the job, and its documents', async () => {
    const { job } = await after(`await (await engine.batchScrape({ urls: urls('/ready', 20) }, call)).finished()`)
    expect((await job.status()).status).toBe('completed')
    expect((await job.status()).data).toHaveLength(20)
  })

  it('`acknowledge()`, and the next document of a loop: what was processed is not delivered again', async () => {
    const { job } = await after(`
      const request = { urls: urls('/ready', 20), maxConcurrency: 1 }
      const job = await engine.batchScrape(request, { ...call, acknowledge: true })
      await job.finished()
      let read = 0
      for await (const { metadata } of job) {
        read += 1
        if (read === 6) await job.acknowledge(metadata.deliveryId)
        if (read === 6) die()
      }`)
    expect(await job.status()).toMatchObject({ completed: 20 })
    const left: unknown[] = []
    for await (const { metadata } of job) left.push(metadata.deliveryId)
    expect(left).toEqual(Array.from({ length: 14 }, (_, at) => at + 6))
  })

  it('an event `document`, and a document of a loop: the document', async () => {
    const { job } = await after(`
      const job = await engine.batchScrape({ urls: [...urls('/ready', 20), ...urls('/hang', 1)] }, call)
      let told = 0
      job.on('document', () => (told += 1) === 10 && die())
      for await (const document of job) void document`)
    expect((await job.status()).completed).toBeGreaterThanOrEqual(10)
  })

  it('`resume()` of a stopped job with a larger budget: the job goes on, with that budget', async () => {
    const { engine: reopened, job } = await after(`
      const request = { urls: urls('/ready', 20), maxConcurrency: 1, budget: { requests: 3 } }
      const job = await engine.batchScrape(request, call)
      await job.finished()
      await job.resume({ budget: { requests: 12 } })`)
    expect(reopened.jobs().map(({ id }) => id)).toEqual([job.id])
    expect(await job.finished()).toMatchObject({ stoppedBy: 'requests', completed: 12 })
  })
})
