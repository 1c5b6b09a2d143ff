import type { BrowserContext } from 'playwright'
import { messageOf, TrawlError } from '../../../base/errors.js'
import { isCrash } from '../page/browser-errors.js'
import type { StorageState, StoredOrigin } from './profile.js'

/** A browser context with the storage of a profile. */
export interface StoredContext {
  readonly context: BrowserContext
  /** True if the context has no databases, because the browser refused those of the profile. */
  readonly lacksDatabases: boolean
}

/**
 * Opens a browser context with the storage of a profile. Databases that the browser refuses are left out: a file that a
 * page stored has no form as text, and a database that finds its values by the name of the file has no place for the rest.
 *
 * @param open opens a context with the storage of these origins
 * @throws TrawlError `SCRAPE_PROFILE_ERROR`
 */
export async function openWithStorage(
  open: (origins: StoredOrigin[]) => Promise<BrowserContext>,
  storage: StorageState | undefined,
): Promise<StoredContext> {
  const { origins = [] } = storage ?? {}
  try {
    return { context: await open(origins), lacksDatabases: false }
  } catch (error) {
    if (!isRefusal(error)) throw error
  }
  try {
    const items = origins.map(({ origin, localStorage }) => ({ origin, localStorage }))
    return { context: await open(items), lacksDatabases: true }
  } catch (cause) {
    if (!isRefusal(cause)) throw cause
    const why = inOneLine(messageOf(cause))
    throw new TrawlError('SCRAPE_PROFILE_ERROR', `The browser refused the storage of the profile: ${why}`, { cause })
  }
}

const isRefusal = (error: unknown): boolean => !isCrash(error) && /storage ?state/i.test(messageOf(error))

const inOneLine = (text: string): string => text.split('\n').slice(0, 2).join(' ').trim()
