import { lstat, readlink, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { makeUuid } from '../uuid.js'

/** File that a report is written to. */
export interface ReportTarget {
  /** Path of the file: for a symbolic link, that of its target. */
  readonly path: string
  /** Name of the file until it is complete. */
  readonly partial: string
  /** Permissions of the file that is replaced; undefined if it is new. */
  readonly mode: number | undefined
}

/** Characters of a name that its temporary name begins with: with an id, it is no longer than the 255 bytes that names may have. */
const KEPT_CHARACTERS = 40

/**
 * Finds the file that a report is written to. A symbolic link is followed only if it belongs to the owner of its target: in a shared
 * folder, another user may have prepared it.
 *
 * @throws Error if the path is no file that can be replaced, such as a device; Error of the file system
 */
export async function findReportTarget(path: string): Promise<ReportTarget> {
  const link = await orNone(lstat(path))
  const isLink = link?.isSymbolicLink() === true
  const target = isLink ? await readLink(path) : path
  const found = await orNone(stat(target))
  if (found?.isFile() === false) throw new Error(`${path} is not a file that a report can replace`)
  if (isLink && (found ?? (await stat(dirname(target)))).uid !== link.uid)
    throw new Error(`${path} is a link to a file of another user: name ${target} itself`)
  const name = `${basename(target).slice(0, KEPT_CHARACTERS)}.${makeUuid(Date.now())}.partial`
  return { path: target, partial: join(dirname(target), name), mode: found && found.mode & 0o777 }
}

/** Returns the path that a symbolic link leads to, which may not exist. */
const readLink = async (path: string): Promise<string> =>
  (await orNone(realpath(path))) ?? resolve(await realpath(dirname(path)), await readlink(path))

/** Awaits facts about a file; undefined if it does not exist. @throws Error of the file system */
async function orNone<Fact>(fact: Promise<Fact>): Promise<Fact | undefined> {
  try {
    return await fact
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
