import {
  type BatchScrapeJob,
  type CrawlJob,
  type CrawlRequest,
  type Document,
  type Job,
  type RequestIssue,
  SiteCoverage,
  TrawlError,
} from '../../index.js'
import type { Invocation } from '../command.js'
import { pagesLackText } from '../../base/text/page-warnings.js'
import { crawlDefaults } from '../../kernel/options/crawl-options.js'
import { exitCodes, strictExitCode } from '../exit-codes.js'
import { describeLostReports, findLostReports } from './lost-reports.js'
import { isLedgerFile } from './waiting-files.js'
import { wantsRows } from '../row-options.js'
import { openOutput } from './open-output.js'
import { openRowOutput } from './open-row-output.js'
import type { Output } from './output.js'
import { showProgress } from '../terminal/progress.js'
import { watchJob } from '../terminal/watch.js'
import { OutputTally } from './output-tally.js'
import { type JobSummary, type OutputUnit, printSummary, toSummaryRecord } from './summary.js'
import { nameAfterJob } from './waiting-files.js'
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
  /** Lines for the summary. */
  readonly notes?: readonly string[]
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
  nameAfterJob(invocation.waiting, job.id)
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
  const { options, terminal, waiting } = invocation
  if (wantsRows(options) && job.items) {
    const output = openRowOutput(options.output, terminal)
    return writeItems({ job, items: job.items(), output, unit: 'row' }, outputOptions, invocation)
  }
  const { formats } = outputOptions
  const output = openOutput({ path: options.output, formats, waiting, asMarkdown: false }, terminal)
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
  { limit, isParked = false, notes: given = [] }: JobOutputOptions,
  invocation: Invocation,
): Promise<number> {
  const { options, terminal, interrupt } = invocation
  const report = (line: string): void => {
    if (options.quiet !== true) terminal.report(line)
  }
  if (terminal.isJson && options.quiet !== true) terminal.reportJson({ job: { id: job.id, kind: job.kind } })
  else if (options.database !== undefined) report(`Job ${job.id}`)
  const tally = new OutputTally(output)
  const notes = [...given]
  let coverage: SiteCoverage | undefined
  let gaps: readonly string[] = []
  interrupt.onForcedExit = () => {
    output.close()
    report(`Not waiting any longer. ${tally.describe(unit)}`)
  }
  const park = stopOnSignal(invocation, isParked || isParkedBySignal(options), report)
  const hideProgress = options.quiet === true ? undefined : openProgress(job, limit, invocation)
  try {
    for await (const item of readToEnd(job, items, park)) await tally.write(item)
    const ended = park.hasParked ? undefined : await job.finished()
    if (ended) {
      coverage = await readCoverage(job, output)
      gaps = coverage.gaps(limit === undefined ? ended : ignoreLimit(ended))
    }
    if (ended?.status === 'completed' && interrupt.exitCode === undefined) {
      if (coverage) await readLacking(job.request, tally, invocation)
      notes.push(...(output.complete?.(coverage?.left ?? new Set(), coverage?.gaps(ended) ?? []) ?? []))
    }
    notes.push(...(output.describeFiles?.() ?? []))
  } catch (error) {
    if (!isReaderGone(error)) report(`Stopped by an error. ${tally.describe(unit)}`)
    throw error
  } finally {
    hideProgress?.()
    output.close()
  }
  // What was written is said below, and not again where the engine takes long to close.
  interrupt.onForcedExit = () => report('Not waiting any longer.')
  if (park.hasParked) return reportParked(job, tally.describe(unit), invocation)
  if (interrupt.exitCode !== undefined && options.database === undefined)
    notes.push('With --database FILE, a job that is stopped is kept, and `trawl resume --database FILE` continues it')
  const lost = await findLostReports(job, interrupt.signal)
  if (lost.length > 0) notes.push(describeLostReports(lost, options.database !== undefined))
  const end: JobSummary = {
    kind: job.kind,
    status: await job.finished(),
    ...(await job.errors()),
    invalidURLs: ('invalidURLs' in job ? job.invalidURLs : undefined) ?? [],
    written: tally.written,
    unchanged: tally.unchanged,
    answered: tally.answered,
    unit,
    errorPages: Math.max(0, (coverage?.errorPages ?? 0) - tally.gone),
    destination: output.destination,
    changes: Object.fromEntries(tally.changes),
    lostReports: lost.length,
    gaps,
    notes,
  }
  reportEnd(end, job.id, invocation)
  return interrupt.exitCode ?? exitCodeForJob(end, options)
}

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
function reportParked({ id }: Job<Document>, written: string, invocation: Invocation): number {
  const { options, hasMedia, terminal, interrupt } = invocation
  const { database = '', output, saveFiles, quiet } = options
  // The address of a server may have a password.
  const isNamed = isLedgerFile(database)
  const same = [...(isNamed ? [] : ['--database']), ...(saveFiles === true && hasMedia ? ['--media'] : [])]
  const words = [
    `trawl resume ${id}`,
    ...(isNamed ? [`--database ${database}`] : []),
    ...(output === undefined ? [] : [`--output ${output}`]),
    ...(saveFiles === true ? ['--save-files'] : []),
  ]
  const command = `\`${words.join(' ')}\`${same.length === 0 ? '' : ` with the same ${same.join(' and ')}`}`
  if (quiet !== true) terminal.report(`Parked. ${written}; ${command} continues the job`)
  return interrupt.exitCode ?? exitCodes.failed
}

/** Reads how much of its site a job has seen, also in earlier processes. */
async function readCoverage(job: RunnableJob, output: Output<never>): Promise<SiteCoverage> {
  const coverage = new SiteCoverage((url) => output.hasEarlier?.(url) === true)
  // An output that is made anew asks for error pages only.
  const query = output.hasEarlier ? {} : { outcome: 'done' as const }
  for await (const row of job.urls(query)) coverage.add(row)
  return coverage
}

/**
 * Reads pages again that are unchanged since an earlier crawl, and that the output does not have: it is another folder, or files were
 * deleted. The cache is not asked, as by a crawl with `since`.
 */
async function readLacking(
  request: object,
  tally: OutputTally<unknown>,
  { engine, interrupt }: Invocation,
): Promise<void> {
  const urls = tally.output.lacking?.() ?? []
  if (urls.length === 0) return
  const { scrapeOptions = {} } = request as CrawlRequest
  const formats = scrapeOptions.formats?.filter(
    // The format may be missing.
    (item): boolean => (typeof item === 'string' ? item : item.type) !== ('changeTracking' as string),
  )
  const job = engine.batchScrape({ ...scrapeOptions, formats, maxAge: 0, urls }, { signal: interrupt.signal })
  for await (const document of job) await tally.write(document)
}

/** Leaves out what the job did not read because of a limit that was asked for. */
const ignoreLimit = <Status extends JobSummary['status']>(status: Status): Status => ({
  ...status,
  skippedByReason: { ...status.skippedByReason, LIMIT: 0 },
})

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
function exitCodeForJob(
  { status, invalidURLs, errorPages, lostReports = 0, gaps = [] }: JobSummary,
  options: Invocation['options'],
): number {
  if (!status.success || status.completed === 0) return exitCodes.failed
  const lost = status.failed + invalidURLs.length + errorPages + lostReports + gaps.length
  return strictExitCode(options, lost > 0 || pagesLackText(status.warnings))
}
