import { isDeepStrictEqual } from 'node:util'
import { cookieKey, cookieState } from '../../../base/http/cookies.js'
import type { StoredCookie } from '../../../base/http/cookies.js'
import type { StorageState } from './profile.js'

type Origin = StorageState['origins'][number]
type Item = Origin['localStorage'][number]

/**
 * Merges the changes of one page into the stored profile: cookies and local storage item by item, databases whole.
 * Unchanged items stay as they are stored, so that the changes of two concurrent pages are both kept.
 *
 * @param stored the profile as it is stored now
 * @param before the profile at the start of the page
 * @param after the profile at the end of the page
 */
export function mergeProfile(
  stored: StorageState | undefined,
  before: StorageState | undefined,
  after: StorageState,
): StorageState {
  const { login } = after
  // The page belongs to a session before the present one: its sign of being logged out must not end that.
  if (stored && stored.login !== before?.login && login === before?.login) return stored
  return {
    ...(login !== undefined && { login }),
    cookies: mergeItems<StoredCookie>(
      [stored, before, after].map((state) => state?.cookies),
      cookieKey,
      cookieState,
    ),
    origins: mergeOrigins(stored?.origins, before?.origins, after.origins),
  }
}

/** Merges items by name: the stored ones, without those that the page removed, with those that it changed or added. */
function mergeItems<T>(
  [stored = [], before = [], after = []]: readonly (readonly T[] | undefined)[],
  nameOf: (item: T) => string,
  print: (item: T) => string,
): T[] {
  const result = new Map(stored.map((item) => [nameOf(item), item]))
  const had = new Map(before.map((item) => [nameOf(item), print(item)]))
  const has = new Set(after.map(nameOf))
  for (const name of had.keys()) if (!has.has(name)) result.delete(name)
  for (const item of after) if (had.get(nameOf(item)) !== print(item)) result.set(nameOf(item), item)
  return [...result.values()]
}

function mergeOrigins(
  stored: readonly Origin[] = [],
  before: readonly Origin[] = [],
  after: readonly Origin[],
): Origin[] {
  const names = new Set([...stored, ...before, ...after].map(({ origin }) => origin))
  return [...names].flatMap((origin) => {
    const three = [stored, before, after].map((origins) => origins.find((one) => one.origin === origin))
    const localStorage = mergeItems<Item>(
      three.map((one) => one?.localStorage),
      ({ name }) => name,
      ({ value }) => value,
    )
    const rest = mergeRest(three.map(restOf))
    return localStorage.length === 0 && Object.keys(rest).length === 0 ? [] : [{ origin, localStorage, ...rest }]
  })
}

/** Returns the data of an origin other than local storage: IndexedDB, in Playwright's format. */
function restOf(origin: Origin | undefined): Record<string, unknown> {
  const { origin: _name, localStorage: _items, ...rest }: Partial<Origin> = origin ?? {}
  return rest
}

/** Merges databases whole, because their parts depend on each other. */
function mergeRest([stored = {}, before = {}, after = {}]: readonly Record<string, unknown>[]): Record<
  string,
  unknown
> {
  return isDeepStrictEqual(before, after) ? stored : after
}
