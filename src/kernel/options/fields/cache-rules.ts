import type { core } from 'zod'

/** Options of a crawl that ask the site, and those of its pages that read only from the cache. */
interface CacheQuestion {
  readonly sitemap?: string
  readonly scrapeOptions?: { readonly lockdown?: boolean; readonly minAge?: number }
}

/** Creates the rule of an option that asks the site: options that read only from the cache are refused with it. @internal */
export const refuseCacheOnly =
  (option: string) =>
  (request: CacheQuestion, context: core.$RefinementCtx): void => {
    const { [option]: value } = request as Readonly<Record<string, unknown>>
    if (value === undefined) return
    const { lockdown, minAge } = request.scrapeOptions ?? {}
    for (const [name, isGiven] of [
      ['lockdown', lockdown === true],
      ['minAge', minAge !== undefined],
    ] as const) {
      if (!isGiven) continue
      const message = `asks the cache alone, and \`${option}\` asks the site: they cannot be combined`
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
