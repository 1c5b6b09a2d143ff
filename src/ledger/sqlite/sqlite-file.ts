import { TrawlError } from '../../errors.js'
import { isOwnerAlive, makeOwnerMark, makePrivateFile, type ProcessLock } from './process-lock.js'
import { type Connect, type Database, describeSqlError, findSqlite, rollBack, type Statement } from './sqlite-driver.js'
import { migrate } from './sqlite-schema.js'

/** How long a process waits for another that writes to the file. Milliseconds. */
const BUSY_MS = 10_000
/** Pages of the log after which it is written into the file: each time waits for the disk. */
const CHECKPOINT_PAGES = 4000
/** How long what nobody waits for may stand unwritten. Milliseconds. */
const LAG_MS = 20
/** Writes gathered at most. */
const MAX_WRITES = 500

/** Something to be written, in the order in which it was given. */
type Write = () => void

/**
 * An SQLite file that one engine has open, made on first use.
 *
 * What is written goes in groups: a group is whole in the file or not there at all. A process that is killed keeps every
 * group; a machine that loses power may lose the last ones, and the file stays sound.
 */
export class SqliteFile {
  readonly #path: string
  readonly #statements = new Map<string, Statement>()
  #connect: Connect | undefined
  #database: Database | undefined
  #mark: ProcessLock | undefined
  #isClosed = false
  /** By what they write, so that what changes twice is written once. */
  #writes = new Map<object, Write>()
  #waiting: { resolve(): void; reject(error: unknown): void }[] = []
  #alarm: NodeJS.Timeout | undefined
  #isDue = false
  /** Why the last group could not be written. */
  #failure: unknown

  constructor(path: string) {
    this.#path = path
  }

  /** A statement of this text, compiled once. It, and what it gives, throws TrawlError `LEDGER_ERROR` when the file fails. */
  statement(sql: string): Statement {
    const known = this.#statements.get(sql)
    if (known) return known
    const made = this.#try(() => this.#open().prepare(sql))
    const statement: Statement = {
      run: (...values) => this.#try(() => made.run(...values)),
      get: (...values) => this.#try(() => made.get(...values)),
      all: (...values) => this.#try(() => made.all(...values)),
    }
    this.#statements.set(sql, statement)
    return statement
  }

  /** Under which name this process has jobs in the file. */
  owner(nowMs: number): string {
    this.#open()
    this.#mark ??= this.#try(() => makeOwnerMark(this.#path, nowMs, this.#library()))
    return this.#mark.name
  }

  /** Whether the process that has this name is alive. */
  isAlive(owner: string): boolean {
    return owner === this.#mark?.name || this.#try(() => isOwnerAlive(this.#path, owner, this.#library()))
  }

  /** Writes something soon, after all that was given before. @param what the same thing is written once, as it is then */
  write(what: object, write: Write): void {
    this.#open()
    // What comes again goes to the end: nothing is to stand in the file before what it rests on.
    this.#writes.delete(what)
    this.#writes.set(what, write)
    if (this.#writes.size >= MAX_WRITES) this.#flushSoon()
    else this.#alarm ??= setTimeout(() => this.flush(), LAG_MS)
  }

  /** Resolves when all that was given so far stands in the file. @throws TrawlError `LEDGER_ERROR` */
  written(): Promise<void> {
    if (this.#writes.size === 0) return Promise.resolve()
    this.#flushSoon()
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }))
  }

  /** Does something in one go: all of it comes to stand in the file, with what was given before, or nothing. */
  transact<T>(act: () => T): T {
    this.flush()
    if (this.#failure !== undefined) throw this.#failure
    return this.#try(() => this.#inTransaction(act))
  }

  /** Writes all that was given so far; what goes wrong is told to those who wait for it. */
  flush(): void {
    clearTimeout(this.#alarm)
    this.#alarm = undefined
    this.#isDue = false
    const [writes, waiting] = [this.#writes, this.#waiting]
    if (writes.size === 0) return
    this.#writes = new Map()
    this.#waiting = []
    try {
      this.#try(() =>
        this.#inTransaction(() => {
          for (const write of writes.values()) write()
        }),
      )
      this.#failure = undefined
      for (const { resolve } of waiting) resolve()
    } catch (error) {
      this.#failure = error
      // Still to be written: what comes later rests on it.
      this.#writes = new Map([...writes, ...this.#writes])
      for (const { reject } of waiting) reject(error)
    }
  }

  /** @throws TrawlError `LEDGER_ERROR` when something could not be written */
  close(): void {
    if (this.#isClosed) return
    this.flush()
    clearTimeout(this.#alarm)
    this.#isClosed = true
    this.#statements.clear()
    this.#database?.close()
    this.#mark?.drop()
    if (this.#failure !== undefined) throw this.#failure
  }

  #flushSoon(): void {
    if (this.#isDue) return
    this.#isDue = true
    setImmediate(() => this.flush())
  }

  #inTransaction<T>(act: () => T): T {
    const database = this.#open()
    database.exec('BEGIN IMMEDIATE')
    try {
      const result = act()
      database.exec('COMMIT')
      return result
    } catch (error) {
      rollBack(database)
      throw error
    }
  }

  #library(): Connect {
    return (this.#connect ??= findSqlite())
  }

  #open(): Database {
    if (this.#isClosed) throw new TrawlError('ENGINE_CLOSED', `the ledger ${this.#path} was closed with its engine`)
    return (this.#database ??= this.#try(() => {
      const connect = this.#library()
      makePrivateFile(this.#path)
      const database = connect(this.#path)
      try {
        database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`)
        database.exec('PRAGMA journal_mode = WAL')
        database.exec('PRAGMA synchronous = NORMAL')
        database.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
        migrate(database, this.#path)
      } catch (error) {
        database.close()
        throw error
      }
      return database
    }))
  }

  #try<T>(act: () => T): T {
    try {
      return act()
    } catch (error) {
      if (error instanceof TrawlError) throw error
      throw new TrawlError('LEDGER_ERROR', `the ledger ${this.#path} cannot be used: ${describeSqlError(error)}`, {
        cause: error,
      })
    }
  }
}
