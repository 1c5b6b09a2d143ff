import { createHash, randomUUID } from 'node:crypto'
import { readdirSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isOfLivingProcess } from '../../base/folder/page-folder.js'
import { folderMedia } from '../../base/folder/folder-media.js'
import type { MediaSink } from '../../index.js'
import type { WaitingFiles } from './output.js'

/**
 * Names the folder in which the files of one run wait until their pages are written. Others may write to the same output meanwhile.
 *
 * @param isKept true to leave it where the job did not end: see {@link nameAfterJob}
 */
export function nameWaiting(output: string, isKept: boolean): WaitingFiles {
  return { folder: join(output, '.trawl-files', `${process.pid}.${randomUUID()}`), isKept }
}

/** Names the folder after the job whose files are kept, before the first one comes: the run that goes on with the job finds and deletes it. */
export function nameAfterJob(waiting: WaitingFiles | undefined, jobId: string): void {
  if (waiting?.isKept === true) waiting.folder = join(dirname(waiting.folder), hashId(jobId))
}

/** Hashes the id of a job, which comes from a database. */
const hashId = (jobId: string): string => createHash('sha256').update(jobId).digest('hex').slice(0, 16)

/** Stores files in the folder that waiting ones have by then, for their owner alone. Equal bytes have equal names. */
export const waitingMedia =
  (waiting: WaitingFiles): MediaSink =>
  (file, signal) =>
    folderMedia(waiting.folder)(file, signal)

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
