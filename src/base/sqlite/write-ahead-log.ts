import { type Database, isBusy } from './driver.js'

/** Interval at which a locked file is tried again. Milliseconds. */
const RETRY_MS = 20

/**
 * Sets the timeout of a connection for locks of others, and turns the write-ahead log of its file on. SQLite refuses two connections
 * that do so to a new file at once immediately, whatever the timeout: it is tried again. Blocks the thread, as the timeout does.
 *
 * @throws the error of the library
 * @see https://www.sqlite.org/wal.html#sometimes_queries_return_sqlite_busy_in_wal_mode
 */
export function useWriteAheadLog(database: Database, timeoutMs: number): void {
  database.exec(`PRAGMA busy_timeout = ${timeoutMs}`)
  const untilMs = performance.now() + timeoutMs
  for (;;) {
    try {
      database.exec('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      if (!isBusy(error) || performance.now() > untilMs) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS)
    }
  }
}

/**
 * Moves what the write-ahead log has to the file itself, so that a copy of the file is whole. To be called before a connection is closed:
 * SQLite does the same when the last one is closed, but `libsql` closes only at the end of the process where statements were prepared.
 * Waits for no other connection; while one reads or writes, the log stays.
 */
export function emptyWriteAheadLog(database: Database): void {
  try {
    database.exec('PRAGMA busy_timeout = 0')
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // The disk may be full: everything is in the log, which the next connection reads.
  }
}
