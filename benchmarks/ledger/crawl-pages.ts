import { createEngine, type Ledger, memoryLedger, sqlite } from 'trawl'

/** Ledger or setting with which a crawl stores its documents. */
export type Mode = 'memory' | 'memory with a temporary file' | 'retain: false' | 'SQLite'

/** Crawl to measure. */
export interface LedgerTask {
  readonly mode: Mode
  readonly start: string
  readonly pages: number
  /** Folder for the files of the ledger. */
  readonly folder: string
}

/** Cost of the crawl. */
export interface LedgerCost {
  /** Pages per second, by tenth of the pages. */
  readonly pagesPerSecond: readonly number[]
  /** Resident set of the process after each tenth. */
  readonly residentBytes: readonly number[]
  readonly completed: number
  readonly seconds: number
  /** Processor time of all threads, which depends less than `seconds` on other work on the machine. */
  readonly cpuSeconds: number
}

const { mode, start, pages, folder } = JSON.parse(process.argv[2] ?? '{}') as LedgerTask

const ledgers: Readonly<Record<Mode, () => Ledger>> = {
  memory: () => memoryLedger(),
  'memory with a temporary file': () => memoryLedger({ spillTo: folder, maxBytes: 16 * 1024 * 1024 }),
  'retain: false': () => memoryLedger(),
  SQLite: () => sqlite(`${folder}/crawl.db`),
}

await using engine = createEngine({
  allowPrivateNetworks: true,
  fetcher: 'http',
  cache: false,
  ledger: ledgers[mode](),
})
const pagesPerSecond: number[] = []
const residentBytes: number[] = []
const startedAt = performance.now()
let tenthAt = startedAt
let read = 0
const job = engine.crawl({
  url: start,
  limit: pages,
  sitemap: 'skip',
  ignoreRobotsTxt: true,
  crawlEntireDomain: true,
  retain: mode !== 'retain: false',
})
for await (const document of job) {
  if (document.markdown.length === 0) throw new Error(`${document.metadata.url} is empty`)
  read += 1
  if (read % Math.ceil(pages / 10) !== 0 && read !== pages) continue
  const now = performance.now()
  pagesPerSecond.push((pages / 10 / (now - tenthAt)) * 1000)
  residentBytes.push(process.memoryUsage().rss)
  tenthAt = now
}
const { completed } = await job.finished()
const { user, system } = process.cpuUsage()
const cost: LedgerCost = {
  pagesPerSecond,
  residentBytes,
  completed,
  seconds: (performance.now() - startedAt) / 1000,
  cpuSeconds: (user + system) / 1e6,
}
process.send?.(cost)
