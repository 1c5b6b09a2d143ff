import type { Document } from '../../page/document.js'
import type { UrlCandidate, Claim, Ending, JobLedger, LedgerRow, Refusal } from '../../ledger/ledger.js'
import type { DocumentStream } from '../delivery/document-stream.js'
import { type EndedTurn, sampleOf } from '../boilerplate/deferred-pages.js'
import type { JobEmitter } from '../lifecycle/job-emitter.js'
import type { JobStrategy } from '../job-strategy.js'
import type { JobTools } from '../job-tools.js'
import { withoutDocuments } from '../attempt/zero-retention.js'
import { appendDuplicates, coverSources } from './append-duplicates.js'
import { writeNote } from './page-note.js'
import type { Webhook } from '../webhook/webhook.js'

/** What a clerk has of its job. */
export interface ClerkParts {
  readonly script: JobStrategy
  readonly tools: JobTools
  readonly ledger: JobLedger<Document>
  readonly desk: DocumentStream<Document>
  readonly events: JobEmitter<Document>
  readonly webhook: Webhook
  /** Whether documents are not to be kept once they were handed out. */
  readonly forgets: boolean
  /** Whether another process may go on with the job. */
  readonly isKept: boolean
}

/** Writes into the ledger what happens in a job, and then tells those who listen. */
export class OutcomeRecorder {
  readonly #job: ClerkParts

  constructor(job: ClerkParts) {
    this.#job = job
  }

  async admit(candidates: readonly UrlCandidate[]): Promise<readonly LedgerRow[]> {
    const { ledger, tools, events } = this.#job
    const added = await ledger.admit(candidates, tools.now())
    if (events.listenerCount('skipped') > 0) {
      for (const { url, refusal } of added) if (refusal) events.tell('skipped', { url, ...refusal })
    }
    return added
  }

  async claim(candidate: UrlCandidate & { refused: Refusal }): Promise<Claim> {
    const { ledger, tools, events } = this.#job
    const claim = await ledger.claim(candidate, tools.now())
    // A row that was refused before was told then.
    if (claim.outcome === 'added') events.tell('skipped', { url: candidate.url, ...candidate.refused })
    return claim
  }

  async end(row: LedgerRow, turn: EndedTurn): Promise<void> {
    const { ledger, tools, script, webhook, forgets, isKept } = this.#job
    const { ending, attempt, finalUrl, duplicateOf } = turn
    const blocks = script.learnsFrom?.(row) ? sampleOf(turn) : undefined
    const note = isKept ? writeNote({ page: turn.note, blocks }) : undefined
    const whole = coverSources(ending, row, script)
    const reportAtMs = webhook.endAtMs(row, whole, attempt !== undefined || row.attempts.length > 0)
    webhook.hold(row.key, whole)
    const ended = await ledger.end(row.key, forgets ? withoutDocuments(whole) : whole, {
      nowMs: tools.now(),
      ...(note === undefined ? {} : { note }),
      ...(attempt ? { attempt } : {}),
      ...(finalUrl === undefined ? {} : { finalUrl }),
      ...(duplicateOf === undefined ? {} : { duplicateOf }),
      ...(reportAtMs === undefined ? {} : { reportAtMs }),
    })
    await this.#tell(ended, whole)
    webhook.look()
  }

  /** Gives every row that is left the outcome `skipped`. */
  async leaveRest(decide: (row: LedgerRow) => Promise<Refusal>): Promise<void> {
    const { ledger, tools, events } = this.#job
    for (const { url, refusal } of await ledger.skipQueued(decide, tools.now())) {
      if (refusal) events.tell('skipped', { url, ...refusal })
    }
  }

  /** Takes further pages of a batch in. */
  async append(candidates: readonly UrlCandidate[]): Promise<void> {
    const { desk, events, webhook } = this.#job
    await appendDuplicates(
      candidates,
      this.#job,
      (fresh) => this.admit(fresh),
      ({ documents, bytes }) => {
        desk.produced(documents, bytes, this.#isHeard)
        for (const document of documents) events.tell('document', document)
      },
    )
    webhook.look()
  }

  /** Whether somebody is told of each document as it comes. */
  get #isHeard(): boolean {
    return this.#job.events.listenerCount('document') > 0 || this.#job.webhook.takesPages
  }

  async #tell(row: LedgerRow, ending: Ending<Document>): Promise<void> {
    const { desk, events, ledger } = this.#job
    if (ending.outcome === 'done') {
      desk.produced(ending.documents, ending.bytes, this.#isHeard)
      for (const document of ending.documents) events.tell('document', document)
    } else if (ending.outcome === 'failed') {
      events.tell('failed', { url: row.url, code: ending.code, error: ending.error, attempts: row.attempts.length })
    } else events.tell('skipped', { url: row.url, ...ending.refusal })
    if (events.listenerCount('progress') === 0) return
    const { done, queued, active, failed, skipped } = await ledger.counts()
    events.tell('progress', { completed: done, queued, active, failed, skipped })
  }
}
