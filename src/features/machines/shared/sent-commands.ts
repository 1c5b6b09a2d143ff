import { type ErrorCode, InvalidRequestError, TrawlError } from '../../../base/errors.js'
import { parseJson } from '../../../base/text/parse-json.js'
import type { PgRow } from '../../../base/postgres/pg-driver.js'
import { OWNER_IS_ALIVE } from '../postgres/session-lock.js'
import type { JobCommand } from '../../../kernel/ledger/shared-jobs.js'
import type { StoredOutcome } from './command-answers.js'
import { listIn, type SharedDatabase, toList } from './shared-database.js'

/** Time for which an engine may not act on a command before it is withdrawn. Milliseconds. */
const ANSWER_MS = 10_000
/** Time for which the lock of an engine may be away: after a restart of the server it comes back. Milliseconds. */
const ABSENCE_MS = 3000

/** A command that waits for its outcome. */
interface SentCommand {
  readonly jobId: string
  readonly sentAtMs: number
  /** Time at which no engine was found to carry it out. */
  absentSinceMs: number | undefined
  resolve(): void
  reject(error: unknown): void
}

const INSERT = `INSERT INTO commands (id, job, command) SELECT $1, number, $3 FROM jobs WHERE id = $2 AND state = 'scraping'
  ON CONFLICT (id) DO NOTHING`

const SELECT_OUTCOMES = `SELECT given.id, outcome, commands.id IS NOT NULL AS stored, commands.generation IS NOT NULL AS begun,
    coalesce(jobs.state = 'scraping', false) AS running, ${OWNER_IS_ALIVE} AS held
  FROM unnest(${listIn(1)}, ${listIn(2)}) AS given (id, job)
  LEFT JOIN commands ON commands.id = given.id LEFT JOIN jobs ON jobs.id = given.job`

/** The commands of this engine for jobs of others. */
export class SentCommands {
  readonly #database: SharedDatabase
  readonly #sent = new Map<string, SentCommand>()
  /** Ids of commands that have failed here, and may still be stored. */
  readonly #failed = new Set<string>()

  constructor(database: SharedDatabase) {
    this.#database = database
  }

  get isEmpty(): boolean {
    return this.#sent.size === 0
  }

  /** True when nothing is left to be read or deleted. */
  get isSettled(): boolean {
    return this.isEmpty && this.#failed.size === 0
  }

  /** Sends a command. @param onSent called once it is in the database */
  async send(id: string, jobId: string, command: JobCommand, onSent: () => void): Promise<void> {
    await this.#database.run(INSERT, [id, jobId, JSON.stringify(command)])
    const answered = new Promise<void>((resolve, reject) => {
      this.#sent.set(id, { jobId, sentAtMs: performance.now(), absentSinceMs: undefined, resolve, reject })
    })
    this.#database.notify(jobId)
    onSent()
    await answered
  }

  /** Reads the outcomes. */
  async poll(): Promise<void> {
    await this.withdraw()
    if (this.isEmpty) return
    const jobs = Array.from(this.#sent.values(), ({ jobId }) => jobId)
    const rows = await this.#database.poll(SELECT_OUTCOMES, [toList([...this.#sent.keys()]), toList(jobs)], true)
    for (const row of rows) {
      const id = String(row['id'])
      const sent = this.#sent.get(id)
      if (sent) await this.#settle(id, sent, row)
    }
  }

  /** Deletes those that have failed, so that they are not carried out later. */
  async withdraw(): Promise<void> {
    if (this.#failed.size === 0) return
    const ids = [...this.#failed]
    await this.#database.poll(`DELETE FROM commands WHERE id = ANY (${listIn(1)})`, [toList(ids)], false)
    for (const id of ids) this.#failed.delete(id)
  }

  /** Ends all of them with an error. */
  fail(error: unknown): void {
    for (const [id, { reject }] of this.#sent) {
      this.#failed.add(id)
      reject(error)
    }
    this.#sent.clear()
  }

  async #settle(id: string, sent: SentCommand, row: PgRow): Promise<void> {
    if (typeof row['outcome'] === 'string') {
      const outcome = parseJson(row['outcome']) as StoredOutcome
      this.#end(id, sent, outcome.code && toError(outcome))
      // What cannot be deleted is deleted with the job.
      await this.#database.poll('DELETE FROM commands WHERE id = $1', [id], false).catch(() => undefined)
      return
    }
    const fault = findFault(sent, row)
    if (!fault) return
    const withdraw = 'DELETE FROM commands WHERE id = $1 AND outcome IS NULL RETURNING id'
    const [withdrawn] = await this.#database.poll(withdraw, [id], true)
    // The outcome may have come meanwhile.
    if (withdrawn || row['stored'] !== true) this.#end(id, sent, fault)
  }

  #end(id: string, { resolve, reject }: SentCommand, error: TrawlError | undefined): void {
    this.#sent.delete(id)
    if (error) reject(error)
    else resolve()
  }
}

const toError = ({ code, message, issues }: Extract<StoredOutcome, { code: ErrorCode }>): TrawlError =>
  issues ? new InvalidRequestError(issues) : new TrawlError(code, message)

/** Finds the reason to withdraw a command without an outcome. */
function findFault(sent: SentCommand, row: PgRow): TrawlError | undefined {
  const { jobId } = sent
  const nowMs = performance.now()
  const isBegun = row['begun'] === true
  if (row['running'] !== true && !isBegun) return new TrawlError('JOB_FINISHED', `job ${jobId} has ended`)
  if (row['running'] === true && row['held'] === true) {
    sent.absentSinceMs = undefined
    if (isBegun || nowMs - sent.sentAtMs < ANSWER_MS) return undefined
    const message = `the engine that runs job ${jobId} has not answered for ${ANSWER_MS / 1000} seconds: try again, or end its process`
    return new TrawlError('JOB_HELD', message)
  }
  // An engine that has ended the job, or has died: the outcome of a command may still come.
  sent.absentSinceMs ??= nowMs
  if (nowMs - sent.absentSinceMs < ABSENCE_MS) return undefined
  const outcome = isBegun ? 'while it carried the command out' : 'before it carried the command out'
  const message = `the engine that ran job ${jobId} died or closed ${outcome}: \`engine.resume()\` takes the job over`
  return new TrawlError('JOB_INTERRUPTED', message)
}
