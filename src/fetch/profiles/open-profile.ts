import { messageOf } from '../../errors.js'
import { isDeepStrictEqual } from 'node:util'
import type { ProfilePlan } from '../browser-plan.js'
import { isSendable } from './cookies.js'
import type { ProfileStore, StorageState } from './profile.js'
import { describeSkippedCookies } from './set-cookies.js'
import { untilAborted } from '../../concurrency/until-aborted.js'

/** A profile, for the length of a page. */
export interface OpenProfile {
  /** What the page starts with: nothing expired; undefined when nothing was saved under the name. */
  readonly state: StorageState | undefined
  /** Keeps what the page ended with, where the plan says so. Gives back a warning when that failed. */
  save(after: StorageState): Promise<string | undefined>
  /** What of it cannot be used. */
  readonly warnings: readonly string[]
  /** Whether anything is to be kept. */
  readonly savesChanges: boolean
}

/**
 * Reads a profile for a page; undefined for a page without one.
 *
 * @throws TrawlError `SCRAPE_PROFILE_ERROR`; whatever a store of the host's own throws; the signal's reason
 */
export async function openProfile(
  plan: ProfilePlan | undefined,
  profiles: ProfileStore | undefined,
  nowMs: number,
  signal: AbortSignal,
): Promise<OpenProfile | undefined> {
  if (!plan || !profiles) return undefined
  const { name, saveChanges } = plan
  const stored = await untilAborted(profiles.read(name, signal), signal)
  // A browser refuses to take up what has expired.
  const alive = stored?.cookies.filter(({ expires }) => expires < 0 || expires * 1000 > nowMs) ?? []
  const state = stored && { ...stored, cookies: alive.filter(isSendable) }
  return {
    state,
    warnings: describeSkippedCookies(alive.filter((cookie) => !isSendable(cookie))),
    savesChanges: saveChanges,
    async save(after) {
      if (!saveChanges || isSame(after, state)) return undefined
      try {
        await untilAborted(profiles.save(name, after, state), signal)
        return undefined
      } catch (error) {
        signal.throwIfAborted()
        const why = messageOf(error)
        return `What changed in the profile \`${name}\` could not be saved: ${why}.`
      }
    },
  }
}

const isSame = (after: StorageState, before: StorageState = { cookies: [], origins: [] }): boolean =>
  isDeepStrictEqual([after.cookies, after.origins], [before.cookies, before.origins])
