import type { BatchScrapeJob, CrawlJob, Document, Job, SkipReason } from '../../index.js'
import type { Invocation } from '../command.js'
import { crawlDefaults } from '../../options/crawl-options.js'
import { exitCodes } from '../exit-codes.js'
import { wantsRows } from '../row-options.js'
import { openOutput } from './open-output.js'
import { openRowOutput } from './open-row-output.js'
import type { Output } from './output.js'
import { showProgress } from '../terminal/progress.js'
import { watchJob } from '../terminal/watch.js'
import { countItems, type JobSummary, type OutputUnit, printSummary, toSummaryRecord } from './summary.js'
import { isReaderGone } from '../terminal/terminal.js'

/** Parts of a request that its output depends on. */
export interface JobOutputOptions {
  /** Value of `--formats`. */
  readonly formats: unknown
  /** Maximum number of pages, if limited. */
  readonly limit?: number | undefined
}

/**
 * Writes every page of a job, or every row of their lists, to the output, and prints a summary.
 *
 * @returns the exit code
 * @throws UsageError, or the error of the output; the job then continues until the engine is closed
 */
export async function runJob(
  job: BatchScrapeJob<Document> | CrawlJob<Document>,
  outputOptions: JobOutputOptions,
  invocation: Invocation,
): Promise<number> {
  const { options, terminal } = invocation
  if (wantsRows(options)) {
    const output = openRowOutput(options.output, terminal)
    return writeItems({ job, items: job.items(), output, unit: 'row' }, outputOptions, invocation)
  }
  const { formats } = outputOptions
  const output = openOutput({ path: options.output, formats, asMarkdown: false }, terminal)
  return writeItems({ job, items: job, output, unit: 'page' }, outputOptions, invocation)
}

/** Items of a job, and their output. */
interface JobItemOutput<Item> {
  readonly job: BatchScrapeJob<Document> | CrawlJob<Document>
  readonly items: AsyncIterable<Item>
  readonly output: Output<Item>
  readonly unit: OutputUnit
}

async function writeItems<Item>(
  { job, items, output, unit }: JobItemOutput<Item>,
  { limit }: JobOutputOptions,
  { options, terminal, interrupt }: Invocation,
): Promise<number> {
  const skips = new Map<SkipReason, number>()
  job.on('skipped', ({ reason }) => skips.set(reason, (skips.get(reason) ?? 0) + 1))
  const report = (line: string): void => {
    if (options.quiet !== true) terminal.report(line)
  }
  if (terminal.isJson && options.quiet !== true) terminal.reportJson({ job: { id: job.id, kind: job.kind } })
  else if (options.database !== undefined) report(`Job ${job.id}`)
  let written = 0
  let errorPages = 0
  job.on('document', ({ metadata }) => (errorPages += metadata.error === undefined ? 0 : 1))
  interrupt.onForcedExit = () => {
    output.close()
    report(`Not waiting any longer. ${countItems(written, unit)} written to ${output.destination}`)
  }
  interrupt.signal.addEventListener('abort', () => report('Stopping; a second Ctrl-C ends at once'), { once: true })
  const hideProgress = options.quiet === true ? undefined : openProgress(job, limit, { options, terminal, interrupt })
  try {
    for await (const item of readToEnd(job, items)) {
      await output.write(item)
      written += 1
    }
  } catch (error) {
    if (!isReaderGone(error))
      report(`Stopped by an error. ${countItems(written, unit)} written to ${output.destination}`)
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
    unit,
    errorPages,
    destination: output.destination,
  }
  reportEnd(end, { id: job.id, terminal, isQuiet: options.quiet === true })
  return interrupt.exitCode ?? exitCodeForJob(end, options.strict === true)
}

/** Shows the progress of a job, as its flags say. @returns a function that ends this; undefined if nothing is shown */
function openProgress(
  job: Job<Document>,
  limit: number | undefined,
  { options, terminal, interrupt }: Pick<Invocation, 'options' | 'terminal' | 'interrupt'>,
): (() => void) | undefined {
  const printsPages = options.output === undefined
  if (options.watch === true) {
    const most = limit ?? (job.kind === 'crawl' ? crawlDefaults.limit : Infinity)
    return watchJob(job, { limit: most, terminal, signal: interrupt.signal, printsPages })
  }
  return terminal.canShowStatus(printsPages) ? showProgress(job, limit ?? Infinity, terminal) : undefined
}

/** Reports the end of a job, and the error of one that failed. */
function reportEnd(
  end: JobSummary,
  { id, terminal, isQuiet }: { id: string; terminal: Invocation['terminal']; isQuiet: boolean },
): void {
  const { error, code } = end.status
  if (terminal.isJson) {
    if (!isQuiet) terminal.reportJson({ summary: toSummaryRecord(id, end) })
    if (error !== undefined) terminal.reportJson({ error: { code, message: error } })
    return
  }
  if (!isQuiet) for (const line of printSummary(end)) terminal.report(line)
  if (error !== undefined) terminal.report(`trawl: the job failed: ${error}`)
}

/** Yields the items of a job, without throwing when the job fails: its status has the error. */
async function* readToEnd<Item>(job: Job<Document>, items: AsyncIterable<Item>): AsyncGenerator<Item, void, void> {
  try {
    yield* items
  } catch (error) {
    if ((await job.status()).status === 'scraping') throw error
  }
}

/** Returns the exit code of a command whose job has ended. */
function exitCodeForJob({ status, invalidURLs }: JobSummary, isStrict: boolean): number {
  if (!status.success || status.completed === 0) return exitCodes.failed
  return isStrict && status.failed + invalidURLs.length > 0 ? exitCodes.incomplete : exitCodes.ok
}
