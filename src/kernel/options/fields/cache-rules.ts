import type { core } from 'zod'

/** Options of a crawl that ask the site, and those of its pages that read only from the cache. */
interface CacheQuestion {
  readonly since?: string | undefined
  readonly sitemap?: string | undefined
  readonly scrapeOptions?: { readonly lockdown?: boolean | undefined; readonly minAge?: number | undefined } | undefined
}

/** Refuses `since` with options that read only from the cache, because no site is asked for changes then. @internal */
export function refuseSinceWithCacheOnly(
  { since, scrapeOptions = {} }: CacheQuestion,
  context: core.$RefinementCtx,
): void {
  if (since === undefined) return
  const { lockdown, minAge } = scrapeOptions
  for (const [name, isGiven] of [
    ['lockdown', lockdown === true],
    ['minAge', minAge !== undefined],
  ] as const) {
    if (!isGiven) continue
    const message = 'asks the cache alone, and `since` asks the site: they cannot be combined'
    context.addIssue({ code: 'custom', path: ['scrapeOptions', name], message })
  }
}

/** Refuses a crawl by sitemap alone if no request, not even for the sitemap, leaves the machine. @internal */
export function refuseSitemapWithLockdown(
  { sitemap, scrapeOptions }: CacheQuestion,
  context: core.$RefinementCtx,
): void {
  if (sitemap !== 'only' || scrapeOptions?.lockdown !== true) return
  const message = "'only' needs a sitemap, and with `scrapeOptions.lockdown` none is read"
  context.addIssue({ code: 'custom', path: ['sitemap'], message })
}
