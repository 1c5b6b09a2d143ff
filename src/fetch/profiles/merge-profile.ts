import { isDeepStrictEqual } from 'node:util'
import { cookieKey } from './cookies.js'
import type { StorageState, StoredCookie } from './profile.js'

type Origin = StorageState['origins'][number]
type Item = Origin['localStorage'][number]

/**
 * What is stored, with what one page changed: cookies and local storage item by item, databases whole. What the page
 * only had is left as it is stored, so that of two pages that held one profile at once the changes of both live.
 *
 * @param stored what is stored now
 * @param before what the page started with
 * @param after what it ended with
 */
export function mergeProfile(
  stored: StorageState | undefined,
  before: StorageState | undefined,
  after: StorageState,
): StorageState {
  return {
    cookies: mergeItems<StoredCookie>(
      [stored, before, after].map((state) => state?.cookies),
      cookieKey,
      cookieState,
    ),
    origins: mergeOrigins(stored?.origins, before?.origins, after.origins),
  }
}

/** Items by name: those of the store, without what the page removed, with what it changed or added. */
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

/** What an origin has beside: IndexedDB, as Playwright writes it down. */
function restOf(origin: Origin | undefined): Record<string, unknown> {
  const { origin: _name, localStorage: _items, ...rest }: Partial<Origin> = origin ?? {}
  return rest
}

/** Whole: a database has rules of its own between its parts. */
function mergeRest([stored = {}, before = {}, after = {}]: readonly Record<string, unknown>[]): Record<
  string,
  unknown
> {
  return isDeepStrictEqual(before, after) ? stored : after
}

/** A browser gives the time back with other digits behind the point. */
const cookieState = ({ value, expires, httpOnly, secure, sameSite }: StoredCookie): string =>
  JSON.stringify([value, Math.round(expires), httpOnly, secure, sameSite])
