import { randomUUID } from 'node:crypto'
import { rename, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { makeFolder } from '../runtime/make-folder.js'
import type { MediaSink } from '../media/media.js'

/** Stores files in a folder, which is created with the first file, under names of their content. Their URLs are `file:` URLs. */
export function folderMedia(folder: string): MediaSink {
  const root = resolve(folder)
  return async ({ name, bytes }, signal) => {
    const path = join(root, name)
    const url = pathToFileURL(path).href
    // Equal bytes have equal names.
    if ((await stat(path).catch(() => undefined))?.size === bytes.length) return url
    // Renamed when complete, so that readers of the folder never see a partial file.
    const unfinished = join(root, `.${name}.${randomUUID()}`)
    // Only for the owner: screenshots may show pages behind a login.
    await makeFolder(root, { mode: 0o700 })
    try {
      await writeFile(unfinished, bytes, { signal, mode: 0o600 })
      await rename(unfinished, path)
    } catch (error) {
      await rm(unfinished, { force: true })
      throw error
    }
    return url
  }
}
