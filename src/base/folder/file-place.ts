import { lstatSync, type Stats } from 'node:fs'
import { lstat, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Returns the path of a file in a folder. @param file its path in the folder, with `/` */
export const pathIn = (folder: string, file: string): string => join(folder, ...file.split('/'))

/** Lists the folders above a file, the outermost first; not the one that they all are in. */
export function listParents(file: string): string[] {
  const parts = file.split('/')
  return parts.slice(1).map((_, depth) => parts.slice(0, depth + 1).join('/'))
}

/**
 * Tests whether a file cannot be made, or would not be in the folder: something has its name, also a link that leads nowhere, or a file
 * or link has that of a folder above it. Below a link is the place of somebody else.
 */
export const isTaken = (folder: string, file: string): boolean => findInPlace(folder, file) !== undefined

/** Tests whether what stands at a file's path, or above it, is no place for it: a folder in its place, or a file or link above it. */
export function isBarred(folder: string, file: string): boolean {
  const found = findInPlace(folder, file)
  return found !== undefined && (found === 'above' || found.isDirectory())
}

/** Finds what stands at the path of a file; `above` for a file or link in the place of a folder above it. */
function findInPlace(folder: string, file: string): Stats | 'above' | undefined {
  for (const parent of listParents(file)) {
    const found = lstatSync(pathIn(folder, parent), { throwIfNoEntry: false })
    if (!found) return undefined
    if (!found.isDirectory()) return 'above'
  }
  return lstatSync(pathIn(folder, file), { throwIfNoEntry: false })
}

/** Finds those of some folders in a folder that are files or links. */
export async function findBarred(folder: string, parents: Iterable<string>): Promise<ReadonlySet<string>> {
  const barred = new Set<string>()
  for (const parent of new Set(parents)) {
    const found = await lstat(pathIn(folder, parent)).catch(() => undefined)
    if (found && !found.isDirectory()) barred.add(parent)
  }
  return barred
}

/** Deletes a file, and the folders that it leaves empty. What stands in its place, and what is below a link, is somebody else's, and stays. */
export async function removeFile(folder: string, file: string): Promise<void> {
  const parents = listParents(file)
  if ((await findBarred(folder, parents)).size > 0) return
  const path = pathIn(folder, file)
  const found = await lstat(path).catch(() => undefined)
  if (found?.isDirectory()) return
  if (found) await rm(path, { force: true })
  for (const parent of parents.toReversed()) {
    try {
      await rmdir(pathIn(folder, parent))
    } catch {
      // It has other files.
      return
    }
  }
}
