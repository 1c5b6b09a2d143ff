import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { untilAborted } from '../../../base/concurrency/until-aborted.js'
import { KeyedTurns } from '../../../base/concurrency/keyed-turns.js'
import { messageOf, TrawlError } from '../../../base/errors.js'
import { checkArgument, objectWithMethods } from '../../../base/runtime/check-options.js'
import type { Store, StoredEntry } from '../../../base/store/store.js'
import { updateEntry } from '../../../base/store/update-entry.js'
import { parseJson } from '../../../base/text/parse-json.js'
import { lockTurn } from './memory-profiles.js'
import { mergeProfile } from './merge-profile.js'
import { checkStorage, type ProfileStore, type StorageState } from './profile.js'

/**
 * Stores profiles in a store, which machines may share. With `postgresStore` and `s3Store`, the changes of pages on different
 * machines are all kept; with a store without `update`, those of one process are. Entries contain log-ins.
 *
 * The store belongs to the caller, who closes it.
 *
 * @throws TypeError for what is no store
 * @example createEngine({ profiles: storeProfiles(postgresStore({ connectionString })) })
 */
export function storeProfiles(store: Store): ProfileStore {
  checkArgument('storeProfiles(store)', store, objectWithMethods('a store', 'get', 'set', 'delete', 'close'))
  const saving = new KeyedTurns()
  const logins = new KeyedTurns()
  return {
    async lock(name, signal) {
      const endTurn = await untilAborted(lockTurn(logins, name, signal), signal)
      try {
        const unlock = await lockLogin(store, name, signal)
        return async () => {
          try {
            await unlock()
          } finally {
            await endTurn()
          }
        }
      } catch (error) {
        await endTurn()
        throw error
      }
    },
    read: async (name) => {
      const entry = await store.get(keyOf(name)).catch((cause: unknown) => fail(name, cause))
      return toState(entry, name)
    },
    save: (name, state, before) =>
      saving.run(name, () =>
        updateEntry(store, keyOf(name), (entry) => toEntry(mergeProfile(toState(entry, name), before, state))),
      ),
  }
}

const keyOf = (name: string): string => `profile ${name}`

const toEntry = (state: StorageState): StoredEntry => ({
  facts: null,
  bodies: { state: new TextEncoder().encode(JSON.stringify(state)) },
})

/** @throws TrawlError `SCRAPE_PROFILE_ERROR` for an entry of something else */
function toState(entry: StoredEntry | undefined, name: string): StorageState | undefined {
  if (!entry) return undefined
  try {
    return checkStorage(parseJson(new TextDecoder().decode(entry.bodies?.['state'])), name)
  } catch (cause) {
    if (cause instanceof TrawlError) throw cause
    return fail(name, cause)
  }
}

/** @throws TrawlError `SCRAPE_PROFILE_ERROR` */
function fail(name: string, cause: unknown): never {
  throw new TrawlError('SCRAPE_PROFILE_ERROR', `The profile \`${name}\` cannot be read: ${messageOf(cause)}`, { cause })
}

/** Time for which a process that logs in keeps others waiting after it has died, and interval at which it shows that it is alive. */
const LEASE_MS = 15_000
const ALIVE_MS = 4_000
const POLL_MS = 200

/** A lease as it is stored. It changes whenever its owner shows that it is alive. */
interface Lease {
  readonly owner?: string
  readonly beat?: string
}

const readLease = (entry: StoredEntry | undefined): Lease => (entry?.facts ?? {}) as Lease

/** Tells whether an owner has shown no life for the time of a lease, by the clock of who waits: those of machines differ. */
function watchLease(): (entry: StoredEntry | undefined) => boolean {
  let seen = ''
  let sinceMs = 0
  return (entry) => {
    const { owner = '', beat = '' } = readLease(entry)
    if (`${owner} ${beat}` === seen) return performance.now() - sinceMs > LEASE_MS
    seen = `${owner} ${beat}`
    sinceMs = performance.now()
    return false
  }
}

/** Time after which a store without `update` shows which of those who took a lease at once has it. Milliseconds. */
const SETTLE_MS = 250

/**
 * Waits for the lease of a profile, after the turn of this process. In a store without `update` the last of those who take it at once has
 * it, unless one of them takes longer to write than the others wait.
 */
async function lockLogin(store: Store, name: string, signal: AbortSignal): Promise<() => Promise<void>> {
  const key = `login of profile ${name}`
  const owner = randomUUID()
  const isDead = watchLease()
  const take = async (): Promise<boolean> => {
    let isMine = false
    const change = (entry: StoredEntry | undefined): StoredEntry => {
      const { owner: other } = readLease(entry)
      isMine = other === undefined || other === owner || isDead(entry)
      return isMine || !entry ? { facts: { owner, beat: randomUUID() } } : entry
    }
    if (store.update) await store.update(key, change)
    else {
      const entry = change(await store.get(key))
      // What is written by who only looks would bring a lease back that was given back meanwhile.
      if (isMine) await store.set(key, entry)
    }
    return isMine
  }
  const isStillMine = async (): Promise<boolean> => {
    if (store.update) return true
    await sleep(SETTLE_MS, undefined, { signal })
    return readLease(await store.get(key)).owner === owner
  }
  while (!((await take()) && (await isStillMine()))) await sleep(POLL_MS, undefined, { signal })
  let last: Promise<unknown> = Promise.resolve()
  const alive = setInterval(() => void (last = take().catch(() => undefined)), ALIVE_MS)
  alive.unref()
  return async () => {
    clearInterval(alive)
    // A renewal under way would write it again, and one that was lost is another's.
    await last
    if (await take()) await store.delete(key)
  }
}
