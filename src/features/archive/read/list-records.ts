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
  /** Paths of links, which could lead out of the folder and are not followed. */
  readonly links: readonly string[]
}

/** Lists the files of records, and the WACZ, in a folder. @throws errors of the file system */
export async function listRecordFiles(folder: string): Promise<ArchiveFiles> {
  const files: string[] = []
  const links: string[] = []
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!isRecordFile(entry.name) && !isWacz(entry.name)) continue
    if (entry.isFile()) files.push(join(folder, entry.name))
    else if (entry.isSymbolicLink()) links.push(join(folder, entry.name))
  }
  return { files: files.toSorted(), links: links.toSorted() }
}

/** Warning about a link in a folder. A sentence without a full stop. */
export const LINK_IS_LEFT = 'The file is a link, which could lead out of the folder: give its own path'

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
 * @throws TrawlError `BAD_REQUEST` for a folder without any, or with a link
 */
export async function listArchiveFiles(paths: readonly string[]): Promise<readonly string[]> {
  const files: string[] = []
  for (const path of paths) {
    const found = isRecordFile(path) || isWacz(path) ? undefined : await listRecordFiles(path).catch(() => undefined)
    if (!found) {
      files.push(path, ...(await listRolled(path)))
      continue
    }
    const [link] = found.links
    if (link !== undefined)
      throw new TrawlError('BAD_REQUEST', `The archive \`${link}\` cannot be read. ${LINK_IS_LEFT}`)
    if (found.files.length === 0)
      throw new TrawlError('BAD_REQUEST', `The folder \`${path}\` has no archive: no WARC, ARC or WACZ`)
    files.push(...found.files)
  }
  return [...new Set(files)]
}

/** Lists the files of records in a WACZ. */
export const listWaczRecords = async (path: string): Promise<readonly ArchiveInput[]> =>
  (await openZipEntries(path)).filter(({ name }) => isRecordFile(name))
