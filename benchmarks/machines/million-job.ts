import { setTimeout as sleep } from 'node:timers/promises'
import { createEngine, type Document, type FeatureFetcher, type Job, postgres, sqlite } from 'trawl'
import { makePath, numberOf, ORIGIN } from './million-pages.js'

/** A job in a process of its own, which goes on with the one that was killed before it. */
export interface MillionTask {
  readonly kind: 'batch' | 'crawl'
  readonly urls: number
  /** File of an SQLite ledger, or the connection of a PostgreSQL one. */
  readonly file?: string
  readonly connectionString?: string
}

/** What the process has seen since its start. */
export interface MillionSample {
  readonly completed: number
  /** Time from the start until the job is there, and until its next page has ended. Milliseconds. */
  readonly openedMs: number
  readonly resumedMs?: number
  /** Largest memory of the process so far. Bytes. */
  readonly residentBytes: number
  /** Slowest call of each kind so far, and all of them in order. Milliseconds. */
  readonly callsMs: Readonly<Record<Call, readonly number[]>>
  readonly isOver: boolean
}

type Call = 'status' | 'explain' | 'urls'

/** Links of a page, each to a page of its own: the tree of a crawl. */
const LINKS = 10
const PAUSE_MS = 1000

const { kind, urls, file, connectionString } = JSON.parse(process.argv[2] ?? '{}') as MillionTask

/** Answers in the place of a site, so that what is measured is the job alone. */
const site: FeatureFetcher = {
  handles: () => true,
  fetch: async ({ url }) => {
    const number = numberOf(url)
    if (number === undefined) return { status: 404, body: '' }
    const children = Array.from({ length: LINKS }, (_, at) => LINKS * number + 1 + at).filter((one) => one < urls)
    const links = kind === 'crawl' ? children.map((one) => `<a href="${makePath(one)}">Page ${one}</a>`).join(' ') : ''
    const text = `<h1>Page ${number}</h1><p>A few words of the page with the number ${number}.</p>${links}`
    return { status: 200, headers: { 'content-type': 'text/html' }, body: `<title>Page ${number}</title>${text}` }
  },
}

const startedAt = performance.now()
const ledger = connectionString === undefined ? sqlite(file ?? '') : postgres({ connectionString, schema: kind })
const engine = createEngine({ ledger, fetcher: site, cache: false, allowPrivateNetworks: true })
const options = { idempotencyKey: kind }
const request = { maxConcurrency: 16 }
const job: Job<Document> =
  kind === 'batch'
    ? await engine.batchScrape(
        { ...request, urls: Array.from({ length: urls }, (_, at) => `${ORIGIN}${makePath(at)}`) },
        options,
      )
    : await engine.crawl(
        { ...request, url: `${ORIGIN}${makePath(0)}`, limit: urls, sitemap: 'skip', crawlEntireDomain: true },
        options,
      )
const openedMs = performance.now() - startedAt
const { completed: before } = await job.status({ limit: 0 })

const callsMs: Record<Call, number[]> = { status: [], explain: [], urls: [] }
let [residentBytes, completed, resumedMs] = [0, before, undefined as number | undefined]

async function measure(name: Call, call: () => Promise<unknown>): Promise<void> {
  const calledAt = performance.now()
  await call()
  callsMs[name].push(performance.now() - calledAt)
}

const tell = (isOver: boolean): unknown =>
  process.send?.({ completed, openedMs, resumedMs, residentBytes, callsMs, isOver } satisfies MillionSample)

async function watch(): Promise<void> {
  for (;;) {
    await measure('status', async () => ({ completed } = await job.status({ limit: 0 })))
    if (completed > before) resumedMs ??= performance.now() - startedAt
    const seen = `${ORIGIN}${makePath(Math.floor(completed / 2))}`
    await measure('explain', () => job.explain(seen))
    // The first hundred.
    await measure('urls', async () => {
      const rows = job.urls()
      for (let left = 100; left > 0; left -= 1) await rows.next()
      await rows.return?.()
    })
    residentBytes = Math.max(residentBytes, process.memoryUsage.rss())
    tell(false)
    await sleep(resumedMs === undefined ? 20 : PAUSE_MS)
  }
}
process.on('disconnect', () => process.exit())
void watch()
await job.finished()
;({ completed } = await job.status({ limit: 0 }))
tell(true)
