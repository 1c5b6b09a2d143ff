import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { splitPath } from './folder-files.js'
import { makeUuid } from '../uuid.js'
import type { Connect } from '../sqlite/driver.js'
import { createPrivateFile } from '../sqlite/private-file.js'

/** Age below which a lock file is not tested: its process may not have locked it yet. Milliseconds. */
const MIN_AGE_MS = 60_000
/** Maximum number of lock files that are tested at once, because the thread waits for each. */
const MAX_TESTED = 100

/** A lock that shows other processes that this one is alive. */
export interface ProcessLock {
  /** Identifies this process as the owner of jobs. */
  readonly name: string
  /** Releases the lock and deletes its file. */
  release(): void
}

/**
 * Creates a small file beside the ledger and locks it for as long as the process lives. The system releases the lock of
 * a process that dies, however it dies, so that nobody waits for a lease to expire. The files of processes that died are deleted.
 */
export function acquireProcessLock(ledger: string, nowMs: number, connect: Connect): ProcessLock {
  deleteDeadLocks(ledger, connect)
  const name = makeUuid(nowMs)
  const file = lockPathOf(ledger, name)
  createPrivateFile(file)
  const database = connect(file)
  database.exec('BEGIN EXCLUSIVE')
  return {
    name,
    release() {
      database.exec('ROLLBACK')
      database.close()
      rmSync(file, { force: true })
    },
  }
}

/** Tests the lock of a process; the lock file of a dead process is deleted. */
export function isProcessAlive(ledger: string, name: string, connect: Connect): boolean {
  const file = lockPathOf(ledger, name)
  if (!existsSync(file)) return false
  const database = connect(file)
  try {
    database.exec('PRAGMA busy_timeout = 0')
    // Readers do not lock each other out: another process that tests the file at the same time must not look like its owner.
    database.exec('SELECT count(*) FROM sqlite_master')
  } catch {
    // The file is locked.
    return true
  } finally {
    database.close()
  }
  for (const left of [file, `${file}-journal`]) rmSync(left, { force: true })
  return false
}

/** Deletes the lock files of dead processes: nobody asks for one that left no unfinished job. */
function deleteDeadLocks(ledger: string, connect: Connect): void {
  for (const name of listLocks(ledger).slice(0, MAX_TESTED)) {
    try {
      if (Date.now() - statSync(lockPathOf(ledger, name)).mtimeMs > MIN_AGE_MS) isProcessAlive(ledger, name, connect)
    } catch {
      // Another process has deleted it meanwhile, or it is one of another user.
    }
  }
}

/** Lists the processes with lock files, oldest first. */
function listLocks(ledger: string): readonly string[] {
  const { folder, name } = splitPath(ledger)
  const [prefix, suffix] = [`${name}-`, '.owner']
  try {
    const locks = readdirSync(folder).filter((file) => file.startsWith(prefix) && file.endsWith(suffix))
    return locks.map((file) => file.slice(prefix.length, -suffix.length)).toSorted()
  } catch {
    // A folder may be writable and not readable.
    return []
  }
}

const lockPathOf = (ledger: string, name: string): string => `${ledger}-${name}.owner`
