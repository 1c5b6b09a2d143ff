import type { LedgerReader } from '../../ledger/ledger.js'
import type { Attempt, Claim, Ending, LedgerRow } from '../../ledger/ledger.js'
import { channels, endSpan, failureOf, startSpan } from '../../../base/tracing/channels.js'
import type { EventLog } from '../../../base/tracing/event-log.js'
import type { AttemptSpan, JobSpan, LedgerSpan, PageSpan } from '../../../base/tracing/spans.js'
import { withoutSecrets } from '../../../base/tracing/without-secrets.js'
import { withoutCredentials } from '../../../base/url.js'

/** Result of an attempt, as far as its span shows it. */
interface TracedResult {
  readonly ending: Ending<unknown> | 'retry'
  readonly attempt?: Attempt
}

/** Identity of a job in its spans and records. */
interface TracedJob {
  readonly jobId: string
  readonly kind: JobSpan['kind']
}

/**
 * Publishes the spans of a job, its pages, their attempts and the writes to its ledger, and logs its events. Without subscribers and
 * a logger it does nothing.
 */
export class JobTracer {
  readonly #job: TracedJob
  /** Pages that have no outcome yet, by the keys of their rows. */
  readonly #pages = new Map<string, PageSpan>()
  readonly #log: EventLog | undefined
  #span: JobSpan | undefined
  /** True between the start of the job and its end in this process. */
  #isStarted = false
  #ledger: LedgerReader<unknown> | undefined

  constructor(job: TracedJob, log: EventLog | undefined) {
    this.#job = job
    this.#log = log?.ofJob(job)
  }

  /** The span of the job; undefined without subscribers at its start. */
  get span(): JobSpan | undefined {
    return this.#span
  }

  /** Starts the span of the job. */
  start(isResumed: boolean): void {
    this.#isStarted = true
    this.#log?.write('info', 'job started', () => ({ isResumed }))
    if (channels.job.hasSubscribers) this.#span = startSpan(channels.job, { ...this.#job, isResumed })
  }

  /** Sets the ledger that the counters at the end are read from. */
  setLedger(ledger: LedgerReader<unknown> | undefined): void {
    this.#ledger = ledger
  }

  /** Ends the spans of the job and of the pages that have no outcome. Never rejects. */
  async end(results: Partial<JobSpan>): Promise<void> {
    const span = this.#span
    const log = this.#isStarted ? this.#log : undefined
    this.#span = undefined
    this.#isStarted = false
    for (const page of this.#pages.values()) endSpan(channels.page, page, {})
    this.#pages.clear()
    if (!span && !log?.isEnabled('error')) return
    const known = await this.#ledger?.counts().catch(() => undefined)
    const { done: completed = 0, failed = 0, skipped = 0, credits = 0 } = known ?? {}
    const counts = known && { completed, failed, skipped, credits }
    if (span) endSpan(channels.job, span, { ...results, counts })
    if (log) logEnd(log, results, counts)
  }

  /** Starts the span of an attempt, and that of its page with the first one. */
  startAttempt(row: LedgerRow): AttemptSpan | PageSpan | JobSpan | undefined {
    const page = this.#pages.get(row.key) ?? (channels.page.hasSubscribers ? this.#startPage(row) : undefined)
    const parent = page ?? this.#span
    if (!channels.attempt.hasSubscribers) return parent
    return startSpan(channels.attempt, {
      parent,
      url: withoutCredentials(new URL(row.url)).href,
      number: row.attempts.length + 1,
    })
  }

  #startPage(row: LedgerRow): PageSpan {
    const { depth, sources = [row] } = row
    const span = {
      parent: this.#span,
      url: withoutCredentials(new URL(row.url)).href,
      depth,
      positions: sources.length,
    }
    this.#pages.set(row.key, span)
    return startSpan(channels.page, span)
  }

  /** Ends the span of an attempt that failed by a defect. */
  failAttempt(span: AttemptSpan | PageSpan | JobSpan, error: unknown): void {
    if ('number' in span) endSpan(channels.attempt, span, { outcome: 'failed', ...failureOf(error) })
  }

  /** Ends the span of an attempt. */
  endAttempt(span: AttemptSpan | PageSpan | JobSpan, { ending, attempt }: TracedResult): void {
    if (!('number' in span)) return
    const { fetcher, fetcherReason, statusCode, code, endedAtMs, retryAtMs } = attempt ?? {}
    endSpan(channels.attempt, span, {
      outcome: ending === 'retry' ? 'retry' : attempt ? ending.outcome : 'refused',
      fetcher,
      fetcherReason,
      statusCode,
      retryDelayMs: retryAtMs === undefined || endedAtMs === undefined ? undefined : retryAtMs - endedAtMs,
      code,
    })
  }

  /**
   * Runs one write to the ledger as a span, which has neither the work of listeners nor the ends of pages in it.
   *
   * @returns the result of the write: the rows written, or one of them
   * @throws what the write throws
   */
  write<Result extends LedgerRow | readonly LedgerRow[] | Claim | void>(
    operation: LedgerSpan['operation'],
    run: () => Promise<Result>,
  ): Promise<Result> {
    // With nobody to tell of the write, it is no more than itself.
    return channels.ledger.hasSubscribers || this.#log ? this.#writeTold(operation, run) : run()
  }

  async #writeTold<Result extends LedgerRow | readonly LedgerRow[] | Claim | void>(
    operation: LedgerSpan['operation'],
    run: () => Promise<Result>,
  ): Promise<Result> {
    const span = channels.ledger.hasSubscribers
      ? startSpan<LedgerSpan>(channels.ledger, { parent: this.#span, operation, rows: 0, refused: 0 })
      : undefined
    try {
      const result = await run()
      if (span) endSpan(channels.ledger, span, this.#countRows(result))
      return result
    } catch (error) {
      const failure = failureOf(error)
      if (span) endSpan(channels.ledger, span, failure)
      this.#log?.write('error', 'ledger write failed', () => ({ operation, ...failure }))
      throw error
    }
  }

  /** Counts the rows of a write, and those of them that were refused without having a span. */
  #countRows(result: LedgerRow | readonly LedgerRow[] | Claim | void): { rows: number; refused: number } {
    if (!result) return { rows: 1, refused: 0 }
    if ('row' in result) {
      const { outcome, row } = result
      return { rows: outcome === 'taken' ? 0 : 1, refused: outcome === 'added' ? this.#countRefused([row]) : 0 }
    }
    return 'key' in result ? { rows: 1, refused: 0 } : { rows: result.length, refused: this.#countRefused(result) }
  }

  #countRefused(rows: readonly LedgerRow[]): number {
    let refused = 0
    for (const { refusal, key, sources } of rows) if (refusal && !this.#pages.has(key)) refused += sources?.length ?? 1
    return refused
  }

  /** Logs that a page is tried again. @param number that of the attempt, from 1 */
  noteRetry(url: string, number: number, { code, statusCode, endedAtMs, retryAtMs }: Attempt): void {
    this.#log?.write('debug', 'page retried', () => ({
      url: withoutSecrets(url),
      attempt: number,
      code,
      statusCode,
      retryDelayMs: retryAtMs === undefined ? undefined : retryAtMs - endedAtMs,
    }))
  }

  /** Ends the span of a page, if it has one. */
  endPage(row: LedgerRow, ending: Ending<unknown>): void {
    if (this.#log) logPage(this.#log, row, ending)
    const span = this.#pages.get(row.key)
    if (!span) return
    this.#pages.delete(row.key)
    const { outcome } = ending
    endSpan(channels.page, span, {
      outcome,
      documents: outcome === 'done' ? ending.documents.length : undefined,
      code: outcome === 'failed' ? ending.code : undefined,
      reason: outcome === 'skipped' ? ending.refusal.reason : undefined,
      credits: outcome === 'skipped' ? undefined : (ending.credits ?? 0),
    })
  }

  /** Ends the spans of rows that were refused together. */
  endSkipped(rows: readonly LedgerRow[]): void {
    // Most rows of a crawl pass here: without a reader of the result, none is looked at.
    if (this.#pages.size === 0 && !this.#log) return
    for (const row of rows) {
      const { refusal } = row
      if (refusal) this.endPage(row, { outcome: 'skipped', refusal })
    }
  }
}

function logPage(log: EventLog, row: LedgerRow, ending: Ending<unknown>): void {
  const url = () => withoutSecrets(row.url)
  if (ending.outcome === 'failed') {
    log.write('warn', 'page failed', () => ({ url: url(), code: ending.code }))
  } else if (ending.outcome === 'skipped') {
    log.write('debug', 'page skipped', () => ({ url: url(), reason: ending.refusal.reason }))
  } else {
    const { documents, credits = 0 } = ending
    log.write('debug', 'page done', () => ({ url: url(), documents: documents.length, credits }))
  }
}

function logEnd(log: EventLog, { state, stoppedBy, code }: Partial<JobSpan>, counts: JobSpan['counts']): void {
  const describe = () => ({
    state,
    stoppedBy,
    code,
    ...counts,
  })
  if (stoppedBy !== undefined) log.write('warn', 'job stopped', describe)
  else if (state === 'failed') log.write('error', 'job failed', describe)
  else log.write('info', state === 'parked' ? 'job parked' : 'job ended', describe)
}
