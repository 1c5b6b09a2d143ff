import type { BrowserContextOptions } from 'playwright'
import type { Emulation } from '../browser-plan.js'
import type { RunningBrowser } from '../browser-process/launch-browser.js'
import { CHROME_MAJOR_VERSION, defaultUserAgent, phoneUserAgent } from './user-agent.js'

/** Where a page's plan says nothing. */
export const defaultEmulation: Emulation = { mobile: false, languages: ['en-US', 'en'] }

/** The telephone of `mobile`: window, touch screen and what it says of itself belong together. */
const PHONE = { model: 'Pixel 7', width: 412, height: 839, scale: 2.625, androidVersion: '14.0.0' }

/** The `Accept-Language` header: each language a little less than the one before. @see RFC 9110 section 12.5.4 */
export const acceptLanguage = (languages: readonly string[]): string =>
  languages
    .slice(0, 10)
    .map((language, index) => (index === 0 ? language : `${language};q=${(1 - index / 10).toFixed(1)}`))
    .join(',')

/** What `Emulation.setUserAgentOverride` of the browser's protocol takes. */
export interface UserAgentOverride {
  readonly userAgent: string
  /** Without weights: the browser adds them. */
  readonly acceptLanguage: string
  readonly platform: string
  readonly userAgentMetadata: {
    readonly brands: { brand: string; version: string }[]
    readonly fullVersionList: { brand: string; version: string }[]
    readonly platform: string
    readonly platformVersion: string
    readonly architecture: string
    readonly bitness: string
    readonly model: string
    readonly mobile: boolean
  }
}

/**
 * What the browser says of itself, in its headers and to scripts: all of one piece. It is a Chromium of its version,
 * without the word that it has no window, and with trawl's own name behind it unless it is to be anonymous.
 *
 * @param named a user agent that was asked for; then only what it says is sent, and no client hints
 */
export function buildUserAgentOverride(
  { userAgent, version }: Pick<RunningBrowser, 'userAgent' | 'version'>,
  { mobile, languages, isAnonymous = false }: Emulation,
  named: string | undefined,
): UserAgentOverride {
  const major = version.split('.')[0] ?? CHROME_MAJOR_VERSION
  const desktopAgent = userAgent.replace(/HeadlessChrome\/[\d.]+/, `Chrome/${major}.0.0.0`)
  const [, system = ''] = /\(([^()]*)\)/.exec(userAgent) ?? []
  const [platform, navigatorPlatform] = /Windows/.test(system)
    ? ['Windows', 'Win32']
    : /Mac/.test(system)
      ? ['macOS', 'MacIntel']
      : ['Linux', 'Linux x86_64']
  const brandsOf = (of: string) => [
    { brand: 'Chromium', version: of },
    { brand: 'Not.A/Brand', version: of === major ? '8' : '8.0.0.0' },
  ]
  return {
    userAgent: named ?? `${mobile ? phoneUserAgent(major) : desktopAgent}${isAnonymous ? '' : ` ${defaultUserAgent}`}`,
    acceptLanguage: languages.slice(0, 10).join(','),
    platform: mobile ? 'Linux armv81' : navigatorPlatform,
    userAgentMetadata: {
      brands: named === undefined ? brandsOf(major) : [],
      fullVersionList: named === undefined ? brandsOf(version) : [],
      platform: mobile ? 'Android' : platform,
      platformVersion: mobile ? PHONE.androidVersion : '',
      architecture: mobile ? '' : 'x86',
      bitness: mobile ? '' : '64',
      model: mobile ? PHONE.model : '',
      mobile,
    },
  }
}

/** A page's window and the screen that it is on. CSS pixels. */
const windowOf = ({ mobile }: Emulation) =>
  mobile
    ? {
        viewport: { width: PHONE.width, height: PHONE.height },
        screen: { width: PHONE.width, height: 915 },
        deviceScaleFactor: PHONE.scale,
        isMobile: true,
        hasTouch: true,
      }
    : { viewport: { width: 1280, height: 800 }, screen: { width: 1280, height: 800 } }

/** Settings of a page's context that are the same for every document in it. */
export function buildContextOptions(emulation: Emulation, agent: UserAgentOverride): BrowserContextOptions {
  const [locale = 'en-US'] = emulation.languages
  return {
    ...windowOf(emulation),
    locale,
    userAgent: agent.userAgent,
    ...(emulation.timeZone === undefined ? {} : { timezoneId: emulation.timeZone }),
  }
}

/** Of a page that nobody looks at, so much is painted: the page itself finds no difference, and the browser has less to do. */
const HIDDEN_PAGE_SCALE = 0.05

/** The same window as that of {@link buildContextOptions}, in the words of `Emulation.setDeviceMetricsOverride`, painted small. */
export function buildHiddenPageMetrics(emulation: Emulation) {
  const { viewport, screen, deviceScaleFactor = 1, isMobile = false } = windowOf(emulation)
  return {
    ...viewport,
    screenWidth: screen.width,
    screenHeight: screen.height,
    deviceScaleFactor,
    mobile: isMobile,
    screenOrientation: { angle: 0, type: isMobile ? ('portraitPrimary' as const) : ('landscapePrimary' as const) },
    scale: HIDDEN_PAGE_SCALE,
  }
}
