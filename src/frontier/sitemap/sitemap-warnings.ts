import type { SitemapFinding } from './sitemap-finding.js'

/** Maximum number of files that the last warning names. */
const MAX_NAMED = 3

/**
 * Makes the warnings of a search for sitemaps. Files whose URL was guessed have one only if the search finds no page: to have
 * no sitemap is no fault of a site, but to give none of them is.
 */
export class SitemapWarnings {
  readonly #site: string
  readonly #isOnly: boolean
  readonly #warn: (message: string) => void
  readonly #unread: string[] = []
  #hasPages = false

  /** @param use of sitemaps by the crawl: with `only`, a site without one has a warning */
  constructor({ origin }: URL, use: 'include' | 'only', warn: (message: string) => void) {
    this.#site = origin
    this.#isOnly = use === 'only'
    this.#warn = warn
  }

  /** Takes the next finding of the search. */
  add(finding: SitemapFinding): void {
    if (finding.kind === 'page') this.#hasPages = true
    else if (!finding.isGuess) this.#warn(`The sitemap ${finding.sitemap} ${finding.problem}.`)
    else if (finding.isUnread) this.#unread.push(`${finding.sitemap} ${finding.problem}`)
  }

  /** Ends the search. */
  conclude(): void {
    if (this.#hasPages || (!this.#isOnly && this.#unread.length === 0)) return
    const more = this.#unread.length - MAX_NAMED
    const named = [...this.#unread.slice(0, MAX_NAMED), ...(more > 0 ? [`and ${more} more`] : [])]
    const effect = this.#isOnly ? ', and with `sitemap: "only"` no links are followed' : ''
    const causes = named.length === 0 ? '' : `: ${named.join('; ')}`
    this.#warn(`No sitemap with pages was found on ${this.#site}${effect}${causes}.`)
  }
}
