import { nonEmptyString, checkArgument } from '../../../base/runtime/check-options.js'
import { makeFolder } from '../../../base/runtime/make-folder.js'
import { lockFile } from '../../../base/folder/lock-file.js'
import { createHash, randomUUID } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { KeyedTurns } from '../../../base/concurrency/keyed-turns.js'
import { messageOf, TrawlError } from '../../../base/errors.js'
import { mergeProfile } from './merge-profile.js'
import { checkStorage, type ProfileStore, type StorageState } from './profile.js'
import { parseJson } from '../../../base/text/parse-json.js'

/**
 * Stores profiles as files in a folder, which engines and processes may share: saves are serialized, and files are
 * replaced atomically. Files contain log-ins and are readable by their owner only.
 *
 * @param folder created if absent
 * @throws TypeError when `folder` is not a path
 * @example createEngine({ profiles: folderProfiles('./profiles') })
 */
export function folderProfiles(folder: string): ProfileStore {
  checkArgument('folderProfiles(folder)', folder, nonEmptyString('the path of a folder'))
  const saving = new KeyedTurns()
  const pathOf = (name: string): string => join(folder, `${fileNameOf(name)}.json`)

  async function save(name: string, state: StorageState, before: Parameters<ProfileStore['save']>[2]): Promise<void> {
    await makeFolder(folder, { mode: 0o700 })
    const path = pathOf(name)
    const unlock = await lockFile(`${path}.lock`)
    try {
      const merged = mergeProfile(await readState(path, name), before, state)
      const part = `${path}.${randomUUID()}`
      await writeFile(part, JSON.stringify(merged), { mode: 0o600 })
      await rename(part, path)
    } finally {
      await unlock()
    }
  }

  return {
    async lock(name, signal) {
      await makeFolder(folder, { mode: 0o700 })
      const path = `${pathOf(name)}.login.lock`
      return lockFile(path, signal)
    },
    read: (name) => readState(pathOf(name), name),
    // Saves of this process are queued in memory; the lock is for other processes.
    save: (name, state, before) => saving.run(name, () => save(name, state, before)),
  }
}

/**
 * Returns a file name for a profile, whose name may contain any characters: a readable prefix, and a hash that makes it
 * unique.
 */
function fileNameOf(name: string): string {
  const readable = name
    .replaceAll(/[^\w.-]+/g, '_')
    .replace(/^\.+/, '_')
    .slice(0, 40)
  return `${readable}-${createHash('sha256').update(name).digest('hex').slice(0, 16)}`
}

async function readState(path: string, name: string): Promise<StorageState | undefined> {
  try {
    return checkStorage(parseJson(await readFile(path, 'utf8')), name)
  } catch (error) {
    if (error instanceof TrawlError) throw error
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    const why = messageOf(error)
    throw new TrawlError('SCRAPE_PROFILE_ERROR', `The profile \`${name}\` cannot be read: ${why}`, { cause: error })
  }
}
