import {
  type BatchScrapeJob,
  type CrawlJob,
  type Document,
  type Job,
  type RequestIssue,
  TrawlError,
} from '../../index.js'
import type { Invocation } from '../command.js'
import { crawlDefaults } from '../../kernel/options/crawl-options.js'
import { exitCodes, strictExitCode } from '../exit-codes.js'
import { isLedgerFile } from '../ledger-file.js'
import { wantsRows } from '../row-options.js'
import { openOutput } from './open-output.js'
import { openRowOutput } from './open-row-output.js'
import type { Output } from './output.js'
import { showProgress } from '../terminal/progress.js'
import { watchJob } from '../terminal/watch.js'
import { describeWritten, type JobSummary, type OutputUnit, printSummary, toSummaryRecord } from './summary.js'
import { isReaderGone } from '../terminal/terminal.js'
import { nameFlags, withUsageErrors } from '../to-usage-error.js'

/** A job that was started, or found by its id. */
type RunnableJob = (BatchScrapeJob<Document> | CrawlJob<Document> | Job<Document>) & RowSource

/** A job whose lists can be read as rows. */
interface RowSource {
  readonly items?: () => AsyncIterable<object>
}

/** Parts of a request that its output depends on. */
interface JobOutputOptions {
  /** Value of `--formats`. */
  readonly formats: unknown
  /** Maximum number of pages, if limited. */
  readonly limit?: number
  /** True if the first signal parks the job also on a server. @default false, it is parked in a file only */
  readonly isParked?: boolean
}

/** Start of the job of a command. */
interface JobStart {
  readonly start: (call: { signal?: AbortSignal }) => RunnableJob
  /** Flags by which errors about the request name its options. */
  readonly flags: Invocation['flags']
  /** Names what is no flag, for an error about it. */
  readonly nameArgument: (path: RequestIssue['path']) => string
}

/**
 * Starts the job of a command and writes what it gives, as {@link runJob} does. A signal cancels it, unless it parks it.
 *
 * @throws UsageError with every issue of the request
 */
export function startJob(
  { start, flags, nameArgument }: JobStart,
  outputOptions: JobOutputOptions,
  invocation: Invocation,
): Promise<number> {
  const signal = isParkedBySignal(invocation.options) ? undefined : invocation.interrupt.signal
  const job = withUsageErrors(flags, nameArgument, () => start({ signal }))
  return runJob(job, outputOptions, invocation)
}

/**
 * Writes every page of a job, or every row of their lists, to the output, and prints a summary.
 *
 * @returns the exit code
 * @throws UsageError, or the error of the output; the job then continues until the engine is closed
 */
export async function runJob(
  job: RunnableJob,
  outputOptions: JobOutputOptions,
  invocation: Invocation,
): Promise<number> {
  const { options, terminal } = invocation
  if (wantsRows(options) && job.items) {
    const output = openRowOutput(options.output, terminal)
    return writeItems({ job, items: job.items(), output, unit: 'row' }, outputOptions, invocation)
  }
  const { formats } = outputOptions
  const output = openOutput({ path: options.output, formats, asMarkdown: false }, terminal)
  return writeItems({ job, items: job, output, unit: 'page' }, outputOptions, invocation)
}

/** Items of a job, and their output. */
interface JobItemOutput<Item> {
  readonly job: RunnableJob
  readonly items: AsyncIterable<Item>
  readonly output: Output<Item>
  readonly unit: OutputUnit
}

/** Tells whether the first signal parks the job of a command, for `trawl resume`, or cancels it. */
const isParkedBySignal = ({ database }: Invocation['options']): boolean =>
  database !== undefined && isLedgerFile(database)

async function writeItems<Item>(
  { job, items, output, unit }: JobItemOutput<Item>,
  { limit, isParked = false }: JobOutputOptions,
  invocation: Invocation,
): Promise<number> {
  const { options, terminal, interrupt } = invocation
  const report = (line: string): void => {
    if (options.quiet !== true) terminal.report(line)
  }
  if (terminal.isJson && options.quiet !== true) terminal.reportJson({ job: { id: job.id, kind: job.kind } })
  else if (options.database !== undefined) report(`Job ${job.id}`)
  let written = 0
  /** Pages of an earlier crawl that are gone: that they answer 404 is no fault. */
  let gone = 0
  const changes = new Map<string, number>()
  const notes: string[] = []
  interrupt.onForcedExit = () => {
    output.close()
    report(`Not waiting any longer. ${describeWritten(written, unit, output.destination)}`)
  }
  const park = stopOnSignal(invocation, isParked || isParkedBySignal(options), report)
  const hideProgress = options.quiet === true ? undefined : openProgress(job, limit, invocation)
  try {
    for await (const item of readToEnd(job, items, park)) {
      await output.write(item)
      if (output.omits?.(item) !== true) written += 1
      const change = readChange(item)
      if (change === 'removed') gone += 1
      if (change !== undefined) changes.set(change, (changes.get(change) ?? 0) + 1)
    }
    const ended = park.hasParked ? undefined : await job.finished()
    if (ended?.status === 'completed' && interrupt.exitCode === undefined)
      notes.push(...(output.complete?.(ended.failed > 0) ?? []))
  } catch (error) {
    if (!isReaderGone(error)) report(`Stopped by an error. ${describeWritten(written, unit, output.destination)}`)
    throw error
  } finally {
    hideProgress?.()
    output.close()
  }
  if (park.hasParked) return reportParked(job, describeWritten(written, unit, output.destination), invocation)
  const end: JobSummary = {
    kind: job.kind,
    status: await job.finished(),
    ...(await job.errors()),
    invalidURLs: ('invalidURLs' in job ? job.invalidURLs : undefined) ?? [],
    written,
    unit,
    errorPages: Math.max(0, (await countErrorPages(job)) - gone),
    destination: output.destination,
    changes: Object.fromEntries(changes),
    notes,
  }
  reportEnd(end, job.id, invocation)
  return interrupt.exitCode ?? exitCodeForJob(end, options)
}

/** Reads how a page has changed since an earlier crawl; undefined for a page that is not compared, and for a row. */
const readChange = (item: unknown): string | undefined => (item as Partial<Document>).changeTracking?.changeStatus

/** State of the stop of a job that is parked by the first signal. */
interface Park {
  /** True once a signal has closed the engine, which leaves the job for `trawl resume`. */
  isParking: boolean
  /** True if the job was unfinished then. */
  hasParked: boolean
}

/**
 * Says on the first signal that the job is stopped, and parks it if `parks` is true. A job that another process runs goes on there.
 */
function stopOnSignal(
  { engine, interrupt: { signal } }: Invocation,
  parks: boolean,
  report: (line: string) => void,
): Park {
  const park: Park = { isParking: false, hasParked: false }
  const stop = (): void => {
    report('Stopping; a second Ctrl-C ends at once')
    if (!parks) return
    park.isParking = true
    // Its error is that of the end of the command as well, which closes the engine again.
    void engine.close({ drain: false }).catch(() => undefined)
  }
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  return park
}

/** Reports a job that a signal has parked. @returns the exit code */
function reportParked({ id }: Job<Document>, written: string, { options, terminal, interrupt }: Invocation): number {
  const { database = '', quiet } = options
  // The address of a server may have a password.
  const command = isLedgerFile(database)
    ? `\`trawl resume ${id} --database ${database}\``
    : `\`trawl resume ${id}\` with the same --database`
  if (quiet !== true) terminal.report(`Parked. ${written}; ${command} continues the job`)
  return interrupt.exitCode ?? exitCodes.failed
}

/** Counts the pages with an error status of the site, also those of earlier processes. */
async function countErrorPages(job: RunnableJob): Promise<number> {
  let pages = 0
  for await (const { attempts, sources } of job.urls({ outcome: 'done' })) {
    const status = attempts.at(-1)?.statusCode ?? 200
    if (status < 200 || status >= 300) pages += sources?.length ?? 1
  }
  return pages
}

/** Shows the progress of a job, as its flags say. @returns a function that ends this; undefined if nothing is shown */
function openProgress(
  job: Job<Document>,
  limit: number | undefined,
  { options, terminal, interrupt }: Invocation,
): (() => void) | undefined {
  const printsPages = options.output === undefined
  if (options.watch === true) {
    const most = limit ?? (job.kind === 'crawl' ? crawlDefaults.limit : Infinity)
    return watchJob(job, { limit: most, terminal, signal: interrupt.signal, printsPages })
  }
  return terminal.canShowStatus(printsPages) ? showProgress(job, limit ?? Infinity, terminal) : undefined
}

/** Reports the end of a job, and the error of one that failed. */
function reportEnd(end: JobSummary, id: string, { terminal, flags, options }: Invocation): void {
  const { code } = end.status
  const toFlags = (message: string): string => nameFlags(message, flags)
  const error = end.status.error === undefined ? undefined : toFlags(end.status.error)
  const isQuiet = options.quiet === true
  if (terminal.isJson) {
    if (!isQuiet) terminal.reportJson({ summary: toSummaryRecord(id, end) })
    if (error !== undefined) terminal.reportJson({ error: { code, message: error } })
    return
  }
  if (!isQuiet) for (const line of printSummary(end, toFlags)) terminal.report(line)
  if (error !== undefined) terminal.report(`trawl: the job failed: ${error}`)
}

/** Yields the items of a job, without throwing when the job fails, because its status has the error, or when it is parked. */
async function* readToEnd<Item>(
  job: Job<Document>,
  items: AsyncIterable<Item>,
  park: Park,
): AsyncGenerator<Item, void, void> {
  try {
    yield* items
  } catch (error) {
    if (park.isParking && error instanceof TrawlError && error.code === 'ENGINE_CLOSED') {
      park.hasParked = true
      return
    }
    if ((await job.status()).status === 'scraping') throw error
  }
}

/** Returns the exit code of a command whose job has ended. */
function exitCodeForJob({ status, invalidURLs, errorPages }: JobSummary, options: Invocation['options']): number {
  if (!status.success || status.completed === 0) return exitCodes.failed
  return strictExitCode(options, status.failed + invalidURLs.length + errorPages > 0)
}
