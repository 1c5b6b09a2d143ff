import { isObject } from '../../../base/collections/is-object.js'
import { TrawlError } from '../../../base/errors.js'
import type { StoredCookie } from '../../../base/http/cookies.js'

/** The storage of one origin. */
export interface StoredOrigin {
  origin: string
  localStorage: { name: string; value: string }[]
}

/**
 * Cookies and storage of a browser, in Playwright's format. IndexedDB is beside `localStorage`, in the driver's format.
 */
export interface StorageState {
  cookies: StoredCookie[]
  origins: StoredOrigin[]
  /** Identifies the login that made the session: what pages of an earlier one would change is dropped. @default none is known */
  login?: string
}

/**
 * Stores browser storage under names. Each engine has one.
 *
 * A profile is read for each page that names it, and saved when the page was fetched and its plan says `saveChanges`.
 * Two pages may use one profile at once: `save` must keep the changes of both, as `mergeProfile` does. A host may bring
 * its own store.
 */
export interface ProfileStore {
  /** The storage saved last; undefined when nothing was saved under the name. */
  read(name: string, signal: AbortSignal): Promise<StorageState | undefined>
  /** @param before the storage at the start of the page, to determine its changes */
  save(name: string, state: StorageState, before: StorageState | undefined): Promise<void>
  /**
   * Waits until nobody else logs in with the profile, in any process that shares the store.
   *
   * @default every engine that shares the store may log in by itself
   * @returns a function that lets others go on
   */
  lock?(name: string, signal: AbortSignal): Promise<() => Promise<void>>
}

/**
 * Checks what was read as the profile of a name: a file that somebody edited, or an entry of another program, may be
 * anything. Lists that are missing are empty.
 *
 * @throws TrawlError `SCRAPE_PROFILE_ERROR`
 */
export function checkStorage(read: unknown, name: string): StorageState {
  if (!isObject(read)) return refuse(name, 'it is not an object')
  const { cookies = [], origins = [] } = read
  if (!isListOf(cookies, isCookie)) return refuse(name, '`cookies` is not a list of cookies')
  if (!isListOf(origins, isOrigin)) return refuse(name, '`origins` is not a list of sites with their `localStorage`')
  return { ...read, cookies, origins }
}

function refuse(name: string, why: string): never {
  throw new TrawlError(
    'SCRAPE_PROFILE_ERROR',
    `The profile \`${name}\` is not the storage of a browser (${why}): delete it, or restore it from a copy`,
  )
}

const isListOf = <Item>(value: unknown, test: (item: unknown) => item is Item): value is Item[] =>
  Array.isArray(value) && value.every(test)

const hasTexts = (value: unknown, ...names: readonly string[]): value is Record<string, unknown> =>
  isObject(value) && names.every((name) => typeof value[name] === 'string')

const isCookie = (value: unknown): value is StoredCookie =>
  hasTexts(value, 'name', 'value', 'domain', 'path') && typeof value['expires'] === 'number'

const isItem = (value: unknown): value is StoredOrigin['localStorage'][number] => hasTexts(value, 'name', 'value')

const isOrigin = (value: unknown): value is StoredOrigin =>
  hasTexts(value, 'origin') && isListOf(value['localStorage'] ?? [], isItem)
