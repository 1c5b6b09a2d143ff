import { randomUUID } from 'node:crypto'
import { lstat, open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '../runtime/make-folder.js'

/** Settings of {@link replaceFile}. */
interface ReplaceOptions {
  /** Folder for the file while it is written, on the same file system. @default that of the file */
  readonly through?: string
  /** Mode of the file. @default that of the file that stands there */
  readonly mode?: number
}

/**
 * Writes a file so that it is complete or absent, also after a loss of power: under a name of its own, which is then the final one. A link
 * that stands at the final name is replaced, and not followed; a file that stands there leaves the new one its mode.
 *
 * @throws Error of the file system
 */
export async function replaceFile(
  path: string,
  data: string | Uint8Array | AsyncIterable<string> | AsyncIterable<Uint8Array>,
  { through = dirname(path), mode: given }: ReplaceOptions = {},
): Promise<void> {
  const partial = join(through, `${randomUUID()}.partial`)
  await makeFolder(dirname(path))
  try {
    const mode = given ?? (await modeOf(path))
    const file = await open(partial, 'wx', mode)
    try {
      // What the process masks is taken from the mode of a file that is made.
      if (mode !== undefined) await file.chmod(mode)
      await writeFile(file, data)
      await file.datasync()
    } finally {
      await file.close()
    }
    await rename(partial, path)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

/** Returns the mode of a file that stands at a path; undefined for none, and for a link. */
export async function modeOf(path: string): Promise<number | undefined> {
  const found = await lstat(path).catch(() => undefined)
  return found?.isFile() ? found.mode & 0o7777 : undefined
}
