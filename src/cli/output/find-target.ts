import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { UsageError } from '../usage-error.js'

/** File that an output is written to. */
export interface OutputTarget {
  /** Path of the file: for a symbolic link, that of its target. */
  readonly path: string
  /** Permissions of the file that is replaced; undefined if it is new. */
  readonly mode: number | undefined
}

/**
 * Finds the file that an output is written to. A symbolic link is followed only if it belongs to the owner of its target: in a shared
 * folder, another user may have prepared it.
 *
 * @throws UsageError if the path is no file that can be replaced, such as a device
 */
export function findTarget(path: string): OutputTarget {
  const link = lstatSync(path, { throwIfNoEntry: false })
  const isLink = link?.isSymbolicLink() === true
  const target = isLink ? readLink(path) : path
  const found = statSync(target, { throwIfNoEntry: false })
  if (found?.isFile() === false) throw new UsageError([`--output: ${path} is not a file that can be replaced`])
  if (isLink && (found ?? statSync(dirname(target))).uid !== link.uid)
    throw new UsageError([`--output: ${path} is a link to a file of another user: name ${target} itself`])
  return { path: target, mode: found && found.mode & 0o777 }
}

/** Returns the path that a symbolic link leads to, which may not exist. */
function readLink(path: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return resolve(realpathSync(dirname(path)), readlinkSync(path))
  }
}

/** Characters of a name that its temporary name begins with: with an id, it is no longer than the 255 bytes that names may have. */
const KEPT_CHARACTERS = 40

/** Creates the name of a temporary file beside a file. */
export const nameBeside = (path: string, suffix: string): string =>
  join(dirname(path), `${basename(path).slice(0, KEPT_CHARACTERS)}.${suffix}`)
