import type { JobBudget } from '../../accounting/budget.js'
import { type ErrorCode, errorTable, toTrawlError, TrawlError } from '../../errors.js'
import type { JobChange, StopReason } from '../../ledger/job-store.js'
import type { JobOrigin } from './job-origin.js'
import type { JobTools } from '../job-tools.js'
import { Warnings } from './warnings.js'

/** What has become of a job, as it is kept where another process finds it; where nothing outlives the process, nowhere. */
export class JobRecord {
  readonly warnings: Warnings
  readonly #origin: JobOrigin
  readonly #tools: JobTools
  /** Why something could not be written down. */
  #failure: TrawlError | undefined

  constructor(origin: JobOrigin, tools: JobTools) {
    this.#origin = origin
    this.#tools = tools
    this.warnings = new Warnings(origin.past?.warnings, (warnings) => this.#write({ warnings }))
  }

  get failure(): TrawlError | undefined {
    return this.#failure
  }

  /** Notes how the job has ended; gives back when. Milliseconds since the epoch. */
  end(state: NonNullable<JobChange['state']>, error?: TrawlError): number {
    const completedAtMs = this.#tools.now()
    const expiresAtMs = completedAtMs + this.#tools.retentionMs
    this.#write({ state, completedAtMs, expiresAtMs, ...(error && { error: writeError(error) }) })
    return completedAtMs
  }

  /** Notes that the job has stopped before its end; gives back when. Milliseconds since the epoch. */
  stop(stoppedBy: StopReason, state: NonNullable<JobChange['state']>, error?: TrawlError): number {
    this.#write({ stoppedBy })
    return this.end(state, error)
  }

  /** Notes the budget that the job has from now on. */
  allow(budget: JobBudget): void {
    this.#write({ budget })
  }

  /** Keeps what the job has settled to go by, so that nobody settles it otherwise later. */
  keepOptions(generated: object): void {
    this.#write({ generated: JSON.stringify(generated) })
  }

  /**
   * Takes the job up again that was stopped.
   *
   * @throws TrawlError `JOB_HELD` when another process has been at it since
   */
  revive(stoppedAtMs: number): void {
    const { id, shelf } = this.#origin
    if (!shelf || shelf.revive(id, stoppedAtMs)) return
    throw new TrawlError(
      'JOB_HELD',
      `another process has gone on with job ${id}, or still tells its webhook of it: \`engine.job(id)\` of that one has it`,
    )
  }

  /** Notes that there is nothing left to tell its webhook. */
  reported(): void {
    this.#write({ reports: false })
  }

  /** Leaves the job to any process. */
  release(): void {
    this.#try(() => this.#origin.shelf?.release(this.#origin.id))
  }

  #write(change: JobChange): void {
    this.#try(() => this.#origin.shelf?.change(this.#origin.id, change))
  }

  #try(act: () => void): void {
    try {
      act()
    } catch (error) {
      this.#failure ??= toTrawlError(error)
    }
  }
}

/** Writes an error as one text, `LEDGER_ERROR: the ledger …`, for {@link readError}. */
const writeError = ({ code, message }: TrawlError): string => `${code}: ${message}`

/** Reads an error back. @param otherwise the code of one that an earlier version has written without it */
export function readError(text: string, otherwise: ErrorCode): TrawlError {
  const [, name = '', message = ''] = /^([A-Z_]{1,60}): ([^]*)$/.exec(text) ?? []
  return isErrorCode(name) ? new TrawlError(name, message) : new TrawlError(otherwise, text)
}

const isErrorCode = (name: string): name is ErrorCode => Object.hasOwn(errorTable, name)
