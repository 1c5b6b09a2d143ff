import type { RowAttempt } from '../attempt/attempt-row.js'
import type { Document } from '../../page/document.js'
import type {
  Attempt,
  UrlCandidate,
  Claim,
  Ending,
  JobLedger,
  LedgerRow,
  Refusal,
  RowEnd,
} from '../../ledger/ledger.js'
import type { DocumentStream } from '../delivery/document-stream.js'
import { toldBy } from './deferred-pages.js'
import type { BudgetTracker } from '../lifecycle/budget-tracker.js'
import type { JobEmitter } from '../lifecycle/job-emitter.js'
import type { JobRecord } from '../lifecycle/job-record.js'
import type { JobTracer } from '../lifecycle/job-tracer.js'
import type { JobHooks } from '../job-hooks.js'
import type { JobReporters } from '../job-reporter.js'
import type { JobStrategy } from '../job-strategy.js'
import type { JobTools } from '../job-tools.js'
import { withoutDocuments } from '../attempt/redact-attempt.js'
import { cutWarning, UNKEPT_WARNING } from '../../ledger/page-warnings.js'
import { addMissingCopies, appendDuplicates } from './append-duplicates.js'
import { writeNote } from './page-note.js'

/** Parts of a job that its outcomes are recorded in. */
export interface RecorderOptions {
  readonly id: string
  readonly record: JobRecord
  readonly strategy: JobStrategy
  readonly tools: JobTools
  readonly ledger: JobLedger<Document>
  readonly stream: DocumentStream<Document>
  readonly events: JobEmitter<Document>
  readonly tracer: JobTracer
  readonly budgetTracker: BudgetTracker
  readonly reporters: JobReporters
  /** Hooks of the features that the job asks for, in order. */
  readonly hooks: readonly JobHooks[]
  /** True when documents are delivered once and not stored in the ledger. */
  readonly isTransient: boolean
  /** True when the ledger outlives the process, so that another one may resume the job. */
  readonly isKept: boolean
}

/** Records the outcomes of a job in the ledger, then notifies listeners, readers and reporters. */
export class OutcomeRecorder {
  readonly #job: RecorderOptions

  constructor(job: RecorderOptions) {
    this.#job = job
  }

  async admit(candidates: readonly UrlCandidate[]): Promise<readonly LedgerRow[]> {
    const { ledger, tools, tracer } = this.#job
    const added = await tracer.write('admit', () => ledger.admit(candidates, tools.now()))
    tracer.endSkipped(added)
    this.#notifySkipped(added)
    return added
  }

  async claim(candidate: UrlCandidate & { refused: Refusal }): Promise<Claim> {
    const { ledger, tools, events, tracer } = this.#job
    const claim = await tracer.write('claim', () => ledger.claim(candidate, tools.now()))
    if (claim.outcome === 'added') tracer.endSkipped([claim.row])
    // For a row that was refused before, the event was emitted at that time.
    if (claim.outcome === 'added') events.emitSafely('skipped', { url: candidate.url, ...candidate.refused })
    return claim
  }

  /** Records an attempt after which the page is tried again. */
  async recordRetry(row: LedgerRow, attempt: Attempt): Promise<void> {
    const { ledger, tracer, budgetTracker } = this.#job
    ledger.recordUse(budgetTracker.use)
    // A ledger in memory adds the attempt to this very row.
    const number = row.attempts.length + 1
    await tracer.write('retry', () => ledger.retry(row.key, attempt))
    tracer.noteRetry(row.url, number, attempt)
  }

  async recordEnding(row: LedgerRow, result: RowAttempt<Ending<Document>>): Promise<void> {
    const { tools, strategy, hooks, reporters, isTransient, isKept, tracer } = this.#job
    const { attempt, finalUrl, duplicateOf } = result
    const note = isKept ? writeNote({ page: result.note, ...toldBy(result) }) : undefined
    // Features first: after a crash they have at least what the ledger has.
    let taken = result.ending
    for (const hook of hooks) taken = (await hook.ended?.(row, taken)) ?? taken
    const ending = addMissingCopies(taken, row, strategy)
    const reports = reporters.take(row, ending, attempt !== undefined || row.attempts.length > 0)
    const warning = ending.outcome === 'done' ? ending.documents[0]?.warning : undefined
    const rowEnd = {
      nowMs: tools.now(),
      note,
      attempt,
      finalUrl,
      duplicateOf,
      reports,
      // A warning may quote the page.
      warning: warning === undefined ? undefined : strategy.zeroDataRetention ? UNKEPT_WARNING : cutWarning(warning),
    }
    const ended = await this.#writeEnding(row.key, isTransient ? withoutDocuments(ending) : ending, rowEnd)
    tracer.endPage(row, ending)
    await this.#notify(ended, ending)
    reporters.flush()
  }

  async #writeEnding(key: string, ending: Ending<Document>, rowEnd: RowEnd): Promise<LedgerRow> {
    const { ledger, tracer, budgetTracker } = this.#job
    ledger.recordUse(budgetTracker.use)
    return tracer.write('end', () => ledger.end(key, ending, rowEnd))
  }

  /** Skips all remaining rows. */
  async skipRemaining(decide: (row: LedgerRow) => Promise<Refusal>): Promise<void> {
    const { ledger, tools, tracer } = this.#job
    // Pages that were given up because the engine was closed: the job was cancelled after that.
    for (const { key } of await ledger.rows({ outcome: 'active' })) await ledger.putBack(key)
    const rows = await tracer.write('skip', () => ledger.skipQueued(decide, tools.now()))
    tracer.endSkipped(rows)
    this.#notifySkipped(rows)
  }

  /** Appends pages to a batch. Resolves when they are written: a process that dies afterwards loses none. */
  async append(candidates: readonly UrlCandidate[]): Promise<void> {
    const { ledger, stream, events, reporters } = this.#job
    await appendDuplicates(
      candidates,
      this.#job,
      (fresh) => this.admit(fresh),
      ({ documents, bytes, ended }) => {
        stream.push(documents, bytes, this.#isObserved)
        for (const document of documents) events.emitSafely('document', document)
        if (ended) this.#notifyWithoutDocument(ended)
      },
    )
    reporters.flush()
    await ledger.written()
  }

  /** True when a listener or a reporter receives each document as soon as it is recorded. */
  get #isObserved(): boolean {
    return this.#job.events.listenerCount('document') > 0 || this.#job.reporters.reportPages
  }

  #notifySkipped(rows: readonly LedgerRow[]): void {
    if (this.#job.events.listenerCount('skipped') === 0) return
    for (const row of rows) if (row.refusal) this.#notifyWithoutDocument(row)
  }

  /** Emits the events of a page that ended without a document: one for each of its positions in the list. */
  #notifyWithoutDocument(row: LedgerRow): void {
    const { events } = this.#job
    const { outcome, failure, refusal, attempts } = row
    for (const url of urlsOf(row)) {
      if (outcome === 'failed' && failure) events.emitSafely('failed', { url, ...failure, attempts: attempts.length })
      else if (refusal) events.emitSafely('skipped', { url, ...refusal })
    }
  }

  async #notify(row: LedgerRow, ending: Ending<Document>): Promise<void> {
    const { stream, events, ledger } = this.#job
    if (ending.outcome === 'done') {
      stream.push(ending.documents, ending.bytes, this.#isObserved)
      for (const document of ending.documents) events.emitSafely('document', document)
    } else this.#notifyWithoutDocument(row)
    if (events.listenerCount('progress') === 0) return
    const { done, queued, active, failed, skipped } = await ledger.counts()
    events.emitSafely('progress', { completed: done, queued, active, failed, skipped })
  }
}

/** The URLs of a row in the spelling of its job: one for each time that a batch lists the page, as the counters count it. */
const urlsOf = ({ url, sources }: LedgerRow): readonly string[] =>
  sources === undefined || sources.length === 0 ? [url] : sources.map((source) => source.url)
