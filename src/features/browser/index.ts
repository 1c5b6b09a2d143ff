import { availableParallelism } from 'node:os'
import { compact } from '../../base/collections/compact.js'
import { defineFeature, type FetcherParts } from '../../kernel/engine/feature.js'
import { FETCHER_CHOICES } from '../../kernel/fetch/fetcher.js'
import type { AddedFetchers, OpenCookies } from '../../kernel/fetch/renderer.js'
import { createAdFilter } from './ad-block/ad-filter.js'
import { type BrowserConfig, browserDefinitions } from './browser-config.js'
import { createBrowserFetcher } from './browser-fetcher.js'
import { createEnhancedHttpFetcher } from './enhanced/enhanced-http.js'
import { canImpersonate } from './enhanced/impersonate.js'
import { folderProfiles } from './profiles/folder-profiles.js'
import { memoryProfiles } from './profiles/memory-profiles.js'
import { openProfile } from './profiles/open-profile.js'

export type { BrowserConfig } from './browser-config.js'

declare module '../../kernel/options/feature-options.js' {
  interface FeatureConfig extends BrowserConfig {}
}

/** Pages in a browser of the machine: actions, scripts, profiles, advertisements. @internal */
export const browser = defineFeature({
  name: 'browser',
  options: { engine: browserDefinitions },
  openFetchers,
})

function openFetchers({ settings, own, observer, captures, getList }: FetcherParts): AddedFetchers {
  const { maxConcurrency, fetcher, limits, userAgent, allowPrivateNetworks, signer, now } = settings
  const profiles =
    typeof settings.profiles === 'string' ? folderProfiles(settings.profiles) : (settings.profiles ?? memoryProfiles())
  const filter = createAdFilter({ adLists: [...(settings.adLists ?? [])], getList, now })
  const options = {
    maxPages: Math.min(maxConcurrency, 2 * availableParallelism()),
    pagesPerBrowser: browserDefinitions.browser.default.pagesPerBrowser,
    ...compact(settings.browser ?? {}),
  }
  const shared = { limits, userAgent, allowPrivateNetworks, signer, now }
  const openCookies: OpenCookies = async (plan, nowMs, signal) => {
    const { state, warnings, save } = await openProfile(plan, profiles, nowMs, signal)
    const { cookies = [], origins = [] } = state ?? {}
    return { cookies, warnings, save: (after) => save({ cookies: [...after], origins }) }
  }
  return {
    renderer: FETCHER_CHOICES[fetcher].allowsBrowser
      ? createBrowserFetcher({
          ...shared,
          own,
          observer,
          profiles,
          filter,
          captures,
          browser: options,
          env: settings.env,
        })
      : undefined,
    enhancedHttp: canImpersonate() ? createEnhancedHttpFetcher({ ...shared, own, observer, openCookies }) : undefined,
    openCookies,
    sessions: profiles,
    stop: () => filter.close(),
  }
}
