import { createHash, randomUUID } from 'node:crypto'
import { readdirSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isOfLivingProcess } from '../../base/folder/page-folder.js'
import type { WaitingFiles } from './output.js'

/**
 * Names the folder in which the files of one run wait until their pages are written. Others may write to the same output meanwhile.
 *
 * @param database ledger of the run: `trawl resume` goes on with its files. @default none
 */
export function nameWaiting(output: string, database?: string): WaitingFiles {
  const name = database === undefined ? `${process.pid}.${randomUUID()}` : hashAddress(database)
  return { folder: join(output, '.trawl-files', name), isKept: database !== undefined }
}

/** Hashes the address of a ledger, which may have a password. */
const hashAddress = (database: string): string =>
  createHash('sha256')
    .update(isLedgerFile(database) ? resolve(database) : database)
    .digest('hex')
    .slice(0, 16)

/** Deletes a folder of waiting files, those of runs that were killed, and what is empty then. Synchronous, so that it can be called at exit. */
export function removeWaiting({ folder }: WaitingFiles): void {
  rmSync(folder, { recursive: true, force: true })
  const parent = dirname(folder)
  try {
    for (const name of readdirSync(parent)) {
      const [, pid] = /^(\d+)\.[\da-f-]{36}$/.exec(name) ?? []
      const left = join(parent, name)
      if (pid !== undefined && !isOfLivingProcess(Number(pid), left)) rmSync(left, { recursive: true, force: true })
    }
    rmdirSync(parent)
  } catch {
    // There is none, or it has files of another run.
  }
}

/** True for a `--database` that is the path of an SQLite ledger, and false for the address of a server. */
export const isLedgerFile = (database: string): boolean => !/^(?:\w+:\/\/|socket:)/.test(database)
