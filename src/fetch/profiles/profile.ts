/** A cookie of a browser. */
export interface StoredCookie {
  name: string
  value: string
  domain: string
  path: string
  /** Seconds since the epoch; -1 for one that ends with the session. */
  expires: number
  httpOnly: boolean
  secure: boolean
  sameSite: 'Strict' | 'Lax' | 'None'
}

/** Storage of one origin. */
export interface StoredOrigin {
  origin: string
  localStorage: { name: string; value: string }[]
}

/** Cookies and storage of a browser, as Playwright reads and sets them. IndexedDB stands beside `localStorage`, as the browser's driver writes it. */
export interface StorageState {
  cookies: StoredCookie[]
  origins: StoredOrigin[]
}

/**
 * Where browser storage is kept under names. One for an engine.
 *
 * A profile is read for each page that names it, and saved when the page came in whole and its plan says `saveChanges`.
 * Two pages may hold one name at once: it is for `save` to let the changes of both live, as `mergeProfile` does. A host may
 * bring its own.
 */
export interface ProfileStore {
  /** What was saved last; undefined for a name that nothing was saved under. */
  read(name: string, signal: AbortSignal): Promise<StorageState | undefined>
  /** @param before what the page started with, so that what it changed can be told from what it only had */
  save(name: string, state: StorageState, before: StorageState | undefined): Promise<void>
}
