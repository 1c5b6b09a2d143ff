import { TrawlError } from '../../index.js'
import type { Command } from '../command.js'
import { exitCodes } from '../exit-codes.js'
import { resumeCommandFlags } from '../flags/command-flags.js'
import { requireStoredJobs, type StoredJobs } from '../flags/database-flags.js'
import { listTypes } from '../output/open-output.js'
import { runJob } from '../output/run-job.js'
import { nameAfterJob } from '../output/waiting-files.js'
import { UsageError } from '../usage-error.js'

/** `trawl resume [JOB]` continues a job that a process has left. */
export const resumeCommand: Command = {
  name: 'resume',
  argument: 'JOB',
  isArgumentOptional: true,
  insteadOf: ['continue', 'resume'],
  summary:
    'Continues a job of --database that its process has left, by a crash or a signal: without JOB the only one there is. All of its ' +
    'pages go where those of `trawl crawl` go, also those that were scraped before, which are not fetched again. With JOB and --output, ' +
    'those of a job that has ended are written, too.',
  example: ['trawl resume --database crawl.db --output pages.ndjson', 'Continues the job that is unfinished:'],
  mainFlags: [
    'output',
    'rows',
    'database',
    'schema',
    'concurrency',
    'strict',
    'watch',
    'json',
    'quiet',
    'help',
    'cache',
    'snapshots',
    'index',
    'fetcher',
    'proxies',
    'model-url',
    'model',
  ],
  flags: () => resumeCommandFlags,
  run: async (invocation) => {
    const { argument, options, engine, ledger, hasMedia, terminal, interrupt } = invocation
    const report = (line: string): void => {
      if (options.quiet !== true) terminal.report(line)
    }
    const jobs = requireStoredJobs(options, ledger, {
      acceptsOlder: true,
      onOlder: (file, { stored, present }) =>
        report(`${file} is brought up to date, from version ${stored} to ${present}: an older trawl then refuses it`),
    })
    const found = await (argument === ''
      ? findUnfinished(jobs)
      : findById(jobs, argument, options.output !== undefined))
    if (!found) {
      const advice = options.output === undefined ? '' : '; with JOB, the pages of one that has ended are written'
      report(`No job of the ledger is left unfinished: there is nothing to continue${advice}`)
      return exitCodes.ok
    }
    requireReadable(found)
    interrupt.signal.throwIfAborted()
    nameAfterJob(invocation.waiting, found.id)
    const job = await engine.job(found.id)
    if (!job) throw new TrawlError('JOB_NOT_FOUND', `the ledger has no job ${found.id} any more`)
    const outputOptions = readOutputOptions(job.request)
    if (options.output === undefined)
      report('--output is missing: all pages of the job go to standard output. Name it as the command of the job did')
    const hasPlace = options.saveFiles === true || hasMedia
    if (!hasPlace && listTypes(outputOptions.formats).includes('original'))
      report(
        'Warning: the job keeps files as received, and there is no place for them: add --save-files, or --media FOLDER, as its command had',
      )
    return runJob(job, { ...outputOptions, isParked: true }, invocation)
  },
}

type StoredJob = Awaited<ReturnType<StoredJobs['listInterrupted']>>[number]

/** Finds the only unfinished job, or the only one that can be read here. @throws UsageError where there are several */
async function findUnfinished(jobs: StoredJobs): Promise<StoredJob | undefined> {
  const left = await jobs.listInterrupted()
  const readable = left.filter(({ acknowledges }) => !acknowledges)
  if (readable.length <= 1) return readable[0] ?? left[0]
  const names = readable
    .slice(0, MAX_NAMED)
    .map(({ id, createdAtMs }) => `${id} (${new Date(createdAtMs).toISOString()})`)
  const more = readable.length > MAX_NAMED ? ', and others, which `trawl jobs` lists' : ''
  throw new UsageError([
    `JOB is missing: the ledger has ${readable.length} unfinished jobs: name one of ${names.join(', ')}${more}`,
  ])
}

/** Maximum jobs that a message names. */
const MAX_NAMED = 20

/**
 * Finds a job to continue, or one that has ended, whose pages are only written.
 *
 * @throws TrawlError `JOB_NOT_FOUND`, `JOB_HELD`, `JOB_FINISHED`
 */
async function findById(jobs: StoredJobs, id: string, takesEnded: boolean): Promise<StoredJob> {
  const found = await jobs.read(id)
  if (!found)
    throw new TrawlError('JOB_NOT_FOUND', `the ledger has no job ${id}: \`trawl jobs\` lists those that it has`)
  const { stored, isHeld } = found
  if (isHeld) throw new TrawlError('JOB_HELD', `job ${id} is run by another process`)
  if (stored.state === 'scraping' || takesEnded) return stored
  const stop =
    stored.stoppedBy === undefined
      ? ''
      : `, stopped by its limit of ${stored.stoppedBy}: \`job.resume({ budget })\` of the library raises it`
  throw new TrawlError(
    'JOB_FINISHED',
    `job ${id} has ended (${stored.state}${stop}): with --output, its pages are written there`,
  )
}

/** Refuses a job whose documents are for another reader, as reading acknowledges and may delete them. @throws TrawlError `BAD_REQUEST` */
function requireReadable({ id, acknowledges }: StoredJob): void {
  if (!acknowledges) return
  const message =
    `job ${id} was started with \`acknowledge\`: what is read here is not delivered to its service any more. ` +
    'Continue it there, with `engine.resume()`'
  throw new TrawlError('BAD_REQUEST', message)
}

/** Reads the parts of a stored request that the output depends on. */
function readOutputOptions(request: object): { formats: unknown; limit?: number } {
  const { formats, scrapeOptions, limit } = request as {
    formats?: unknown
    scrapeOptions?: { formats?: unknown }
    limit?: number
  }
  return { formats: scrapeOptions?.formats ?? formats, limit }
}
