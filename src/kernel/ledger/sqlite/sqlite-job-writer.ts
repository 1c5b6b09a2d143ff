import type { FileWriter, SqliteFile } from './sqlite-file.js'

/**
 * The writes of one job to an SQLite file. After the first one that fails, nothing more is written of a job that this process
 * owns: the ending that follows from the failure is no ending of the job. The file has the job as of its last write, and the
 * job is released as soon as the file can be written, so that any process may resume it from there.
 */
export class SqliteJobWriter implements FileWriter {
  readonly #file: SqliteFile
  readonly #id: string
  #isOwned: boolean
  #fault: unknown

  /**
   * @param isOwned false for a job that has ended, and has nothing to send: a write of it that fails ends nothing, and is an error
   *   of its caller only
   */
  constructor(file: SqliteFile, id: string, isOwned: boolean) {
    this.#file = file
    this.#id = id
    this.#isOwned = isOwned
  }

  /** True when the job has failed here, and is left to whoever resumes it. */
  get hasFailed(): boolean {
    return this.#fault !== undefined
  }

  /** Schedules a write: see {@link SqliteFile.write}. */
  write(what: object, write: () => void): void {
    if (!this.hasFailed) this.#file.write(this, what, write)
  }

  /** Resolves when all scheduled writes are in the file. @throws TrawlError `LEDGER_ERROR` */
  async flushed(): Promise<void> {
    this.#throwFault()
    await this.#file.flushed(this)
  }

  /** Changes the job in a transaction, after all scheduled writes. @throws TrawlError `LEDGER_ERROR` */
  transact(act: () => void): void {
    this.#throwFault()
    try {
      this.#file.transact(act)
    } catch (error) {
      this.fail(error)
      throw error
    }
  }

  fail(error: unknown): void {
    if (!this.#isOwned || this.hasFailed) return
    this.#fault = error
    const owner = this.#file.owner(Date.now())
    const sql = 'UPDATE jobs SET owner = NULL WHERE id = ? AND owner = ?'
    this.#file.repair(() => this.#file.statement(sql).run(this.#id, owner))
  }

  /** Records whether this process owns the job. One that it has taken again is written again. */
  own(isOwned: boolean): void {
    this.#isOwned = isOwned
    if (isOwned) this.#fault = undefined
  }

  #throwFault(): void {
    if (this.hasFailed) throw this.#fault
  }
}
