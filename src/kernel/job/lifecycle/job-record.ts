import type { JobBudget } from '../../../base/accounting/budget.js'
import { type ErrorCode, errorTable, toTrawlError, TrawlError } from '../../../base/errors.js'
import type { JobChange, JobStore, StopReason, StoredJob } from '../../ledger/job-store.js'
import { toSentence } from '../../../base/text/to-sentence.js'
import type { JobTools } from '../job-tools.js'

/** Part of the origin of a job that its record needs. */
export interface RecordOrigin {
  readonly id: string
  /** Store that outlives the process; undefined when the job ends with the process. */
  readonly jobStore: JobStore | undefined
  /** The stored job, when an earlier process began it, or when this one reads a job that has ended. */
  readonly stored?: StoredJob
}

/** Warnings of a job, each once. */
class Warnings extends Set<string> {
  readonly #onAdd: (warnings: readonly string[]) => void

  /** @param onAdd receives all warnings when a new one is added */
  constructor(warnings: readonly string[] | undefined, onAdd: (warnings: readonly string[]) => void) {
    super()
    for (const warning of warnings ?? []) super.add(warning)
    this.#onAdd = onAdd
  }

  override add(text: string): this {
    const warning = toSentence(text)
    if (this.has(warning)) return this
    super.add(warning)
    this.#onAdd([...this])
    return this
  }
}

/** State of a job as other processes find it in the job store. Writes nothing when there is no store. */
export class JobRecord {
  readonly warnings: Set<string>
  readonly #origin: RecordOrigin
  readonly #tools: JobTools
  /** Set while the store is asked whether this process may reopen the job: what changes then waits for the answer. */
  #reopening: Promise<void> | undefined
  /** First error of a write. */
  #failure: TrawlError | undefined

  constructor(origin: RecordOrigin, tools: JobTools) {
    this.#origin = origin
    this.#tools = tools
    this.warnings = new Warnings(origin.stored?.warnings, (warnings) => this.#write({ warnings }))
  }

  get failure(): TrawlError | undefined {
    return this.#failure
  }

  /**
   * Records that the job is cancelled, so that it is not resumed if the process dies before its end. The end is recorded by
   * {@link JobRecord.end}, after the last rows.
   */
  cancel(): void {
    this.#write({ state: 'cancelled', expiresAtMs: this.#tools.now() + this.#tools.retentionMs })
  }

  /** Records the end of the job. @returns its time, in milliseconds since the epoch */
  end(state: NonNullable<JobChange['state']>, error?: TrawlError, more: JobChange = {}): number {
    const completedAtMs = this.#tools.now()
    const expiresAtMs = completedAtMs + this.#tools.retentionMs
    this.#write({ ...more, state, completedAtMs, expiresAtMs, ...(error && { error: writeError(error) }) })
    return completedAtMs
  }

  /** Records that the job has stopped before its end. @returns the time, in milliseconds since the epoch */
  stop(stoppedBy: StopReason, state: NonNullable<JobChange['state']>, error?: TrawlError): number {
    return this.end(state, error, { stoppedBy })
  }

  /** Records a changed budget. */
  setBudget(budget: JobBudget): void {
    this.#write({ budget })
  }

  /** Records the options generated from the `prompt`, so that a resumed job uses the same ones. */
  saveGeneratedOptions(generated: object): void {
    this.#write({ generated: JSON.stringify(generated) })
  }

  /**
   * Reopens a job that was stopped.
   *
   * @returns resolves when it is reopened; undefined when there is no store to ask
   * @throws TrawlError `JOB_HELD` when another process has resumed it since; `LEDGER_ERROR`
   */
  reopen(stoppedAtMs: number): Promise<void> | undefined {
    const { id, jobStore } = this.#origin
    if (!jobStore) return undefined
    const reopen = async (): Promise<void> => {
      if (await jobStore.restart(id, stoppedAtMs)) return
      throw new TrawlError(
        'JOB_HELD',
        `another process has resumed job ${id}, or still sends its reports: use \`engine.job(id)\` there`,
      )
    }
    return (this.#reopening = reopen().finally(() => (this.#reopening = undefined)))
  }

  /** Records that the job has no reports left to send. */
  markReported(): void {
    this.#write({ reports: false })
  }

  /** Releases the job, so that any process may take it. */
  release(): void {
    this.#try(() => this.#origin.jobStore?.release(this.#origin.id))
  }

  /** Resolves when everything so far is in the store, or has failed; undefined when nothing is to be waited for. */
  written(): Promise<void> | undefined {
    const { id, jobStore } = this.#origin
    if (this.#reopening) return this.#reopening.then(() => this.written())
    return jobStore?.written?.(id).catch((error: unknown) => void (this.#failure ??= toTrawlError(error)))
  }

  #write(change: JobChange): void {
    const write = (): void => this.#try(() => this.#origin.jobStore?.change(this.#origin.id, change))
    // A job that is not reopened is another process's.
    if (this.#reopening) void this.#reopening.then(write, () => undefined)
    else write()
  }

  #try(act: () => void): void {
    try {
      act()
    } catch (error) {
      this.#failure ??= toTrawlError(error)
    }
  }
}

/** Formats an error as one text, `LEDGER_ERROR: the ledger …`, for {@link readError}. */
const writeError = ({ code, message }: TrawlError): string => `${code}: ${message}`

/** Parses an error written by {@link writeError}. @param fallbackCode code of an error that an earlier version wrote without one */
export function readError(text: string, fallbackCode: ErrorCode): TrawlError {
  const [, name = '', message = ''] = /^([A-Z_]{1,60}): ([^]*)$/.exec(text) ?? []
  return isErrorCode(name) ? new TrawlError(name, message) : new TrawlError(fallbackCode, text)
}

const isErrorCode = (name: string): name is ErrorCode => Object.hasOwn(errorTable, name)
