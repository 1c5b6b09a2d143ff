import { readdirSync, unlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isOfLivingProcess } from './page-folder.js'
import { findTarget, KEPT_CHARACTERS } from './partial-file.js'

/**
 * Deletes what killed processes have left of a file, under the names of `openPartialFile`: also of one that was kept beside it. A long
 * name, of which those have a part alone, may be that of another file.
 *
 * @throws NoFileError if the path is no file that can be replaced; Error of the file system
 */
export function removeLeft(path: string): void {
  const { path: target } = findTarget(path)
  const name = basename(target)
  if (name.length > KEPT_CHARACTERS) return
  const folder = dirname(target)
  for (const left of listNames(folder)) {
    const pid = left.startsWith(`${name}.`) ? LEFT.exec(left.slice(name.length))?.[1] : undefined
    if (pid !== undefined && !isOfLivingProcess(Number(pid), join(folder, left))) removeNow(join(folder, left))
  }
}

/** Rest of a name: the id of what was kept beside the file, cut, the process, and an id. */
const LEFT = /^\.(?:[\da-f-]{0,36}\.)?(\d+)\.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.partial$/

/** Deletes a file, if it is one: in a shared folder, it may be that of another user, who deletes it. */
function removeNow(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // Nothing depends on it.
  }
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
