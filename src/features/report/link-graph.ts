import type { Document } from '../../kernel/page/document.js'
import type { ReportPages } from './report-pages.js'
import { outcomes, type PackedReferrers, type ReportFacts, vias } from './report-data.js'

/** Maximum links that are read of one page. */
const MAX_LINKS = 5000
/** Maximum length of the Markdown that links are read from. Characters. */
const MAX_MARKDOWN_LENGTH = 1_000_000
/** Maximum linking pages that are listed for one page. */
const MAX_REFERRERS = 20

/** Links of pages that lead to redirects, failures and error pages. */
export class LinkGraph {
  readonly #list: ReportPages
  readonly #targets = new Map<number, { count: number; readonly from: number[] }>()
  readonly #sources = new Set<'links' | 'markdown'>()

  /** @param list with all pages of the job */
  constructor(list: ReportPages) {
    this.#list = list
    for (const [number, page] of list.pages.entries()) if (isTroubled(page)) this.#targets.set(number, findFirst(page))
  }

  /** Source of the links so far. */
  get linksFrom(): ReportFacts['linksFrom'] {
    return this.#sources.has('links') ? 'links' : this.#sources.has('markdown') ? 'markdown' : 'nothing'
  }

  /** Reads the links of a page. @param number of the page in the list */
  add(number: number, { links, markdown }: Document): void {
    if (links !== undefined) this.#sources.add('links')
    else if (markdown !== undefined) this.#sources.add('markdown')
    const found = links?.slice(0, MAX_LINKS) ?? listMarkdownLinks(markdown ?? '')
    const known = new Set<number>()
    for (const link of found) {
      const to = this.#list.find(link)
      const target = to === undefined || to === number || known.has(to) ? undefined : this.#targets.get(to)
      if (to === undefined || !target) continue
      known.add(to)
      // The page on which the URL was found is known already.
      if (target.from.includes(number)) continue
      target.count += 1
      if (target.from.length < MAX_REFERRERS) target.from.push(number)
    }
  }

  /** Lists the redirects and broken links that pages lead to. */
  listReferrers(): PackedReferrers[] {
    return [...this.#targets]
      .filter(([, { count }]) => count > 0)
      .map(([number, { count, from }]) => [number, count, from])
  }
}

type Page = ReportPages['pages'][number]

/** Returns true for a page that failed, answered with an error, or was redirected. */
const isTroubled = ([, outcome, , , , , , , , , statusCode, , , finalUrl]: Page): boolean =>
  outcome === outcomes.indexOf('failed') || statusCode >= 400 || finalUrl !== ''

/** Starts the list of linking pages with the one on which the URL was found. A sitemap and a search index are no pages. */
function findFirst(page: Page): { count: number; from: number[] } {
  const foundOn = page[6]
  return typeof foundOn === 'number' &&
    foundOn >= 0 &&
    page[4] !== vias.indexOf('sitemap') &&
    page[4] !== vias.indexOf('search')
    ? { count: 1, from: [foundOn] }
    : { count: 0, from: [] }
}

/** Lists the addresses of links in Markdown, in linear time. */
function listMarkdownLinks(markdown: string): string[] {
  const addresses: string[] = []
  for (const [, address = ''] of markdown.slice(0, MAX_MARKDOWN_LENGTH).matchAll(/\]\(<?(https?:\/\/[^\s<>)]+)/g)) {
    if (addresses.push(address) === MAX_LINKS) break
  }
  return addresses
}
