import { closeSync, existsSync, openSync, rmSync } from 'node:fs'
import { makeUuid } from '../../uuid.js'
import type { Connect } from './sqlite-driver.js'

/** Says to other processes that the one which made it is alive. */
export interface ProcessLock {
  /** By which jobs are marked as this process's. */
  readonly name: string
  /** Takes the mark away. */
  drop(): void
}

/** Only the user that runs the process may read what it keeps. */
const PRIVATE = 0o600

/** Makes a file, unless it is there, that nobody else may read. */
export function makePrivateFile(file: string): void {
  try {
    // Never opened when it is there: to close it again would let go of all locks that this process has on it.
    closeSync(openSync(file, 'wx', PRIVATE))
  } catch (error) {
    if (!existsSync(file)) throw error
  }
}

/**
 * Marks this process as alive: a small file beside the ledger, locked for as long as the process lives. The system takes
 * the lock away from a process that dies, however it does, so that nobody has to wait for a lease to run out.
 */
export function makeOwnerMark(ledger: string, nowMs: number, connect: Connect): ProcessLock {
  const name = makeUuid(nowMs)
  const file = markOf(ledger, name)
  makePrivateFile(file)
  const database = connect(file)
  database.exec('BEGIN EXCLUSIVE')
  return {
    name,
    drop() {
      database.exec('ROLLBACK')
      database.close()
      rmSync(file, { force: true })
    },
  }
}

/** Whether the process that made a mark is alive; the mark of a dead one is taken away. */
export function isOwnerAlive(ledger: string, name: string, connect: Connect): boolean {
  const file = markOf(ledger, name)
  if (!existsSync(file)) return false
  const database = connect(file)
  try {
    database.exec('PRAGMA busy_timeout = 0')
    database.exec('BEGIN EXCLUSIVE')
    database.exec('ROLLBACK')
  } catch {
    // Locked.
    return true
  } finally {
    database.close()
  }
  rmSync(file, { force: true })
  return false
}

const markOf = (ledger: string, name: string): string => `${ledger}-${name}.owner`
