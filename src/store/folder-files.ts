import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** The folder, inside a store's own, in which files are written before they are moved to their places. */
export const PARTS = 'parts'

/** Whether an error says that there is no such file. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** What a promise comes to; undefined when the file that it is about is not there. */
export const orMissing = <T>(reading: Promise<T>): Promise<T | undefined> =>
  reading.catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  })

/**
 * Writes a file so that, whatever happens, it is there whole or not at all: beside it first, then to the disk, then in
 * its place.
 *
 * @param folder the store's
 */
export async function writeWhole(folder: string, path: string, bytes: Uint8Array): Promise<void> {
  const part = join(folder, PARTS, randomUUID())
  try {
    await makingFolders(part, async () => {
      await using file = await open(part, 'wx', 0o600)
      await file.writeFile(bytes)
      await file.datasync()
    })
    await makingFolders(path, () => rename(part, path))
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

/** Does something with a path, and once more after making its folder, when that was missing. */
export async function makingFolders<T>(path: string, act: () => Promise<T>): Promise<T> {
  const first = await orMissing(act().then((value) => ({ value })))
  if (first) return first.value
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  return await act()
}
