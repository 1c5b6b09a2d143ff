import { nonEmptyString, checkArgument } from '../../../base/runtime/check-options.js'
import { makeFolder } from '../../../base/runtime/make-folder.js'
import { createHash, randomUUID } from 'node:crypto'
import { open, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { KeyedTurns } from '../../../base/concurrency/keyed-turns.js'
import { messageOf, TrawlError } from '../../../base/errors.js'
import { mergeProfile } from './merge-profile.js'
import { checkStorage, type ProfileStore, type StorageState } from './profile.js'
import { parseJson } from '../../../base/text/parse-json.js'

/** Age from which on a lock belongs to a dead process, and is removed. Milliseconds. */
const LOCK_TIMEOUT_MS = 10_000
const LOCK_POLL_MS = 20
/** Interval at which a process that logs in shows that it is alive. Milliseconds. */
const ALIVE_MS = 2_000

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
    const unlock = await lock(`${path}.lock`)
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
      const unlock = await lock(path, signal)
      // A login may take longer than the time after which a lock is that of a dead process.
      const alive = setInterval(() => void utimes(path, new Date(), new Date()).catch(() => undefined), ALIVE_MS)
      alive.unref()
      return async () => {
        clearInterval(alive)
        await unlock()
      }
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

async function lock(path: string, signal?: AbortSignal): Promise<() => Promise<void>> {
  for (;;) {
    try {
      await (await open(path, 'wx')).close()
      return () => rm(path, { force: true })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
      const heldMs = await stat(path).then(
        ({ mtimeMs }) => Date.now() - mtimeMs,
        () => 0,
      )
      if (heldMs > LOCK_TIMEOUT_MS) await rm(path, { force: true })
      else await sleep(LOCK_POLL_MS, undefined, { signal })
    }
  }
}
