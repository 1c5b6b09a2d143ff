import type { Document } from '../../page/document.js'
import { toTrawlError } from '../../errors.js'
import type { Counts, JobLedger, LedgerRow } from '../../ledger/ledger.js'
import type { UrlLike } from '../../url.js'
import { explainUrl } from './explain-url.js'
import type { JobErrors, JobState, JobStatus, UnseenUrl } from '../job.js'
import type { JobLifecycle } from '../lifecycle/job-lifecycle.js'
import { JobIdentity } from './job-identity.js'
import type { JobStrategy } from '../job-strategy.js'
import type { JobTools } from '../job-tools.js'
import type { RowQuery } from '../../plan/plan-rows.js'
import { listRows } from './list-rows.js'
import type { Acknowledgements } from '../delivery/acknowledgements.js'
import { describeJob, listErrors } from '../lifecycle/status.js'

/** What the results of a job are read from. */
export interface Reading {
  readonly script: JobStrategy
  readonly tools: JobTools
  readonly ledger: Promise<JobLedger<Document>>
  readonly receipts: Acknowledgements
  readonly course: JobLifecycle
}

/** Those of a job whose ledger never opened. */
const noCounts: Counts = { queued: 0, active: 0, done: 0, failed: 0, skipped: 0, skippedByReason: {}, credits: 0 }

/** The part of a job's handle that reads its results: while it runs, and after its end. */
export abstract class JobReader extends JobIdentity {
  protected abstract get reading(): Reading

  get state(): JobState {
    return this.reading.course.state
  }

  /** Whether it has run out of something, and can be gone on with. */
  get isStopped(): boolean {
    return this.reading.course.stoppedBy !== undefined
  }

  /** When the engine may forget the job; undefined while it runs. */
  get expiresAtMs(): number | undefined {
    return this.reading.course.expiresAtMs
  }

  async status(options: { skip?: number; limit?: number } = {}): Promise<JobStatus<Document>> {
    const { script, ledger, receipts, course } = this.reading
    const job = { url: this.url, limit: script.rules.limit, hint: script.hint, ...course.facts }
    return describeJob(await ledger, job, options, (delivery) => receipts.present(delivery))
  }

  /**
   * The closing status of a job that has ended, and of any other one its counters alone. Never rejects: where the ledger cannot
   * be read any more, documents are missing.
   */
  protected async readNow(): Promise<JobStatus<Document>> {
    const { script, ledger, course } = this.reading
    try {
      return await this.status(this.state === 'scraping' ? { limit: 0 } : {})
    } catch (error) {
      const counts = await ledger.then((opened) => opened.counts()).catch(() => noCounts)
      const unread = `The documents cannot be read: ${toTrawlError(error).message}.`
      const facts = { ...course.facts, warnings: new Set([...course.facts.warnings, unread]) }
      const job = { url: this.url, limit: script.rules.limit, hint: undefined, ...facts }
      const counting = { counts: async () => counts, documents: async () => [] }
      return describeJob(counting, job, {}, ({ document }) => document)
    }
  }

  async errors(): Promise<JobErrors> {
    return listErrors(await this.reading.ledger, this.id)
  }

  rows(query?: RowQuery): AsyncIterableIterator<LedgerRow> {
    const { script, ledger } = this.reading
    return listRows(query, ledger, script)
  }

  async explain(url: UrlLike): Promise<LedgerRow | UnseenUrl | undefined> {
    const { script, tools, ledger } = this.reading
    return explainUrl(url, await ledger, script, tools)
  }

  acknowledge(document: Document | number | string): Promise<void> {
    return this.reading.receipts.acknowledge(document)
  }

  /** Adds a warning about something beside the pages to the status. */
  warn(warning: string): void {
    this.reading.course.record.warnings.add(warning)
  }
}
