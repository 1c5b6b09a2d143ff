import type { Emulation } from './browser-plan.js'
import { defaultUserAgent } from '../../base/http/default-user-agent.js'

/** Emulation of a page whose plan has none. */
export const defaultEmulation: Emulation = { mobile: false, languages: ['en-US', 'en'] }

/** The `Accept-Language` header, with decreasing weights. @see RFC 9110 section 12.5.4 */
export const acceptLanguage = (languages: readonly string[]): string =>
  languages
    .slice(0, 10)
    .map((language, index) => (index === 0 ? language : `${language};q=${(1 - index / 10).toFixed(1)}`))
    .join(',')

/** Version of Chrome in the phone's user agent, and in the browser's if the browser does not report its own. */
export const CHROME_MAJOR_VERSION = '147'

/** Profile of `impit` whose TLS, HTTP/2 and headers enhanced HTTP uses. The library supports a fixed list of them. */
export const IMPERSONATED_BROWSER = 'chrome151'

/** The user agent of Chrome on Android since its user-agent reduction: only the version varies. */
export const phoneUserAgent = (majorVersion: string): string =>
  `Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${majorVersion}.0.0.0 Mobile Safari/537.36`

/** The user agent of a page fetched without a browser. @param own the engine's; one that the caller has set is kept */
export const httpUserAgent = ({ mobile }: Emulation, own: string): string =>
  mobile && own === defaultUserAgent ? `${phoneUserAgent(CHROME_MAJOR_VERSION)} ${own}` : own
