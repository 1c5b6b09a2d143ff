import type { Emulation } from '../browser-plan.js'

/** Emulation of a page whose plan has none. */
export const defaultEmulation: Emulation = { mobile: false, languages: ['en-US', 'en'] }

/** The `Accept-Language` header, with decreasing weights. @see RFC 9110 section 12.5.4 */
export const acceptLanguage = (languages: readonly string[]): string =>
  languages
    .slice(0, 10)
    .map((language, index) => (index === 0 ? language : `${language};q=${(1 - index / 10).toFixed(1)}`))
    .join(',')
