import { type Engine, type JobOverview, TrawlError, type WorkerOverview } from '../../index.js'
import type { Command } from '../command.js'
import { exitCodes } from '../exit-codes.js'
import { listCommandFlags } from '../flags/command-flags.js'
import { requireDatabase } from '../flags/database-flags.js'
import { alignColumns } from '../output/align-columns.js'

/** Jobs read at once. */
const PAGE_SIZE = 1000

const JOB_HEADINGS = ['ID', 'KIND', 'STATUS', 'ENGINE', 'DONE', 'FAILED', 'SKIPPED', 'QUEUED', 'CREATED']

const WORKER_HEADINGS = ['WORKER', 'PLACES', 'ACTIVE', 'SEEN', 'VERSION']

/** `trawl jobs` lists the jobs of the engines that share a database. */
export const jobsCommand: Command = {
  name: 'jobs',
  summary:
    'Lists the jobs of the engines that share the PostgreSQL database of --database, newest first, or with --workers those who scrape pages for them.',
  scrapesNothing: true,
  flags: () => listCommandFlags,
  run: async ({ options, engine, terminal }) => {
    requireDatabase(options)
    const isJson = options.json === true
    const lines = options.workers === true ? await listWorkers(engine, isJson) : await listJobs(engine, isJson)
    for (const line of lines) await terminal.print(`${line}\n`)
    return exitCodes.ok
  },
}

async function listJobs(engine: Engine, isJson: boolean): Promise<readonly string[]> {
  const jobs = await readJobs(engine)
  return isJson ? jobs.map((job) => JSON.stringify(job)) : alignColumns(JOB_HEADINGS, jobs.map(jobCells))
}

async function readJobs(engine: Engine): Promise<readonly JobOverview[]> {
  const jobs: JobOverview[] = []
  for (;;) {
    const some = await engine.listJobs({ skip: jobs.length, limit: PAGE_SIZE })
    jobs.push(...some)
    if (some.length < PAGE_SIZE) return jobs
  }
}

/** @throws TrawlError `LEDGER_ERROR` */
async function listWorkers(engine: Engine, isJson: boolean): Promise<readonly string[]> {
  const { ledger, workers = [] } = await engine.health()
  if (ledger.error !== undefined) throw new TrawlError('LEDGER_ERROR', ledger.error)
  return isJson
    ? workers.map((worker) => JSON.stringify(worker))
    : alignColumns(WORKER_HEADINGS, workers.map(workerCells))
}

const workerCells = ({ id, concurrency, active, lastSeenMs, version }: WorkerOverview): readonly string[] =>
  [id, concurrency, active, `${(lastSeenMs / 1000).toFixed(1)} s ago`, version].map(String)

function jobCells({
  id,
  kind,
  status,
  interrupted,
  completed,
  failed,
  skipped,
  queued,
  active,
  createdAt,
}: JobOverview) {
  const engine = status !== 'scraping' ? '-' : interrupted ? 'none' : 'alive'
  return [id, kind, status, engine, completed, failed, skipped, queued + active, createdAt].map(String)
}
