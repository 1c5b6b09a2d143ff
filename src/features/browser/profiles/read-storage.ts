import type { BrowserContext, CDPSession, Page } from 'playwright'
import { isCrash } from '../page/browser-errors.js'
import { pageFunction } from '../injected/page-functions.js'
import type { StorageState } from './profile.js'

const MIB = 1024 * 1024

/**
 * Limits of a profile: bytes of databases and local storage of a site, bytes of databases of all sites, and number of
 * sites. More would take the host seconds and gigabytes to read for each page.
 */
const STORAGE_LIMITS = { originBytes: 4 * MIB, totalBytes: 16 * MIB, origins: 20 } as const

interface ReadStorageOptions {
  readonly page: Page
  readonly context: BrowserContext
  /** Origins of all documents of the page, including frames. */
  readonly origins: ReadonlySet<string>
  /** The storage at the start of the page. */
  readonly before: StorageState | undefined
  /** True if the page had no databases of `before`: those of sites that it did not visit stay as they were. */
  readonly lacksDatabases: boolean
}

/**
 * Reads the storage of a page after its last use. Databases are measured first, on a blank document, so that the page's
 * scripts cannot add to them. Their size on disk says little: 30 MB of repetitive data took 77 KB.
 *
 * The storage of a site beyond the limits stays as it was at the start of the page.
 */
export async function readStorage(options: ReadStorageOptions): Promise<{ state: StorageState; warnings: string[] }> {
  const { page, context, origins, before, lacksDatabases } = options
  const session = await context.newCDPSession(page)
  const had = before?.origins ?? []
  const known = [...new Set([...had.map(({ origin }) => origin), ...origins])]
  const kept = known.slice(0, STORAGE_LIMITS.origins)
  const left = new Set<string>()
  for (const origin of kept) if (await hasDatabases(session, origin)) left.add(origin)
  const stored = [...left]
  if (stored.length > 0) await page.route('**', (route) => route.fulfill({ contentType: 'text/html', body: '' }))
  let total = 0
  for (const origin of stored) {
    await page.goto(origin, { waitUntil: 'commit' })
    const most = Math.min(STORAGE_LIMITS.originBytes, STORAGE_LIMITS.totalBytes - total)
    const bytes = await page.evaluate(pageFunction('countDatabaseBytes'), most).catch((error: unknown) => {
      if (isCrash(error)) throw error
      return Infinity
    })
    if (bytes > most) continue
    left.delete(origin)
    total += bytes
  }
  const beyond = known.slice(STORAGE_LIMITS.origins)
  // A document whose databases are cleared under it may get no answer about them afterwards, and the driver asks it.
  if (left.size + beyond.length > 0) await page.goto('about:blank')
  for (const origin of left) await clear(session, origin, 'indexeddb')
  for (const origin of beyond) await clear(session, origin, 'indexeddb,local_storage')

  const state = await context.storageState({ indexedDB: true }).catch(async (error: unknown) => {
    if (isCrash(error)) throw error
    for (const origin of stored) left.add(origin)
    return await context.storageState()
  })
  const found = new Map(state.origins.map((one) => [one.origin, one]))
  const refused = new Set(left)
  for (const origin of kept) {
    const own = found.get(origin)
    const old = had.find((one) => one.origin === origin)
    const keepsItems = countText(own?.localStorage) <= STORAGE_LIMITS.originBytes
    const keepsDatabases = !left.has(origin) && (!lacksDatabases || origins.has(origin))
    if (keepsItems && keepsDatabases) continue
    if (!keepsItems) refused.add(origin)
    const { localStorage = [] } = (keepsItems ? own : old) ?? {}
    found.set(origin, { ...(keepsDatabases ? own : old), origin, localStorage })
  }
  for (const origin of beyond) {
    const old = had.find((one) => one.origin === origin)
    if (old) found.set(origin, { ...old, localStorage: old.localStorage ?? [] })
    else found.delete(origin)
  }
  return { state: { ...state, origins: [...found.values()] }, warnings: warn([...refused], beyond) }
}

const countText = (items: StorageState['origins'][number]['localStorage'] = []): number =>
  items.reduce((sum, { name, value }) => sum + name.length + value.length, 0)

async function hasDatabases(session: CDPSession, origin: string): Promise<boolean> {
  const { usageBreakdown } = await session.send('Storage.getUsageAndQuota', { origin })
  return usageBreakdown.some(({ storageType, usage }) => storageType === 'indexeddb' && usage > 0)
}

const clear = (session: CDPSession, origin: string, storageTypes: string): Promise<unknown> =>
  session.send('Storage.clearDataForOrigin', { origin, storageTypes })

function warn(left: readonly string[], beyond: readonly string[]): string[] {
  const { originBytes, totalBytes, origins } = STORAGE_LIMITS
  const most = `it is larger than ${originBytes / MIB} MiB, or than ${totalBytes / MIB} MiB together with other sites, or has no form as text`
  return [
    ...left.map((origin) => `The storage of \`${origin}\` was not saved in the profile: ${most}.`),
    ...(beyond.length > 0
      ? [`A profile holds the storage of at most ${origins} sites: that of ${beyond.length} more was not saved.`]
      : []),
  ]
}
