/** A cookie of a browser. `domain` begins with a dot, unless the cookie is for the host only. */
export interface StoredCookie {
  name: string
  value: string
  domain: string
  path: string
  /** Seconds since the epoch; -1 for a session cookie. */
  expires: number
  httpOnly: boolean
  secure: boolean
  sameSite: 'Strict' | 'Lax' | 'None'
}

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
}
