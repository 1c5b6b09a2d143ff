import { isWebUrl, resolveUrl } from '../url.js'

/** Fragments that are the same in a serialized URL. */
const PLAIN_FRAGMENT = /^#[\w.~!$&'()*+,;=:@/?%-]*$/

/**
 * Resolves the links of a page. Nine in ten links of a manual lead to fragments of a few pages, so each page is resolved
 * once.
 */
export class LinkResolver {
  readonly #baseUrl: string
  readonly #pages = new Map<string, URL | undefined>()

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl
  }

  /** Resolves a link; undefined if it is not a URL. */
  resolve(href: string): string | undefined {
    const at = href.indexOf('#')
    if (at === -1) return this.resolvePage(href)?.href
    const fragment = href.slice(at)
    const name = href.slice(0, at)
    // White space is dropped at the end of a link only.
    const page = PLAIN_FRAGMENT.test(fragment) && name.trimEnd() === name ? this.resolvePage(name) : undefined
    return page !== undefined && isWebUrl(page) ? page.href + fragment : resolveUrl(href, this.#baseUrl)?.href
  }

  /** Resolves a link without a fragment, or with one that is a route. */
  resolvePage(name: string): URL | undefined {
    const known = this.#pages.get(name)
    if (known !== undefined || this.#pages.has(name)) return known
    const url = resolveUrl(name, this.#baseUrl)
    this.#pages.set(name, url)
    return url
  }
}
