import { siteOf } from '../../url.js'

/** The sites of URLs: one string for all URLs of an origin, so that a million rows share it. */
export class SiteNames {
  readonly #names = new Map<string, string>()

  nameOf(url: string): string {
    const origin = /^[^/]*\/\/[^/?#]*/.exec(url)?.[0] ?? url
    const known = this.#names.get(origin)
    if (known !== undefined) return known
    const name = siteOf(new URL(url))
    this.#names.set(origin, name)
    return name
  }
}
