import { open, rm, stat, utimes } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** Age from which on a lock belongs to a dead process, and is removed. Milliseconds. */
const LOCK_TIMEOUT_MS = 10_000
const LOCK_POLL_MS = 20
/** Interval at which a process shows that it is alive. Milliseconds. */
const ALIVE_MS = 2_000

/**
 * Waits for a lock that processes share: a file, which is renewed while it is held.
 *
 * @returns a function that gives it back
 * @throws errors of the file system; the signal's reason
 */
export async function lockFile(path: string, signal?: AbortSignal): Promise<() => Promise<void>> {
  for (;;) {
    try {
      await (await open(path, 'wx')).close()
      const alive = setInterval(() => void utimes(path, new Date(), new Date()).catch(() => undefined), ALIVE_MS)
      alive.unref()
      return async () => {
        clearInterval(alive)
        await rm(path, { force: true })
      }
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
