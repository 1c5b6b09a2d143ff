import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { makeFolder } from '../runtime/make-folder.js'

/** The sub-folder of a store in which files are written before they are renamed. */
export const PARTIAL_FILES_FOLDER = 'parts'

/** Divides the path of a file. */
export const splitPath = (file: string): { readonly folder: string; readonly name: string } => ({
  folder: dirname(file),
  name: basename(file),
})

/** Tests for an error that says that a file does not exist. */
export const isMissingFile = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** Resolves to undefined when the file does not exist. */
export const undefinedIfMissing = <T>(reading: Promise<T>): Promise<T | undefined> =>
  reading.catch((error: unknown) => {
    if (isMissingFile(error)) return undefined
    throw error
  })

/**
 * Writes a file atomically: to a temporary path, synced to disk, then renamed.
 *
 * @param folder the store's folder
 */
export async function writeAtomically(folder: string, path: string, bytes: Uint8Array): Promise<void> {
  const part = join(folder, PARTIAL_FILES_FOLDER, randomUUID())
  try {
    await withParentFolder(part, async () => {
      await using file = await open(part, 'wx', 0o600)
      await file.writeFile(bytes)
      await file.datasync()
    })
    await withParentFolder(path, () => rename(part, path))
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

/** Runs `act`, and runs it again after creating the parent folder of `path` if that was missing. */
export async function withParentFolder<T>(path: string, act: () => Promise<T>): Promise<T> {
  const first = await undefinedIfMissing(act().then((value) => ({ value })))
  if (first) return first.value
  await makeFolder(dirname(path), { mode: 0o700 })
  return await act()
}
