import type { BatchScrapeJob, CrawlJob, Document, Job, SkipReason } from '../../index.js'
import type { Invocation } from '../command.js'
import { exitCodes } from '../exit-codes.js'
import { openOutput } from './open-output.js'
import { showProgress } from './progress.js'
import { countPages, printSummary, type JobSummary } from './summary.js'
import { isReaderGone } from './terminal.js'

/** Parts of a request that its output depends on. */
export interface JobOutputOptions {
  /** Value of `--formats`. */
  readonly formats: unknown
  /** Maximum number of pages, if limited. */
  readonly limit?: number | undefined
}

/**
 * Writes every page of a job to the output, and prints a summary.
 *
 * @returns the exit code
 * @throws UsageError, or the error of the output; the job then continues until the engine is closed
 */
export async function runJob(
  job: BatchScrapeJob<Document> | CrawlJob<Document>,
  { formats, limit }: JobOutputOptions,
  { options, terminal, interrupt }: Invocation,
): Promise<number> {
  const skips = new Map<SkipReason, number>()
  job.on('skipped', ({ reason }) => skips.set(reason, (skips.get(reason) ?? 0) + 1))
  const output = openOutput({ path: options.output, formats, asMarkdown: false }, terminal)
  const report = (line: string): void => {
    if (options.quiet !== true) terminal.report(line)
  }
  if (options.database !== undefined) report(`Job ${job.id}`)
  let written = 0
  let errorPages = 0
  interrupt.onForcedExit = () => {
    output.close()
    report(`Not waiting any longer. ${countPages(written)} written to ${output.destination}`)
  }
  interrupt.signal.addEventListener('abort', () => report('Stopping; a second Ctrl-C ends at once'), { once: true })
  const showsProgress = options.quiet !== true && terminal.canShowStatus(options.output === undefined)
  const hideProgress = showsProgress ? showProgress(job, limit ?? Infinity, terminal) : undefined
  try {
    for await (const document of readToEnd(job)) {
      await output.write(document)
      written += 1
      if (document.metadata.error !== undefined) errorPages += 1
    }
  } catch (error) {
    if (!isReaderGone(error)) report(`Stopped by an error. ${countPages(written)} written to ${output.destination}`)
    throw error
  } finally {
    hideProgress?.()
    output.close()
  }
  const end: JobSummary = {
    kind: job.kind,
    status: await job.finished(),
    ...(await job.errors()),
    invalidURLs: ('invalidURLs' in job ? job.invalidURLs : undefined) ?? [],
    skips,
    written,
    errorPages,
    destination: output.destination,
  }
  for (const line of printSummary(end)) report(line)
  if (end.status.error !== undefined) terminal.report(`trawl: the job failed: ${end.status.error}`)
  return interrupt.exitCode ?? exitCodeForJob(end, options.strict === true)
}

/** Yields the documents of a job, without throwing when the job fails: its status has the error. */
async function* readToEnd(job: Job<Document>): AsyncGenerator<Document, void, void> {
  try {
    yield* job
  } catch (error) {
    if ((await job.status()).status === 'scraping') throw error
  }
}

/** Returns the exit code of a command whose job has ended. */
function exitCodeForJob({ status, invalidURLs }: JobSummary, isStrict: boolean): number {
  if (!status.success || status.completed === 0) return exitCodes.failed
  return isStrict && status.failed + invalidURLs.length > 0 ? exitCodes.incomplete : exitCodes.ok
}
