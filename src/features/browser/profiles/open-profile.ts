import { messageOf } from '../../../base/errors.js'
import { isDeepStrictEqual } from 'node:util'
import type { ProfilePlan } from '../../../kernel/fetch/browser-plan.js'
import { isSendable } from '../../../base/http/cookies.js'
import { checkStorage, type ProfileStore, type StorageState } from './profile.js'
import { describeSkippedCookies } from './set-cookies.js'
import { untilAborted } from '../../../base/concurrency/until-aborted.js'

/** A profile in use by a page. */
export interface OpenProfile {
  /** The initial storage without expired cookies; undefined when nothing was saved under the name. */
  readonly state: StorageState | undefined
  /** Saves the storage at the end of the page, if the plan says so. @returns a warning when that failed */
  save(after: StorageState): Promise<string | undefined>
  /** Warnings about parts of the profile that cannot be used. */
  readonly warnings: readonly string[]
  /** True when changes are saved. */
  readonly savesChanges: boolean
}

/**
 * Reads the profile of a page.
 *
 * @throws TrawlError `SCRAPE_PROFILE_ERROR`; errors of the host's own store; the signal's reason
 */
export async function openProfile(
  { name, saveChanges }: ProfilePlan,
  profiles: ProfileStore,
  nowMs: number,
  signal: AbortSignal,
): Promise<OpenProfile> {
  const read = await untilAborted(profiles.read(name, signal), signal)
  const stored = read ? checkStorage(read, name) : undefined
  // A browser refuses expired cookies.
  const alive = stored?.cookies.filter(({ expires }) => expires < 0 || expires * 1000 > nowMs) ?? []
  const state = stored && { ...stored, cookies: alive.filter(isSendable) }
  return {
    state,
    warnings: describeSkippedCookies(alive.filter((cookie) => !isSendable(cookie))),
    savesChanges: saveChanges,
    async save(after) {
      if (!saveChanges || isSame(after, state)) return undefined
      try {
        const { login } = state ?? {}
        const saved = login === undefined ? after : { ...after, login }
        await untilAborted(profiles.save(name, saved, state), signal)
        return undefined
      } catch (error) {
        signal.throwIfAborted()
        const why = messageOf(error)
        return `The changes of the profile \`${name}\` could not be saved: ${why}.`
      }
    },
  }
}

const isSame = (after: StorageState, before: StorageState = { cookies: [], origins: [] }): boolean =>
  isDeepStrictEqual([after.cookies, after.origins], [before.cookies, before.origins])
