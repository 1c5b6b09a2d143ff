import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { TrawlError } from '../../../base/errors.js'
import type { ArchiveInput } from './archive-input.js'
import { openZipEntries } from './zip-directory.js'

/** Tests for the name of a file of records. */
export const isRecordFile = (name: string): boolean => /\.w?arc(?:\.gz)?$/i.test(name)
const isWacz = (name: string): boolean => /\.wacz$/i.test(name)

/** Files of archives in a folder. */
interface ArchiveFiles {
  /** Paths, in the order of their names. */
  readonly files: readonly string[]
  /** Entries that have the name of one and are not read, such as links. */
  readonly left: readonly LeftEntry[]
}

/** An entry of a folder, as the file system gives it. */
export interface FolderEntry {
  readonly name: string
  isFile(): boolean
  isDirectory(): boolean
  isSymbolicLink(): boolean
}

/** An entry of a folder that is not read. */
export interface LeftEntry {
  readonly path: string
  /** A sentence without a full stop. */
  readonly why: string
}

/** Tells why an entry of a folder that is neither a file nor a folder is not read. */
export const whyLeft = (entry: Pick<FolderEntry, 'isSymbolicLink'>): string =>
  entry.isSymbolicLink()
    ? 'The file is a link, which could lead out of the folder: give its own path'
    : 'What stands here is neither a file nor a folder, but a pipe, a socket or a device'

/** Lists the files of records, and the WACZ, in a folder. @throws errors of the file system */
export async function listRecordFiles(folder: string): Promise<ArchiveFiles> {
  const files: string[] = []
  const left: LeftEntry[] = []
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!isRecordFile(entry.name) && !isWacz(entry.name)) continue
    const path = join(folder, entry.name)
    if (entry.isFile()) files.push(path)
    else if (!entry.isDirectory()) left.push({ path, why: whyLeft(entry) })
  }
  return { files: files.toSorted(), left: left.toSorted((a, b) => (a.path < b.path ? -1 : 1)) }
}

/** Lists the further files of an archive that was rolled by its size: behind `x.warc.gz`, `x-00001.warc.gz` and so on. */
export async function listRolled(path: string): Promise<readonly string[]> {
  const [, stem, ending] = /^(.*)(\.warc(?:\.gz)?)$/i.exec(basename(path)) ?? []
  if (stem === undefined || ending === undefined) return []
  const isRolled = (name: string): boolean =>
    name.length === stem.length + 6 + ending.length &&
    name.startsWith(`${stem}-`) &&
    name.endsWith(ending) &&
    /^\d{5}$/.test(name.slice(stem.length + 1, stem.length + 6))
  const names = await readdir(dirname(path)).catch((): string[] => [])
  return names
    .filter(isRolled)
    .toSorted()
    .map((name) => join(dirname(path), name))
}

/**
 * Lists the files of archives: of a folder all of its files of records and WACZ, of another path the file and those that it was rolled into.
 *
 * @throws TrawlError `BAD_REQUEST` for a folder without any, or with what is no file
 */
export async function listArchiveFiles(paths: readonly string[]): Promise<readonly string[]> {
  const files: string[] = []
  for (const path of paths) {
    const found = isRecordFile(path) || isWacz(path) ? undefined : await listRecordFiles(path).catch(() => undefined)
    if (!found) {
      files.push(path, ...(await listRolled(path)))
      continue
    }
    const [left] = found.left
    if (left) throw new TrawlError('BAD_REQUEST', `The archive \`${left.path}\` cannot be read. ${left.why}`)
    if (found.files.length === 0)
      throw new TrawlError('BAD_REQUEST', `The folder \`${path}\` has no archive: no WARC, ARC or WACZ`)
    files.push(...found.files)
  }
  return [...new Set(files)]
}

/** Lists the files of records in a WACZ, and what cannot be read of it. */
export async function listWaczRecords(
  path: string,
): Promise<{ readonly records: readonly ArchiveInput[]; readonly left: readonly LeftEntry[] }> {
  const left: LeftEntry[] = []
  const entries = await openZipEntries(path, (name, why) => {
    if (name === path || isRecordFile(name)) left.push({ path: name, why: why.message })
  })
  return { records: entries.filter(({ name }) => isRecordFile(name)), left }
}
