import { type ErrorCode, InvalidRequestError, type RequestIssue, toTrawlError, TrawlError } from '../../errors.js'
import type { JobCommand, ServedJob } from '../shared-jobs.js'
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
  /** Outcomes that could not be written yet. */
  readonly #unwritten = new Map<string, string>()

  constructor(database: SharedDatabase) {
    this.#database = database
  }

  /**
   * Carries out commands for a job, one after another.
   *
   * @param generation that of the job, which this engine owns
   */
  async answer(jobId: string, job: ServedJob, generation: number, commands: readonly ReceivedCommand[]): Promise<void> {
    for (const received of commands) await this.#answer(jobId, job, generation, received)
  }

  async #answer(jobId: string, job: ServedJob, generation: number, received: ReceivedCommand): Promise<void> {
    const { id } = received
    if (this.#underWay.has(id)) return
    this.#underWay.add(id)
    try {
      const outcome = this.#unwritten.get(id) ?? (await this.#carryOut(job, generation, received))
      if (outcome === undefined) return
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

  /** @returns the outcome; undefined when the command was withdrawn, or the job is another engine's */
  async #carryOut(
    job: ServedJob,
    generation: number,
    { id, command, begun }: ReceivedCommand,
  ): Promise<string | undefined> {
    if (begun !== null && begun !== generation && command.name === 'append') {
      const message = 'the engine that ran the job died while it added the URLs: `rows()` lists those that it has added'
      return toOutcome(new TrawlError('JOB_INTERRUPTED', message))
    }
    const [taken] = await this.#database.run(BEGIN, [id, generation, this.#database.owner])
    return taken && job.perform(command).then(() => '{}', toOutcome)
  }
}

function toOutcome(error: unknown): string {
  const { code, message } = toTrawlError(error)
  const issues = error instanceof InvalidRequestError ? { issues: error.issues } : {}
  return JSON.stringify({ code, message, ...issues } satisfies StoredOutcome)
}
