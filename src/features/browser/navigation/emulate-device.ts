import type { BrowserContextOptions } from 'playwright'
import type { Emulation } from '../../../kernel/fetch/browser-plan.js'
import { acceptLanguage, CHROME_MAJOR_VERSION, phoneUserAgent } from '../../../kernel/fetch/user-agent.js'
import { defaultUserAgent } from '../../../base/http/default-user-agent.js'
import type { RunningBrowser } from '../process/running-browser.js'

/** The phone of `mobile`. Its window, touch screen and user agent are consistent. */
const PHONE = { model: 'Pixel 7', width: 412, height: 839, scale: 2.625, androidVersion: '14.0.0' }

/** Parameters of `Emulation.setUserAgentOverride` in the DevTools protocol. */
interface UserAgentOverride {
  readonly userAgent: string
  /** Without weights, which the browser adds. */
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
 * Builds a consistent identity for headers and scripts: Chromium in its real version, without "Headless", followed by
 * trawl's own name unless the emulation is anonymous.
 *
 * @param named the requested user agent; it is then sent as it is, without client hints
 */
export function buildUserAgentOverride(
  { userAgent, version }: RunningBrowser,
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

/** Sizes of the window and the screen. CSS pixels. */
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

/** Builds the settings of a browser context, which apply to all its documents. */
export function buildContextOptions(emulation: Emulation, agent: UserAgentOverride): BrowserContextOptions {
  const [locale = 'en-US'] = emulation.languages
  return {
    ...windowOf(emulation),
    locale,
    // Playwright would send its locale alone with all but documents.
    extraHTTPHeaders: { 'accept-language': acceptLanguage(emulation.languages) },
    userAgent: agent.userAgent,
    timezoneId: emulation.timeZone,
  }
}

/**
 * Scale at which a page without screenshots is painted. It saves work in the browser, and the page cannot detect it.
 */
const HIDDEN_PAGE_SCALE = 0.05

/**
 * Builds parameters of `Emulation.setDeviceMetricsOverride`: the window of {@link buildContextOptions}, painted at a
 * small scale.
 */
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
