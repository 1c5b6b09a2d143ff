import { type Engine, type JobOverview, TrawlError, type WorkerOverview } from '../../index.js'
import type { Command } from '../command.js'
import { strictExitCode } from '../exit-codes.js'
import { listCommandFlags } from '../flags/command-flags.js'
import { requireSharedDatabase, requireStoredJobs } from '../flags/database-flags.js'
import { alignColumns } from '../output/align-columns.js'

const JOB_HEADINGS = ['ID', 'KIND', 'STATUS', 'ENGINE', 'DONE', 'FAILED', 'SKIPPED', 'QUEUED', 'CREATED']

const WORKER_HEADINGS = ['WORKER', 'PLACES', 'ACTIVE', 'SEEN', 'VERSION']

/** `trawl jobs` lists the jobs of a ledger, or of the engines that share a database. */
export const jobsCommand: Command = {
  name: 'jobs',
  summary:
    'Lists the jobs of --database, an SQLite ledger or the PostgreSQL database that engines share, newest first, or with --workers those ' +
    'who scrape pages for them.',
  example: ['trawl jobs --database crawl.db', 'Lists the jobs of a ledger:'],
  scrapesNothing: true,
  flags: () => listCommandFlags,
  run: async ({ options, engine, ledger, terminal }) => {
    requireStoredJobs(options, ledger)
    if (options.workers === true) requireSharedDatabase(options, '--workers')
    const isJson = options.json === true
    const jobs = options.workers === true ? [] : await readJobs(engine)
    const lines = options.workers === true ? await listWorkers(engine, isJson) : listJobs(jobs, isJson)
    for (const line of lines) await (isJson ? terminal.print(`${line}\n`) : terminal.printLine(line))
    return strictExitCode(
      options,
      jobs.some(({ status, interrupted }) => status === 'failed' || interrupted),
    )
  },
}

const listJobs = (jobs: readonly JobOverview[], isJson: boolean): readonly string[] =>
  isJson ? jobs.map((job) => JSON.stringify(job)) : alignColumns(JOB_HEADINGS, jobs.map(jobCells))

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

/** Jobs read at once. */
const PAGE_SIZE = 1000

/** Reads all jobs of the ledger of an engine, newest first. @throws TrawlError `LEDGER_ERROR` */
async function readJobs(engine: Engine): Promise<readonly JobOverview[]> {
  const jobs: JobOverview[] = []
  for (;;) {
    const some = await engine.listJobs({ skip: jobs.length, limit: PAGE_SIZE })
    jobs.push(...some)
    if (some.length < PAGE_SIZE) return jobs
  }
}
