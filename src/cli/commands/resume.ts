import { type Engine, type JobOverview, TrawlError } from '../../index.js'
import type { Command } from '../command.js'
import { resumeCommandFlags } from '../flags/command-flags.js'
import { requireStoredJobs } from '../flags/database-flags.js'
import { isLedgerFile } from '../ledger-file.js'
import { readJobs } from '../output/read-jobs.js'
import { runJob } from '../output/run-job.js'

/** `trawl resume [JOB]` continues a job that a process has left. */
export const resumeCommand: Command = {
  name: 'resume',
  argument: 'JOB',
  isArgumentOptional: true,
  summary:
    'Continues a job of --database that its process has left, by a crash or a signal: without JOB the only one there is. All of its ' +
    'pages go where those of `trawl crawl` go, also those that were scraped before, which are not fetched again.',
  flags: () => resumeCommandFlags,
  run: async (invocation) => {
    const { argument, options, engine, interrupt } = invocation
    await requireStoredJobs(options)
    const id = await findInterrupted(engine, argument)
    const job = engine.job(id)
    if (!job) throw new TrawlError('JOB_NOT_FOUND', `the ledger has no job ${id} any more`)
    if (!isLedgerFile(options.database ?? '')) {
      const cancel = (): void => void job.cancel().catch(() => undefined)
      interrupt.signal.addEventListener('abort', cancel, { once: true })
    }
    return runJob(job, readOutputOptions(job.request), invocation)
  },
}

/** Finds the job to continue. @throws TrawlError for one that cannot be continued, and where there are none or several */
async function findInterrupted(engine: Engine, id: string): Promise<string> {
  const jobs = await readJobs(engine)
  if (id !== '') {
    requireInterrupted(
      id,
      jobs.find((job) => job.id === id),
    )
    return id
  }
  const [first, ...more] = jobs.filter(({ interrupted }) => interrupted)
  if (!first) throw new TrawlError('JOB_NOT_FOUND', 'no job of the ledger was left unfinished')
  if (more.length === 0) return first.id
  const names = [first, ...more].map((job) => `${job.id} (${job.createdAt})`)
  throw new TrawlError('BAD_REQUEST', `the ledger has ${names.length} unfinished jobs: name one of ${names.join(', ')}`)
}

/** @throws TrawlError `JOB_NOT_FOUND`, `JOB_HELD`, `JOB_FINISHED` */
function requireInterrupted(id: string, job: JobOverview | undefined): void {
  if (!job) throw new TrawlError('JOB_NOT_FOUND', `the ledger has no job ${id}: \`trawl jobs\` lists those that it has`)
  if (job.interrupted) return
  if (job.status === 'scraping') throw new TrawlError('JOB_HELD', `job ${id} is run by another process`)
  const stop =
    job.stoppedBy === undefined
      ? ''
      : `, stopped by its limit of ${job.stoppedBy}: \`job.resume({ budget })\` of the library raises it`
  throw new TrawlError('JOB_FINISHED', `job ${id} has ended (${job.status}${stop})`)
}

/** Reads the parts of a stored request that the output depends on. */
function readOutputOptions(request: object): { formats: unknown; limit?: number } {
  const { formats, scrapeOptions, limit } = request as {
    formats?: unknown
    scrapeOptions?: { formats?: unknown }
    limit?: number
  }
  return { formats: scrapeOptions?.formats ?? formats, ...(limit !== undefined && { limit }) }
}
