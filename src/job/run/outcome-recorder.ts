import type { Document } from '../../page/document.js'
import type { UrlCandidate, Claim, Ending, JobLedger, LedgerRow, Refusal } from '../../ledger/ledger.js'
import type { DocumentStream } from '../delivery/document-stream.js'
import { type EndedAttempt, sampleOf } from '../boilerplate/deferred-pages.js'
import type { JobEmitter } from '../lifecycle/job-emitter.js'
import type { JobRecord } from '../lifecycle/job-record.js'
import type { JobStrategy } from '../job-strategy.js'
import type { JobTools } from '../job-tools.js'
import { withoutDocuments } from '../attempt/redact-attempt.js'
import { addMissingCopies, appendDuplicates } from './append-duplicates.js'
import { indexEnding } from '../index-pages.js'
import { writeNote } from './page-note.js'
import type { WebhookReporter } from '../webhook/webhook-reporter.js'

/** Parts of a job that its outcomes are recorded in. */
export interface RecorderOptions {
  readonly id: string
  readonly record: Pick<JobRecord, 'warnings' | 'saveGeneratedOptions'>
  readonly strategy: JobStrategy
  readonly tools: JobTools
  readonly ledger: JobLedger<Document>
  readonly stream: DocumentStream<Document>
  readonly events: JobEmitter<Document>
  readonly webhook: WebhookReporter
  /** True when documents are delivered once and not stored in the ledger. */
  readonly isTransient: boolean
  /** True when the ledger outlives the process, so that another one may resume the job. */
  readonly isKept: boolean
}

/** Records the outcomes of a job in the ledger, then notifies listeners, readers and the webhook. */
export class OutcomeRecorder {
  readonly #job: RecorderOptions

  constructor(job: RecorderOptions) {
    this.#job = job
  }

  async admit(candidates: readonly UrlCandidate[]): Promise<readonly LedgerRow[]> {
    const { ledger, tools, events } = this.#job
    const added = await ledger.admit(candidates, tools.now())
    if (events.listenerCount('skipped') > 0) {
      for (const { url, refusal } of added) if (refusal) events.emitSafely('skipped', { url, ...refusal })
    }
    return added
  }

  async claim(candidate: UrlCandidate & { refused: Refusal }): Promise<Claim> {
    const { ledger, tools, events } = this.#job
    const claim = await ledger.claim(candidate, tools.now())
    // For a row that was refused before, the event was emitted at that time.
    if (claim.outcome === 'added') events.emitSafely('skipped', { url: candidate.url, ...candidate.refused })
    return claim
  }

  async recordEnding(row: LedgerRow, result: EndedAttempt): Promise<void> {
    const { ledger, tools, strategy, webhook, isTransient, isKept } = this.#job
    const { attempt, finalUrl, duplicateOf } = result
    const blocks = strategy.learnsFrom?.(row) ? sampleOf(result) : undefined
    const note = isKept ? writeNote({ page: result.note, blocks }) : undefined
    // The index first: after a crash it has at least what the ledger has.
    const indexed = await indexEnding(row, result.ending, this.#job)
    const ending = addMissingCopies(indexed, row, strategy)
    const reportAtMs = webhook.endingReportAtMs(row, ending, attempt !== undefined || row.attempts.length > 0)
    webhook.holdDocuments(row.key, ending)
    const ended = await ledger.end(row.key, isTransient ? withoutDocuments(ending) : ending, {
      nowMs: tools.now(),
      ...(note === undefined ? {} : { note }),
      ...(attempt ? { attempt } : {}),
      ...(finalUrl === undefined ? {} : { finalUrl }),
      ...(duplicateOf === undefined ? {} : { duplicateOf }),
      ...(reportAtMs === undefined ? {} : { reportAtMs }),
    })
    await this.#notify(ended, ending)
    webhook.flush()
  }

  /** Skips all remaining rows. */
  async skipRemaining(decide: (row: LedgerRow) => Promise<Refusal>): Promise<void> {
    const { ledger, tools, events } = this.#job
    for (const { url, refusal } of await ledger.skipQueued(decide, tools.now())) {
      if (refusal) events.emitSafely('skipped', { url, ...refusal })
    }
  }

  /** Appends pages to a batch. */
  async append(candidates: readonly UrlCandidate[]): Promise<void> {
    const { stream, events, webhook } = this.#job
    await appendDuplicates(
      candidates,
      this.#job,
      (fresh) => this.admit(fresh),
      ({ documents, bytes }) => {
        stream.push(documents, bytes, this.#isObserved)
        for (const document of documents) events.emitSafely('document', document)
      },
    )
    webhook.flush()
  }

  /** True when a listener or a webhook receives each document as soon as it is recorded. */
  get #isObserved(): boolean {
    return this.#job.events.listenerCount('document') > 0 || this.#job.webhook.reportsPages
  }

  async #notify(row: LedgerRow, ending: Ending<Document>): Promise<void> {
    const { stream, events, ledger } = this.#job
    if (ending.outcome === 'done') {
      stream.push(ending.documents, ending.bytes, this.#isObserved)
      for (const document of ending.documents) events.emitSafely('document', document)
    } else if (ending.outcome === 'failed') {
      const { code, error } = ending
      events.emitSafely('failed', { url: row.url, code, error, attempts: row.attempts.length })
    } else events.emitSafely('skipped', { url: row.url, ...ending.refusal })
    if (events.listenerCount('progress') === 0) return
    const { done, queued, active, failed, skipped } = await ledger.counts()
    events.emitSafely('progress', { completed: done, queued, active, failed, skipped })
  }
}
