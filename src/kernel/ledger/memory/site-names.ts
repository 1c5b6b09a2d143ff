import { siteOf } from '../../../base/url.js'

/** Sites by origin: one string for all URLs of an origin, so that a million rows share it. */
export class SiteNames {
  readonly #sites = new Map<string, string>()

  of(url: string): string {
    const origin = /^[^/]*\/\/[^/?#]*/.exec(url)?.[0] ?? url
    const known = this.#sites.get(origin)
    if (known !== undefined) return known
    const site = siteOf(new URL(url))
    this.#sites.set(origin, site)
    return site
  }
}
