import type { SitemapFinding } from '../../../content/sitemap/sitemap-finding.js'

/** Maximum number of files that the last warning names. */
const MAX_NAMED = 3

/** A file that could not be read. */
interface Cause {
  readonly sitemap: string
  readonly problem: string
}

/** Continues a warning about a sitemap that could not be read for now: pages that only this one lists were not found. */
export const MISSING = ', so that pages may be missing'
const BEGIN = 'Pages of '
const END = ' may be missing'

/** Tests whether a job could not read a sitemap for now, by its warnings. */
export const lacksSitemap = (warning: string): boolean =>
  warning.includes(MISSING) || (warning.includes(BEGIN) && warning.includes(END))

/**
 * Makes the warnings of a search for sitemaps. Files whose URL was guessed have one only if the search finds no page, or if
 * the crawl has no other pages and the site failed to answer: to have no sitemap is no fault of a site, but to give none of
 * them is.
 */
export class SitemapWarnings {
  readonly #site: string
  readonly #isOnly: boolean
  readonly #warn: (message: string) => void
  readonly #unread: Cause[] = []
  readonly #failed: Cause[] = []
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
    else if (!finding.isGuess)
      this.#warn(`The sitemap ${finding.sitemap} ${finding.problem}${finding.isFailure ? MISSING : ''}.`)
    else if (finding.isUnread) {
      this.#unread.push(finding)
      if (finding.isFailure) this.#failed.push(finding)
    }
  }

  /** Ends the search. */
  conclude(): void {
    if (!this.#hasPages && (this.#isOnly || this.#unread.length > 0)) {
      const effect = this.#isOnly ? ', and with `sitemap: "only"` no links are followed' : ''
      const missing = this.#failed.length > 0 ? MISSING : ''
      this.#warn(`No sitemap with pages was found on ${this.#site}${effect}${missing}${listCauses(this.#unread)}.`)
    } else if (this.#hasPages && this.#isOnly && this.#failed.length > 0) {
      this.#warn(`${BEGIN}${this.#site}${END}${listCauses(this.#failed)}.`)
    }
  }
}

/** Names the files, those of one problem together: a site that is down has the same for each. */
function listCauses(causes: readonly Cause[]): string {
  const named = new Map<string, string[]>()
  for (const { sitemap, problem } of causes.slice(0, MAX_NAMED))
    named.set(problem, [...(named.get(problem) ?? []), sitemap])
  const more = causes.length - MAX_NAMED
  const parts = [...named].map(([problem, sitemaps]) => `${sitemaps.join(', ')} ${problem}`)
  return parts.length === 0 ? '' : `: ${[...parts, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')}`
}
