import { untilAborted } from '../../../base/concurrency/until-aborted.js'
import { KeyedTurns } from '../../../base/concurrency/keyed-turns.js'
import { mergeProfile } from './merge-profile.js'
import type { ProfileStore, StorageState } from './profile.js'

/**
 * Stores profiles in this process's memory. Engines that are given the same store share them.
 *
 * @example const profiles = memoryProfiles(); createEngine({ profiles })
 */
export function memoryProfiles(): ProfileStore {
  const states = new Map<string, StorageState>()
  const logins = new KeyedTurns()
  return {
    read: async (name) => {
      const state = states.get(name)
      return state && structuredClone(state)
    },
    lock: (name, signal) => untilAborted(lockTurn(logins, name, signal), signal),
    save: async (name, state, before) => {
      states.set(name, structuredClone(mergeProfile(states.get(name), before, state)))
    },
  }
}

/** Waits for a turn of this process. @returns a function that ends it */
export function lockTurn(turns: KeyedTurns, name: string, signal: AbortSignal): Promise<() => Promise<void>> {
  return new Promise((resolve) => {
    const wait = (end: () => void): void => {
      // Nobody would end the turn of who no longer waits.
      if (signal.aborted) end()
      else resolve(async () => end())
    }
    void turns.run(name, () => new Promise<void>(wait))
  })
}
