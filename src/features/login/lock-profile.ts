import { untilAborted } from '../../base/concurrency/until-aborted.js'
import type { SessionStore } from '../../kernel/fetch/renderer.js'

/** Waits until nobody else logs in with a profile. A lock that comes too late is given back. @throws the signal's reason */
export async function lockProfile(
  sessions: SessionStore,
  profile: string,
  signal: AbortSignal,
): Promise<(() => Promise<void>) | undefined> {
  const locking = sessions.lock?.(profile, signal)
  if (!locking) return undefined
  return await untilAborted(locking, signal).catch((error: unknown) => {
    void locking.then((unlock) => unlock()).catch(() => undefined)
    throw error
  })
}
