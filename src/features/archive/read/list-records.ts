import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ArchiveInput } from './archive-input.js'
import { openZipEntries } from './zip-directory.js'

const isRecordFile = (name: string): boolean => /\.w?arc(?:\.gz)?$/i.test(name)

/** Lists the files of records in a folder, in the order of their names. */
export const listRecordFiles = async (folder: string): Promise<string[]> =>
  (await readdir(folder))
    .filter(isRecordFile)
    .toSorted()
    .map((name) => join(folder, name))

/** Lists the files of records in a WACZ. */
export const listWaczRecords = async (path: string): Promise<readonly ArchiveInput[]> =>
  (await openZipEntries(path)).filter(({ name }) => isRecordFile(name))
