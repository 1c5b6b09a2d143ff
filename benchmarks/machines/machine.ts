import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  createEngine,
  type Engine,
  type CrawlRequest,
  type Document,
  type EngineConfig,
  type Job,
  postgres,
  type TrawlError,
} from 'trawl'

/** What a process does: it runs a crawl, scrapes pages for others, or reads the documents of a crawl. */
export type MachineTask = MachinePlace &
  /** @param lists the end has documents and outcomes; without, a reader acknowledges them */
  (
    | { readonly role: 'owner'; readonly request: CrawlRequest; readonly lists: boolean }
    | { readonly role: 'worker'; readonly concurrency: number }
    | { readonly role: 'reader'; readonly request: CrawlRequest; readonly file: string }
  )

/** The database of a process, and the settings of its engine. */
export interface MachinePlace {
  readonly connectionString: string
  readonly schema: string
  readonly settings: EngineConfig
}

/** The end of a crawl. */
export interface CrawlEnd {
  readonly status: string
  readonly completed: number
  /** Documents, where they are listed: {@link describeDocument} of each. */
  readonly documents: readonly string[]
  /** Outcome of each URL, where they are listed. */
  readonly outcomes: readonly string[]
}

/** Interval of questions to a server. Milliseconds. */
const POLL_MS = 50
const KEY = 'the crawl'

/** Facts of a document that are the same in each crawl, as one line. Sites have another port each time. */
function describeDocument({ metadata, markdown, warning }: Document): string {
  const { url, depth, discoveredFrom, statusCode, title } = metadata
  const { origin } = new URL(url)
  const text = createHash('sha256')
    .update((markdown ?? '').replaceAll(origin, ''))
    .digest('hex')
  return JSON.stringify([
    url.replace(origin, ''),
    statusCode,
    depth,
    discoveredFrom?.replace(origin, ''),
    title,
    text,
    warning,
  ])
}

/** Starts the crawl of a schema, or finds it. A server that is away, and one that still has the lock of a killed process, is asked again. */
async function findCrawl(engine: Engine, request: CrawlRequest, acknowledge: boolean): Promise<Job<Document>> {
  for (;;) {
    try {
      return await engine.crawl(request, { acknowledge, idempotencyKey: KEY })
    } catch (error) {
      const { code } = error as TrawlError
      if (code !== 'JOB_HELD' && code !== 'LEDGER_ERROR') throw error
      await sleep(POLL_MS)
    }
  }
}

/** Runs a crawl up to its end, also when another process had it when this one asked. */
async function own(engine: Engine, request: CrawlRequest, lists: boolean): Promise<CrawlEnd> {
  const job = await findCrawl(engine, request, !lists)
  process.send?.('ready')
  for (;;) {
    const { status, interrupted } = await job.status({ limit: 0 })
    if (status !== 'scraping') break
    if (interrupted) await engine.resume()
    await sleep(POLL_MS)
  }
  const { status, completed, data } = await job.finished()
  const outcomes: string[] = []
  if (lists) {
    for await (const { url, outcome, refusal } of job.urls())
      outcomes.push(`${url.replace(new URL(url).origin, '')} ${outcome} ${refusal?.reason}`)
  }
  return { status, completed, documents: lists ? data.map(describeDocument) : [], outcomes }
}

/** Commits each document to a line of a file, once, whenever its process dies. */
async function read(engine: Engine, request: CrawlRequest, file: string): Promise<void> {
  const job = await findCrawl(engine, request, true)
  const last = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n').at(-1) : undefined
  if (last) await job.acknowledge((JSON.parse(last) as [number])[0])
  process.send?.('ready')
  for await (const document of job)
    appendFileSync(file, `${JSON.stringify([document.metadata.deliveryId, describeDocument(document)])}\n`)
}

const task = JSON.parse(process.argv[2] ?? '{}') as MachineTask
const { connectionString, schema, settings } = task
const engine = createEngine({ ...settings, ledger: postgres({ connectionString, schema }) })
// Exits when the parent process has ended.
process.on('disconnect', () => process.exit())
if (task.role === 'worker') {
  for (;;) {
    try {
      await engine.work({ concurrency: task.concurrency })
      break
    } catch {
      // The server is away.
      await sleep(POLL_MS)
    }
  }
  process.send?.('ready')
} else if (task.role === 'owner') {
  process.send?.(await own(engine, task.request, task.lists))
} else {
  await read(engine, task.request, task.file)
  process.send?.('read')
}
