import type { BrowserContext, BrowserContextOptions } from 'playwright'

/** Cookies and storage of a browser, as Playwright reads and sets them. */
export type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>

/** What {@link StorageState} is given back as. */
export type StoredState = Exclude<NonNullable<BrowserContextOptions['storageState']>, string>

/**
 * Where browser storage is kept under names. One for an engine.
 *
 * A profile is read for each page that names it, and saved when the page came in whole and its plan says `saveChanges`.
 * Two pages may hold one name at once: it is for `save` to let the changes of both live, as `mergeProfile` does. A host may
 * bring its own.
 */
export interface ProfileStore {
  /** What was saved last; undefined for a name that nothing was saved under. */
  read(name: string, signal: AbortSignal): Promise<StoredState | undefined>
  /** @param before what the page started with, so that what it changed can be told from what it only had */
  save(name: string, state: StorageState, before: StoredState | undefined): Promise<void>
}
