import { existsSync, rmSync } from 'node:fs'
import { makeUuid } from '../../uuid.js'
import type { Connect } from '../../sqlite/driver.js'
import { createPrivateFile } from '../../sqlite/private-file.js'

/** A lock that shows other processes that this one is alive. */
export interface ProcessLock {
  /** Identifies this process as the owner of jobs. */
  readonly name: string
  /** Releases the lock and deletes its file. */
  release(): void
}

/**
 * Creates a small file beside the ledger and locks it for as long as the process lives. The system releases the lock of
 * a process that dies, however it dies, so that nobody waits for a lease to expire.
 */
export function acquireProcessLock(ledger: string, nowMs: number, connect: Connect): ProcessLock {
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
    database.exec('BEGIN EXCLUSIVE')
    database.exec('ROLLBACK')
  } catch {
    // The file is locked.
    return true
  } finally {
    database.close()
  }
  rmSync(file, { force: true })
  return false
}

const lockPathOf = (ledger: string, name: string): string => `${ledger}-${name}.owner`
