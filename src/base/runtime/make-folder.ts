import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Permissions of the folders that are created. */
interface FolderOptions {
  readonly mode?: number
}

/**
 * Creates a folder, and its parents if they are missing.
 *
 * `mkdir` with `recursive` never settles where a file system says of a new folder that its parent is missing, which exists: below
 * `/proc`, for example. It keeps a thread busy meanwhile.
 *
 * @throws Error of the file system
 */
export async function makeFolder(path: string, options: FolderOptions = {}): Promise<void> {
  const create = (): Promise<unknown> =>
    mkdir(path, options).then(
      () => undefined,
      (error: unknown) => error,
    )
  let error = await create()
  if (lacksParent(error) && dirname(path) !== path) {
    await makeFolder(dirname(path), options)
    error = await create()
  }
  if (error !== undefined && !(await isFolder(path))) throw error
}

const lacksParent = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
