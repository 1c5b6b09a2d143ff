import type { Attempt, Ending, JobLedger, LedgerRow } from '../../ledger/ledger.js'
import { channels, endSpan, startSpan } from '../../tracing/channels.js'
import type { EventLog } from '../../tracing/event-log.js'
import type { AttemptSpan, JobSpan, LedgerSpan, PageSpan } from '../../tracing/spans.js'
import { withoutSecrets } from '../../tracing/without-secrets.js'
import { withoutCredentials } from '../../url.js'

/** Result of an attempt, as far as its span shows it. */
interface TracedResult {
  readonly ending: Ending<unknown> | 'retry'
  readonly attempt?: Attempt
}

/** One write to the ledger. Disposing of it ends its span, as failed unless the rows were counted. */
export class TracedWrite implements Disposable {
  readonly #span: LedgerSpan
  readonly #log: EventLog | undefined
  #isDone = false

  constructor(operation: LedgerSpan['operation'], parent: JobSpan | undefined, log: EventLog | undefined) {
    this.#span = startSpan(channels.ledger, { parent, operation, rows: 0, refused: 0 })
    this.#log = log
  }

  /** Counts the rows that were written. */
  count(rows: number, refused = 0): void {
    this.#isDone = true
    this.#span.rows = rows
    this.#span.refused = refused
  }

  [Symbol.dispose](): void {
    endSpan(channels.ledger, this.#span, this.#isDone ? {} : { code: 'UNKNOWN_ERROR' })
    if (!this.#isDone) this.#log?.write('error', 'ledger write failed', () => ({ operation: this.#span.operation }))
  }
}

/**
 * Publishes the spans of a job, its pages, their attempts and the writes to its ledger, and logs its events. Without subscribers and
 * a logger it does nothing.
 */
export class JobTracer {
  readonly #job: Pick<JobSpan, 'jobId' | 'kind'>
  /** Pages that have no outcome yet, by the keys of their rows. */
  readonly #pages = new Map<string, PageSpan>()
  readonly #log: EventLog | undefined
  #span: JobSpan | undefined
  /** True between the start of the job and its end in this process. */
  #isStarted = false
  #ledger: Pick<JobLedger<unknown>, 'counts'> | undefined

  constructor(job: Pick<JobSpan, 'jobId' | 'kind'>, log: EventLog | undefined) {
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
  setLedger(ledger: Pick<JobLedger<unknown>, 'counts'> | undefined): void {
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
    if (span) endSpan(channels.job, span, { ...results, ...(counts && { counts }) })
    if (log) logEnd(log, results, counts)
  }

  /** Starts the span of an attempt, and that of its page with the first one. */
  startAttempt(row: LedgerRow): AttemptSpan | PageSpan | JobSpan | undefined {
    const page = this.#pages.get(row.key) ?? this.#startPage(row)
    const parent = page ?? this.#span
    if (!channels.attempt.hasSubscribers) return parent
    return startSpan(channels.attempt, {
      parent,
      url: withoutCredentials(new URL(row.url)).href,
      number: row.attempts.length + 1,
    })
  }

  #startPage(row: LedgerRow): PageSpan | undefined {
    if (!channels.page.hasSubscribers) return undefined
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

  /** Ends the span of an attempt. */
  endAttempt(span: AttemptSpan | PageSpan | JobSpan, { ending, attempt }: TracedResult): void {
    if (!('number' in span)) return
    const { fetcher, fetcherReason, statusCode, code, endedAtMs, retryAtMs } = attempt ?? {}
    endSpan(channels.attempt, span, {
      outcome: ending === 'retry' ? 'retry' : attempt ? ending.outcome : 'refused',
      ...(fetcher !== undefined && { fetcher }),
      ...(fetcherReason !== undefined && { fetcherReason }),
      ...(statusCode !== undefined && { statusCode }),
      ...(retryAtMs !== undefined && endedAtMs !== undefined && { retryDelayMs: retryAtMs - endedAtMs }),
      ...(code !== undefined && { code }),
    })
  }

  /** Starts the span of a write to the ledger. */
  startWrite(operation: LedgerSpan['operation']): TracedWrite | undefined {
    if (!channels.ledger.hasSubscribers && !this.#log) return undefined
    return new TracedWrite(operation, this.#span, this.#log)
  }

  /** Logs that a page is tried again. @param number that of the attempt, from 1 */
  noteRetry(url: string, number: number, { code, statusCode, endedAtMs, retryAtMs }: Attempt): void {
    this.#log?.write('debug', 'page retried', () => ({
      url: withoutSecrets(url),
      attempt: number,
      ...(code !== undefined && { code }),
      ...(statusCode !== undefined && { statusCode }),
      ...(retryAtMs !== undefined && { retryDelayMs: retryAtMs - endedAtMs }),
    }))
  }

  /** Ends the span of a page. @returns false when the row had none */
  endPage(row: LedgerRow, ending: Ending<unknown>): boolean {
    if (this.#log) logPage(this.#log, row, ending)
    const span = this.#pages.get(row.key)
    if (!span) return false
    this.#pages.delete(row.key)
    const { outcome } = ending
    endSpan(channels.page, span, {
      outcome,
      ...(outcome === 'done' && { documents: ending.documents.length }),
      ...(outcome === 'failed' && { code: ending.code }),
      ...(outcome === 'skipped' ? { reason: ending.refusal.reason } : { credits: ending.credits ?? 0 }),
    })
    return true
  }

  /** Counts rows that were refused together, and ends the spans of those that have one. @returns rows without a span */
  endSkipped(rows: readonly LedgerRow[]): number {
    // Most rows of a crawl pass here: without a reader of the result, none is looked at.
    if (this.#pages.size === 0 && !this.#log && !channels.ledger.hasSubscribers) return 0
    let refused = 0
    for (const row of rows) {
      const { refusal } = row
      if (refusal && !this.endPage(row, { outcome: 'skipped', refusal })) refused += row.sources?.length ?? 1
    }
    return refused
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
    ...(stoppedBy !== undefined && { stoppedBy }),
    ...(code !== undefined && { code }),
    ...counts,
  })
  if (stoppedBy !== undefined) log.write('warn', 'job stopped', describe)
  else if (state === 'failed') log.write('error', 'job failed', describe)
  else log.write('info', state === 'parked' ? 'job parked' : 'job ended', describe)
}
