import {
  type ErrorCode,
  InvalidRequestError,
  type RequestIssue,
  toTrawlError,
  TrawlError,
} from '../../../base/errors.js'
import { OWNER } from '../postgres/statement.js'
import type { JobCommand, ServedJob } from '../../../kernel/ledger/shared-jobs.js'
import type { SharedDatabase } from './shared-database.js'

/** The outcome of a command, as JSON in the database. */
export type StoredOutcome =
  | { readonly code?: never; readonly issues?: never }
  | { readonly code: ErrorCode; readonly message: string; readonly issues?: readonly RequestIssue[] }

/** A command for a job of this engine. */
export interface ReceivedCommand {
  readonly id: string
  readonly command: JobCommand
  /** Generation of the job in which an engine has begun to carry it out; null when none has. */
  readonly begun: number | null
}

/** Takes a command, if this engine still owns the job. */
const BEGIN = `UPDATE commands SET generation = $2 FROM jobs WHERE commands.id = $1 AND outcome IS NULL
  AND jobs.number = commands.job AND jobs.generation = $2 AND jobs.owner = $3 RETURNING commands.id`

/** Carries out the commands of other engines for the jobs of this one, each once. */
export class CommandAnswers {
  readonly #database: SharedDatabase
  readonly #underWay = new Set<string>()
  /** The last command of each job that is being carried out. */
  readonly #last = new Map<string, Promise<void>>()
  /** Outcomes that could not be written yet. */
  readonly #unwritten = new Map<string, string>()

  constructor(database: SharedDatabase) {
    this.#database = database
  }

  /** Ids of the commands that need not be given again. */
  get underWay(): readonly string[] {
    return [...this.#underWay]
  }

  /**
   * Carries out commands for a job, after those that were given before.
   *
   * @param generation that of the job, which this engine owns
   */
  answer(jobId: string, job: ServedJob, generation: number, commands: readonly ReceivedCommand[]): void {
    for (const received of commands) {
      if (this.#underWay.has(received.id)) continue
      this.#underWay.add(received.id)
      const earlier = this.#last.get(jobId) ?? Promise.resolve()
      // Taken at once: a command that nobody takes for some seconds is withdrawn.
      const taken = this.#take(generation, received)
      // Handled in its turn.
      taken.catch(() => undefined)
      const last = earlier
        .then(() => this.#answer(jobId, job, received, taken))
        .finally(() => {
          if (this.#last.get(jobId) === last) this.#last.delete(jobId)
        })
      this.#last.set(jobId, last)
    }
  }

  async #answer(
    jobId: string,
    job: ServedJob,
    { id, command }: ReceivedCommand,
    taken: Promise<string | undefined>,
  ): Promise<void> {
    try {
      const outcome = (await taken) ?? (await job.perform(command).then(() => '{}', toOutcome))
      if (outcome === 'withdrawn') return
      this.#unwritten.set(id, outcome)
      await this.#database.run('UPDATE commands SET outcome = $2 WHERE id = $1', [id, outcome])
      this.#unwritten.delete(id)
      this.#database.notify(jobId)
    } catch {
      // The connection is lost: the next poll finds the command again.
    } finally {
      this.#underWay.delete(id)
    }
  }

  /**
   * Takes a command.
   *
   * @returns its outcome, if there is one; `withdrawn` also when the job is another engine's; undefined to carry it out
   */
  async #take(generation: number, { id, command, begun }: ReceivedCommand): Promise<string | undefined> {
    const known = this.#unwritten.get(id)
    if (known !== undefined) return known
    if (begun !== null && begun !== generation && command.name === 'append') {
      const message = 'the engine that ran the job died while it added the URLs: `urls()` lists those that it has added'
      return toOutcome(new TrawlError('JOB_INTERRUPTED', message))
    }
    const [taken] = await this.#database.run(BEGIN, [id, generation, OWNER])
    return taken ? undefined : 'withdrawn'
  }
}

function toOutcome(error: unknown): string {
  const { code, message } = toTrawlError(error)
  const issues = error instanceof InvalidRequestError ? { issues: error.issues } : {}
  return JSON.stringify({ code, message, ...issues } satisfies StoredOutcome)
}
