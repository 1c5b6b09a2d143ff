import type { SeenContent } from './novelty.js'
import { RecentIntSet } from '../../../base/collections/recent-int-set.js'
import { RecentMap } from '../../../base/collections/recent-map.js'
import { deriveTemplate, type UrlTemplate } from '../../../base/url-template.js'

/** Repeats allowed for a URL template before it is refused: one that looks like a trap, and any other. */
const ALLOWED_REPEATS = { suspect: 40, plain: 200 } as const
/**
 * Additional repeats: one for every `pages` new pages, up to `max`. Bounded, so that a template that degrades late is
 * refused too.
 */
const EARNED_REPEATS = { pages: 10, max: 360 } as const
/**
 * Copies of one content that cost nothing. A trap repeats a little content without end; an honest site may repeat much,
 * but each page only a few times, such as twenty versions of a manual.
 */
const FREE_COPIES = { volatile: 2, plain: 20 } as const
/** Consecutive repeats after which stubs count as repeats: an endless counter reaches it, a tree of pages does not. */
const LONG_CHAIN = 100
/** Rearranged pages (such as filtered lists) allowed for a template; one more for each new page of the job. */
const ALLOWED_REARRANGED = 100

/** Returns the number of repeats allowed for a template with this many new pages. */
const repeatLimit = ({ isVolatile, hasQuery }: UrlTemplate, freshPages: number): number =>
  ALLOWED_REPEATS[isVolatile || hasQuery ? 'suspect' : 'plain'] + earned(freshPages)

const earned = (freshPages: number): number =>
  Math.min(EARNED_REPEATS.max, Math.floor(freshPages / EARNED_REPEATS.pages))

/** Same as {@link repeatLimit}, for the repeats of a whole host. @param grows true for those below the page that links to them */
const hostLimit = (grows: boolean, freshPages: number): number =>
  ALLOWED_REPEATS[grows ? 'suspect' : 'plain'] + earned(freshPages)

/**
 * Returns the cost of a page that is not new for its template: 1 for a repeat, less or nothing for patterns that honest
 * sites have as well.
 *
 * @param chain consecutive repeats that led to the page: 0 when the page that links to it was new
 * @param isCircle true if the path comes back to a name that it had, below the page that links to it
 * @param freshPages new pages of the whole job
 */
function costOfRepeat(
  { kind, times, tiny }: SeenContent,
  { isVolatile, isCombination, hasQuery }: UrlTemplate,
  { chain, isCircle, freshPages }: { readonly chain: number; readonly isCircle: boolean; readonly freshPages: number },
): number {
  const isLinkedFromNewPage = chain === 0
  if (kind === 'rearranged')
    return isLinkedFromNewPage ? 0 : ALLOWED_REPEATS.suspect / (ALLOWED_REARRANGED + freshPages)
  if (times <= FREE_COPIES[isVolatile ? 'volatile' : 'plain']) return 0
  // A thousand new pages may link to a thousand copies of one form, whose URLs differ only in a query with the
  // referring URL.
  if (isLinkedFromNewPage) return kind === 'same' && hasQuery ? 1 : 0
  return tiny && !isVolatile && !isCombination && !isCircle && chain <= LONG_CHAIN ? 0 : 1
}

/** A page and the page that it was found on; a row of the ledger is one. */
interface DiscoveredPage {
  readonly url: string
  /** URL of the page that links to it; absent for start URLs and URLs from sitemaps. */
  readonly foundOn?: string
}

/** Refusal of a URL because the pages of its template repeat each other. */
interface TrapRefusal {
  readonly reason: 'TRAP'
  readonly message: string
}

/** Repeats that one new page offsets: a template of which one page in eleven is new is never refused. */
const REPAYMENT = 10
/** Pages after which a template is judged by its own record alone, and no longer also by those of coarser templates. */
const YOUNG_PAGES = 10
/** Refusals after which one URL is admitted, to test if the template has changed; doubled each time. */
const FIRST_PROBE = 10

/** Record of a template. */
interface TemplateRecord {
  pages: number
  fresh: number
  /** Repeats that no new page has offset. */
  debt: number
  /** Same as `debt`, for pages with exactly the text of others. */
  sameDebt: number
  refused: number
  probeAt: number
}

/**
 * Learns from each page how much new content its URL template yields, and refuses templates that only repeat:
 * calendars, filters, sessions in paths, links that grow on every page.
 *
 * It never refuses a start URL, a URL from a sitemap, or a URL without a query that a page with new content links to. A
 * site whose pages are linked from pages with new content is therefore crawled completely, however similar its pages
 * are.
 *
 * A host that answers on every subdomain shows where hosts without new content link to further hosts: only those links
 * have a template of all subdomains. Blogs, wikis and shops of one platform share pages as well, such as 300 copies of a
 * help page, but each of them has content of its own.
 *
 * A trap gets the new links of its pages, some copies of each content, and the repeats allowed for its template: 40 for
 * calendars, sessions and queries, 200 for plain paths, more for a template with many new pages. A whole host has as many
 * repeats that are found on repeats, whatever their templates, as every relative link that is appended to the path makes new
 * ones; those below the page that links to them, which such links make, are 40. Pages in flight at the limit come on top.
 * The constants above it define what counts as a repeat.
 *
 * Deterministic. A call takes 4 µs; memory is bounded at about 10 MB: only the last 10,000 templates and 100,000
 * repeats are remembered.
 */
export class TrapGuard {
  readonly #records = new RecentMap<string, TemplateRecord>(10_000)
  /** Consecutive repeats that led to a repeated page, by a hash of its URL. */
  readonly #chains = new RecentMap<number, number>(100_000)
  /** Hosts that gave a new page, by a hash. */
  readonly #freshHosts = new RecentIntSet(100_000)
  #freshPages = 0

  /**
   * Returns the reason why this page must not be fetched; undefined when it may. Call it once, just before the fetch.
   * Not when the link is found: nothing is known then about the content behind the other links of its page.
   */
  judge(page: DiscoveredPage): TrapRefusal | undefined {
    const verdict = this.#decide(page)
    if (verdict === undefined) return undefined
    const { record, refusal } = verdict
    record.refused += 1
    if (record.refused < record.probeAt) return refusal
    record.probeAt = record.refused * 2
    return undefined
  }

  /** Returns what `judge` would return now, without side effects. */
  explain(page: DiscoveredPage): TrapRefusal | undefined {
    return this.#decide(page)?.refusal
  }

  /**
   * Learns from the content of a page. Call it for each page before its links are judged, but not for a page that answered
   * with an error, which proves nothing.
   */
  report(page: DiscoveredPage, content: SeenContent): void {
    const url = new URL(page.url)
    const template = deriveTemplate(url)
    const chain = this.#chainTo(page)
    // Rearranged content is the purpose of lists, so it counts, unless the URL is one of many combinations.
    const isNew = content.kind === 'new' || (content.kind === 'rearranged' && !template.isCombination)
    const grows = isBelowParent(url, page)
    const isCircle = grows && hasSegmentTwice(url)
    const cost = isNew ? 0 : costOfRepeat(content, template, { chain, isCircle, freshPages: this.#freshPages })
    if (isNew) {
      this.#freshPages += 1
      this.#freshHosts.add(hashUrl(url.host))
    } else this.#chains.set(hashUrl(page.url), chain + 1)
    for (const name of this.#namesFor(url, page, template)) {
      const record = this.#recordOf(name)
      record.pages += 1
      if (isNew) settle(record)
      else {
        // The debt stops at the limit, so that a single new page makes the template admissible again.
        const limit = repeatLimit(template, record.fresh)
        record.debt = Math.max(record.debt, Math.min(record.debt + cost, limit))
        if (content.kind === 'same')
          record.sameDebt = Math.max(record.sameDebt, Math.min(record.sameDebt + cost, limit))
      }
      if (record.pages > YOUNG_PAGES) break
    }
    this.#reportHost(url, { isNew, cost: chain > 0 && content.kind !== 'rearranged' ? cost : 0, grows })
  }

  /** Learns for the records of a whole host, which count the repeats that repeats link to. */
  #reportHost({ host }: URL, { isNew, cost, grows }: { isNew: boolean; cost: number; grows: boolean }): void {
    for (const name of grows ? [nameHost(host), nameGrowth(host)] : [nameHost(host)]) {
      // Most hosts have no such repeat.
      const record = cost > 0 ? this.#recordOf(name) : this.#records.get(name)
      if (record === undefined) continue
      record.pages += 1
      if (isNew) settle(record)
      else record.debt = Math.max(record.debt, Math.min(record.debt + cost, hostLimit(grows, record.fresh)))
    }
  }

  #decide(page: DiscoveredPage): { record: TemplateRecord; refusal: TrapRefusal } | undefined {
    if (page.foundOn === undefined) return undefined
    const isLinkedFromNewPage = this.#chainTo(page) === 0
    // A shortcut for nearly all pages of an honest site: deriving a template is the costly part.
    if (isLinkedFromNewPage && !page.url.includes('?')) return undefined
    const url = new URL(page.url)
    const template = deriveTemplate(url)
    if (isLinkedFromNewPage && !template.hasQuery) return undefined
    for (const name of this.#namesFor(url, page, template)) {
      const record = this.#records.get(name)
      if (record !== undefined) {
        const debt = isLinkedFromNewPage ? record.sameDebt : record.debt
        if (debt >= repeatLimit(template, record.fresh)) return { record, refusal: refusalOf(name, record, debt) }
        // A template with new pages of its own answers for itself.
        if (record.pages > YOUNG_PAGES && record.fresh > 0) return undefined
        if (record.pages > YOUNG_PAGES) break
      }
      // The record of a coarser template does not count against a page that a new page links to.
      if (isLinkedFromNewPage) return undefined
    }
    return isLinkedFromNewPage ? undefined : this.#decideByHost(url, page)
  }

  #decideByHost(url: URL, page: DiscoveredPage): { record: TemplateRecord; refusal: TrapRefusal } | undefined {
    for (const grows of isBelowParent(url, page) ? [true, false] : [false]) {
      const name = grows ? nameGrowth(url.host) : nameHost(url.host)
      const record = this.#records.get(name)
      if (record !== undefined && record.debt >= hostLimit(grows, record.fresh))
        return { record, refusal: refusalOf(name, record, record.debt) }
    }
    return undefined
  }

  /** Returns the number of consecutive repeats that lead to this page; 0 when the page that links to it was new. */
  #chainTo({ foundOn }: DiscoveredPage): number {
    return foundOn === undefined ? 0 : (this.#chains.get(hashUrl(foundOn)) ?? 0)
  }

  /** Lists the records of a page; that of all subdomains for a link to another host, from one that gave no new page. */
  #namesFor({ host }: URL, { foundOn }: DiscoveredPage, { names, onAnySubdomain }: UrlTemplate): readonly string[] {
    if (onAnySubdomain === undefined || foundOn === undefined) return names
    const from = new URL(foundOn).host
    return from === host || this.#freshHosts.has(hashUrl(from)) ? names : [...names, onAnySubdomain]
  }

  #recordOf(name: string): TemplateRecord {
    const known = this.#records.get(name)
    if (known !== undefined) return known
    const record = { pages: 0, fresh: 0, debt: 0, sameDebt: 0, refused: 0, probeAt: FIRST_PROBE }
    this.#records.set(name, record)
    return record
  }
}

/** Records a new page, which offsets repeats and resets the probing. */
function settle(record: TemplateRecord): void {
  record.fresh += 1
  record.debt = Math.max(0, record.debt - REPAYMENT)
  record.sameDebt = Math.max(0, record.sameDebt - REPAYMENT)
  record.refused = 0
  record.probeAt = FIRST_PROBE
}

/** Names of the records of a whole host: of all repeats, and of those below the page that links to them. */
const nameHost = (host: string): string => `${host}/…, linked from repeats,`
const nameGrowth = (host: string): string => `${host}/…, below repeats,`

/** Tests for a URL below that of the page which links to it, as a relative link makes it: `/a/` has `/a/b/`. */
function isBelowParent(url: URL, { foundOn }: DiscoveredPage): boolean {
  if (foundOn === undefined) return false
  const { host, pathname } = new URL(foundOn)
  const folder = pathname.slice(0, pathname.lastIndexOf('/') + 1)
  return (
    url.host === host &&
    url.pathname.startsWith(folder) &&
    segmentsOf(url.pathname).length > segmentsOf(pathname).length
  )
}

const segmentsOf = (pathname: string): string[] => pathname.split('/').filter((segment) => segment !== '')

/** Tests for a path with one name twice: a circle of relative links comes back to it. Numbers may be a date. */
function hasSegmentTwice({ pathname }: URL): boolean {
  const names = segmentsOf(pathname.toLowerCase()).filter((segment) => !/^\d+$/.test(segment))
  return new Set(names).size < names.length
}

const refusalOf = (name: string, { pages, fresh }: TemplateRecord, debt: number): TrapRefusal => ({
  reason: 'TRAP',
  message: `pages like ${name} repeat each other: ${fresh} of ${pages} had new content, and the limit of ${Math.ceil(debt)} repeats is reached`,
})

/**
 * Hashes a URL or a host to 32 bits (FNV-1a). In the worst case one page in 20,000 is mistaken for a repeat; its links then count
 * as found on a repeat.
 */
function hashUrl(url: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < url.length; at += 1) hash = Math.imul(hash ^ url.charCodeAt(at), 0x01000193)
  return hash
}
