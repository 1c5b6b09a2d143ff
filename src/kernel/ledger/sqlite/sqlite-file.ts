import { messageOf, TrawlError } from '../../../base/errors.js'
import { CheckpointThread } from '../../../base/sqlite/checkpoint-thread.js'
import type { LedgerVersion } from '../job-store.js'
import type { WriteLag } from '../ledger-health.js'
import { isProcessAlive, acquireProcessLock, type ProcessLock } from '../../../base/store/process-lock.js'
import {
  type Connect,
  connectTo,
  type Database,
  describeSqlError,
  isBusy,
  locateSqlite,
  rollBack,
  type Statement,
} from '../../../base/sqlite/driver.js'
import { migrate } from '../../../base/sqlite/migrate.js'
import { createPrivateFile, followFile, placeOf, readLogSize } from '../../../base/sqlite/private-file.js'
import { emptyWriteAheadLog, useWriteAheadLog } from '../../../base/sqlite/write-ahead-log.js'
import { refuseForeignFile, requireLedger, type RequireOptions } from './require-ledger.js'
import { type FeatureTables, migrateFeature } from './feature-tables.js'
import { LEDGER_MIGRATIONS } from './schema.js'

/** Timeout for another process that writes to the file. Milliseconds. */
const BUSY_TIMEOUT_MS = 10_000
/** Size of the write-ahead log from which on it is copied to the file. Bytes. */
const CHECKPOINT_BYTES = 16_000_000
/** Size at which SQLite itself copies it, and holds up the thread, as a multiple of the former: where the thread for it does not come along. */
const LATE = 4
/** Size of a page of the file. Bytes. */
const PAGE_BYTES = 4096
/** Maximum delay of a write that nobody waits for. Milliseconds. */
const WRITE_DELAY_MS = 20
/** Interval at which writes are tried again while another process writes. Milliseconds. */
const RETRY_MS = 20
/** Interval at which repairs are tried again while the file cannot be written. Milliseconds. */
const REPAIR_MS = 1000
/** Maximum number of writes in one batch. */
const MAX_BATCHED_WRITES = 500

/** The part of trawl that needs SQLite. */
const USER = { code: 'LEDGER_ERROR', name: '`sqlite()`' } as const

/** A write; writes run in the order in which they were given. */
type Write = () => void

/** The source of scheduled writes. */
export interface FileWriter {
  /** Called when writes of it could not be written. They are dropped. */
  fail(error: unknown): void
}

/**
 * An SQLite file opened by one engine, created on first use.
 *
 * Writes are grouped: a group is whole in the file or absent. A process that is killed loses no group that was written.
 * A power failure may lose the last groups; the file stays consistent.
 */
export class SqliteFile {
  readonly path: string
  readonly #statements = new Map<string, Statement>()
  readonly #featureTables: FeatureTables[] = []
  #connect: Connect | undefined
  #database: Database | undefined
  #isInPlace: (() => boolean) | undefined
  #lock: ProcessLock | undefined
  #isClosed = false
  /** Writes by the object that they save, so that an object that changes twice is written once. */
  #writes = new Map<object, { readonly writer: FileWriter; readonly write: Write }>()
  /** Time of the first one of them, on the clock of `performance.now()`. */
  #sinceMs = 0
  #waiting: { readonly writer: FileWriter | undefined; resolve(): void; reject(error: unknown): void }[] = []
  #timer: NodeJS.Timeout | undefined
  /** Writes that are tried until they are in the file. */
  #repairs: Write[] = []
  #repairTimer: NodeJS.Timeout | undefined
  #isFlushScheduled = false
  /** Time since which another process holds the lock of the file, on the clock of `performance.now()`. */
  #busySinceMs: number | undefined
  readonly #checkpointBytes: number
  #checkpoints: CheckpointThread | undefined
  /** Place of the open file, and of its write-ahead log. */
  #place = ''
  /** End of what `close` waits for. */
  #released: Promise<void> | undefined

  constructor(path: string, { checkpointBytes = CHECKPOINT_BYTES }: { readonly checkpointBytes?: number } = {}) {
    this.path = path
    this.#checkpointBytes = checkpointBytes
  }

  /** Adds the tables of a feature, before its first statement: they are made, or migrated, when the file is opened. */
  addTables(tables: FeatureTables): void {
    this.#featureTables.push(tables)
    const database = this.#database
    if (database && !this.#isClosed) this.#try(() => migrateFeature(database, tables, this.path))
  }

  /**
   * Prepares a statement once per text. The statement and this method throw TrawlError `LEDGER_ERROR` when the file
   * fails.
   */
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

  /** Reads a stored value. @throws TrawlError `LEDGER_ERROR` for one that `parse` cannot read */
  read<T>(parse: () => T): T {
    try {
      return parse()
    } catch (error) {
      if (error instanceof TrawlError) throw error
      const message = `the ledger ${this.path} is damaged: a value of it cannot be read: ${messageOf(error)}`
      throw new TrawlError('LEDGER_ERROR', message, { cause: error })
    }
  }

  /** Tests that the file is a ledger, without a change to it. @throws TrawlError `LEDGER_ERROR` */
  requireLedger(options?: RequireOptions): LedgerVersion {
    // An open one was brought up to date.
    if (this.#database) return { stored: LEDGER_MIGRATIONS.length, present: LEDGER_MIGRATIONS.length }
    return this.#try(() => requireLedger(this.path, this.#library(), BUSY_TIMEOUT_MS, options))
  }

  /** The name under which this process owns jobs in the file. */
  owner(nowMs: number): string {
    this.#open()
    this.#lock ??= this.#try(() => acquireProcessLock(this.path, nowMs, this.#library()))
    return this.#lock.name
  }

  /** Tests whether the owner process is alive. */
  isAlive(owner: string): boolean {
    return owner === this.#lock?.name || this.#try(() => isProcessAlive(this.path, owner, this.#library()))
  }

  /**
   * Schedules a write after all earlier ones.
   * @param what the object to save: writes of the same object are merged into the last one
   */
  write(writer: FileWriter, what: object, write: Write): void {
    this.#open()
    if (this.#writes.size === 0) this.#sinceMs = performance.now()
    // A repeated write moves to the end, because it may depend on writes that were scheduled since.
    this.#writes.delete(what)
    this.#writes.set(what, { writer, write })
    if (this.#writes.size >= MAX_BATCHED_WRITES) this.#flushSoon()
    else this.#timer ??= setTimeout(() => this.#flush({ mayBlock: false }), WRITE_DELAY_MS)
  }

  /** Measures what is not in the file yet. */
  readLag(): WriteLag {
    const waitingWrites = this.#writes.size
    return { waitingWrites, lagMs: waitingWrites === 0 ? 0 : performance.now() - this.#sinceMs }
  }

  /**
   * Resolves when all scheduled writes are in the file, or have failed.
   *
   * @param writer the writer whose failure is an error
   * @throws TrawlError `LEDGER_ERROR` when writes of this writer could not be written
   */
  flushed(writer?: FileWriter): Promise<void> {
    if (this.#writes.size === 0) return Promise.resolve()
    this.#flushSoon()
    return new Promise((resolve, reject) => this.#waiting.push({ writer, resolve, reject }))
  }

  /** Runs a write as soon as the file can be written, before all scheduled writes. A file that is closed forgets it. */
  repair(write: Write): void {
    if (this.#isClosed) return
    this.#repairs.push(write)
    this.#repairLater()
  }

  /** Runs the repairs now, unless the file cannot be written. */
  tryRepairs(): void {
    if (this.#repairs.length > 0) this.#flush({ mayBlock: false })
  }

  /** Runs `act` in a transaction, after all scheduled writes. Blocks the thread while another process writes. */
  transact<T>(act: () => T): T {
    const failure = this.#flush({ mayBlock: true })
    if (failure !== undefined) throw failure
    return this.#try(() => this.#inTransaction(act))
  }

  /**
   * Runs all scheduled writes. While another process writes, they are tried again. A group that cannot be written is dropped,
   * because its writers go on from what the file has.
   *
   * @returns the error of a group that could not be written
   */
  #flush({ mayBlock }: { readonly mayBlock: boolean }): unknown {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isFlushScheduled = false
    const [writes, waiting] = [this.#writes, this.#waiting]
    if (writes.size + this.#repairs.length === 0) return undefined
    try {
      this.#try(() => this.#writeAll(mayBlock))
    } catch (error) {
      if (writes.size > 0 && !mayBlock && this.#mayRetry(error)) {
        this.#timer = setTimeout(() => this.#flush({ mayBlock: false }), RETRY_MS)
        return undefined
      }
      if (this.#repairs.length > 0) this.#repairLater()
      this.#settle()
      const writers = new Set(Array.from(writes.values(), ({ writer }) => writer))
      for (const writer of writers) writer.fail(error)
      for (const { writer, resolve, reject } of waiting)
        if (writer && writers.has(writer)) reject(error)
        else resolve()
      return error
    }
    this.#repairs = []
    this.#settle()
    for (const { resolve } of waiting) resolve()
    return undefined
  }

  /** Forgets a group that was written, or is dropped. */
  #settle(): void {
    this.#writes = new Map()
    this.#waiting = []
    this.#busySinceMs = undefined
  }

  #writeAll(mayBlock: boolean): void {
    const database = this.#open()
    if (!mayBlock) database.exec('PRAGMA busy_timeout = 0')
    try {
      this.#inTransaction(() => {
        for (const repair of this.#repairs) repair()
        for (const { write } of this.#writes.values()) write()
      })
    } finally {
      if (!mayBlock) database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
    }
  }

  /** Tests whether writes failed because another process writes, and has done so for less than the timeout. */
  #mayRetry(error: unknown): boolean {
    if (!(error instanceof TrawlError) || !isBusy(error.cause)) return false
    this.#busySinceMs ??= performance.now()
    return performance.now() - this.#busySinceMs < BUSY_TIMEOUT_MS
  }

  /** @throws TrawlError `LEDGER_ERROR` when something could not be written */
  async close(): Promise<void> {
    if (this.#isClosed) return await this.#released
    // What this process owns is free as soon as it has given up its lock.
    this.#repairs = []
    const failure = this.#flush({ mayBlock: true })
    clearTimeout(this.#timer)
    clearTimeout(this.#repairTimer)
    this.#isClosed = true
    this.#statements.clear()
    await (this.#released = this.#release())
    if (failure !== undefined) throw failure
  }

  /** Gives the file up, at once where no thread has it open. */
  async #release(): Promise<void> {
    if (this.#checkpoints) await this.#checkpoints.close()
    if (this.#database) emptyWriteAheadLog(this.#database)
    this.#database?.close()
    this.#lock?.release()
  }

  /** Tries the repairs again after a while. They do not keep the process alive: the system gives up the lock of one that ends. */
  #repairLater(): void {
    clearTimeout(this.#repairTimer)
    this.#repairTimer = setTimeout(() => this.#flush({ mayBlock: false }), REPAIR_MS).unref()
  }

  #flushSoon(): void {
    if (this.#isFlushScheduled || this.#busySinceMs !== undefined) return
    this.#isFlushScheduled = true
    setImmediate(() => this.#flush({ mayBlock: false }))
  }

  #inTransaction<T>(act: () => T): T {
    const database = this.#open()
    if (this.#isInPlace?.() === false) throw new Error('it was deleted or replaced while it was open')
    database.exec('BEGIN IMMEDIATE')
    try {
      const result = act()
      database.exec('COMMIT')
      return result
    } catch (error) {
      rollBack(database)
      throw error
    } finally {
      this.#checkpointIfDue()
    }
  }

  /** Has the write-ahead log copied once it is large. */
  #checkpointIfDue(): void {
    if (readLogSize(this.#place) <= this.#checkpointBytes) return
    this.#checkpoints ??= new CheckpointThread(locateSqlite(USER), this.#place)
    this.#checkpoints.begin()
  }

  #library(): Connect {
    return (this.#connect ??= connectTo(locateSqlite(USER)))
  }

  #open(): Database {
    if (this.#isClosed) throw new TrawlError('ENGINE_CLOSED', `the ledger ${this.path} was closed with its engine`)
    return (this.#database ??= this.#try(() => {
      const connect = this.#library()
      createPrivateFile(this.path)
      const database = connect(this.path)
      try {
        database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
        refuseForeignFile(this.path, database)
        useWriteAheadLog(database, BUSY_TIMEOUT_MS)
        database.exec('PRAGMA synchronous = NORMAL')
        database.exec(`PRAGMA wal_autocheckpoint = ${Math.round((LATE * this.#checkpointBytes) / PAGE_BYTES)}`)
        migrate(database, { migrations: LEDGER_MIGRATIONS, code: 'LEDGER_ERROR', file: this.path })
        for (const tables of this.#featureTables) migrateFeature(database, tables, this.path)
      } catch (error) {
        database.close()
        throw error
      }
      this.#place = placeOf(this.path)
      this.#isInPlace = followFile(this.path)
      return database
    }))
  }

  #try<T>(act: () => T): T {
    try {
      return act()
    } catch (error) {
      if (error instanceof TrawlError) throw error
      throw new TrawlError('LEDGER_ERROR', `the ledger ${this.path} cannot be used: ${describeSqlError(error)}`, {
        cause: error,
      })
    }
  }
}
