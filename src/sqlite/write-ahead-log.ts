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
