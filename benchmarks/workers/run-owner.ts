import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { createEngine, type Document, type Job, postgres } from 'trawl'

/** A job, and the database in which it is run with workers. */
export interface OwnerTask {
  readonly connectionString: string
  readonly schema: string
  /** URL of the start page of a crawl, or a file with the URLs of a batch. */
  readonly start: { readonly url: string } | { readonly file: string }
  /** Number of pages of a crawl. */
  readonly pages: number
  /** Number of rows that the job may keep, where it is more than its pages: the job is then stopped by its budget. */
  readonly rows?: number
  /** Number of documents between two marks. */
  readonly every: number
}

/** State of the process when a number of documents has been read. */
export interface OwnerMark {
  readonly documents: number
  /** Time since the start of the job. */
  readonly seconds: number
  /** Processor time of all threads. */
  readonly cpuSeconds: number
  /** Time in which the main thread was busy. */
  readonly mainSeconds: number
  readonly residentBytes: number
}

/** The end of a job. */
export interface OwnerEnd {
  readonly id: string
  readonly completed: number
  readonly failed: number
  readonly total: number
  readonly skipped: number
  readonly used: { readonly bytes: number; readonly requests: number }
}

/** What the process sends to its parent. */
export type OwnerMessage = { readonly id: string } | { readonly mark: OwnerMark } | { readonly end: OwnerEnd }

const { connectionString, schema, start, pages, rows, every } = JSON.parse(process.argv[2] ?? '{}') as OwnerTask
const engine = createEngine({
  allowPrivateNetworks: true,
  fetcher: 'http',
  cache: false,
  // As few as possible: a page that this engine scrapes itself costs it the whole page.
  maxConcurrency: 1,
  maxConcurrencyPerSite: 1000,
  ledger: postgres({ connectionString, schema }),
})
const tell = (message: OwnerMessage): void => void process.send?.(message)

function begin(): Job<Document> {
  if ('file' in start) return engine.batchScrape({ urls: JSON.parse(readFileSync(start.file, 'utf8')) as string[] })
  return engine.crawl({
    url: start.url,
    limit: rows ?? pages,
    sitemap: 'skip',
    ignoreRobotsTxt: true,
    crawlEntireDomain: true,
    excludePaths: ['^/refused/'],
    ...(rows === undefined ? {} : { budget: { requests: pages } }),
  })
}

/** Runs the job, and reads its documents as they end. */
async function run(): Promise<void> {
  const startedAt = performance.now()
  const job = begin()
  tell({ id: job.id })
  let documents = 0
  for await (const { metadata } of job) {
    if (metadata.url.length > 0) documents += 1
    if (documents % every !== 0) continue
    const { user, system } = process.cpuUsage()
    const mark: OwnerMark = {
      documents,
      seconds: (performance.now() - startedAt) / 1000,
      cpuSeconds: (user + system) / 1e6,
      mainSeconds: performance.eventLoopUtilization().active / 1000,
      residentBytes: process.memoryUsage().rss,
    }
    tell({ mark })
  }
  const { id, completed, failed, total, skipped, used } = { id: job.id, ...(await job.status({ limit: 0 })) }
  tell({ end: { id, completed, failed, total, skipped, used } })
}

// The parent waits until the workers have been seen, and may set the processors of this process before.
process.once('message', () => void run())
process.on('disconnect', () => process.exit())
