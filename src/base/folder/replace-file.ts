import { randomUUID } from 'node:crypto'
import { open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '../runtime/make-folder.js'

/** Settings of {@link replaceFile}. */
interface ReplaceOptions {
  /** Folder for the file while it is written, on the same file system. @default that of the file */
  readonly through?: string
}

/**
 * Writes a file so that it is complete or absent, also after a loss of power: under a name of its own, which is then the final one. A link
 * that stands at the final name is replaced, and not followed.
 *
 * @throws Error of the file system
 */
export async function replaceFile(
  path: string,
  data: string | Uint8Array | AsyncIterable<string> | AsyncIterable<Uint8Array>,
  { through = dirname(path) }: ReplaceOptions = {},
): Promise<void> {
  const partial = join(through, `${randomUUID()}.partial`)
  await makeFolder(dirname(path))
  try {
    const file = await open(partial, 'wx')
    try {
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
