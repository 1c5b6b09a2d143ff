import type { SeenContent } from './novelty.js'
import { RecentMap } from '../../collections/recent-map.js'
import { costOfRepeat, isFresh, patienceWith } from './repeat-cost.js'
import { takeTemplate } from './url-template.js'

/** A page as the guard knows it; a row of the ledger is one. */
export interface FoundPage {
  readonly url: string
  /** The URL of the page that it was found on; absent for a start URL and for one that a sitemap names. */
  readonly foundOn?: string
}

/** Why a URL is not scraped: the pages of its making repeat each other. */
export interface TrapRefusal {
  readonly reason: 'TRAP'
  readonly message: string
}

/** Repeats that one new page makes good, so that one new page in eleven keeps a template going for ever. */
const REPAYMENT = 10
/** Pages after which a template is judged by its own record, not by that of templates like it. */
const YOUNG_PAGES = 10
/** Refusals after which one URL is let through, to see whether the template has changed; then two times as many, and so on. */
const FIRST_PROBE = 10

/** What is known of a template. */
interface Account {
  pages: number
  fresh: number
  /** Repeats that no new page has made good. */
  debt: number
  /** As `debt`, for pages with the very same text as others. */
  sameDebt: number
  refused: number
  probeAt: number
}

/**
 * Learns from each page what the URLs of its making are worth, and refuses those that only bring repeats: calendars,
 * filters, sessions in paths, links that add to themselves.
 *
 * What it never refuses: a start URL, one from a sitemap, and one without a query that a page with new content links to.
 * So a site whose pages can be reached from pages that say something is complete, however much its pages are alike.
 *
 * What a trap gets: the links of its pages that are new, some copies of each content, and the patience of its template,
 * which is 40 repeats for calendars, sessions and queries and 200 for plain paths, more for one that has brought much.
 * What was in flight when it ran out comes on top. See `repeat-cost.ts` for what counts as a repeat.
 *
 * The same calls always get the same answers. A call takes 4 µs; the memory is bounded at some 10 MB: what has not come
 * up among the last 10 000 templates and 100 000 repeats is forgotten.
 */
export class TrapGuard {
  readonly #accounts = new RecentMap<string, Account>(10_000)
  /** How many repeats in a row led to a page that was itself a repeat, by a hash of its URL. */
  readonly #chains = new RecentMap<number, number>(100_000)
  #freshPages = 0

  /**
   * Why this page is not to be fetched; undefined when it is. To be asked once, just before the page is fetched: what
   * is known when its link is found says nothing yet about the hundred links beside it.
   */
  judge(page: FoundPage): TrapRefusal | undefined {
    const verdict = this.#decide(page)
    if (verdict === undefined) return undefined
    const { account, refusal } = verdict
    account.refused += 1
    if (account.refused < account.probeAt) return refusal
    account.probeAt = account.refused * 2
    return undefined
  }

  /** What `judge` would say now, with nothing learnt from the question. */
  explain(page: FoundPage): TrapRefusal | undefined {
    return this.#decide(page)?.refusal
  }

  /**
   * Learns what a page was worth. To be told of each page before its links are judged; not of one that answered with an
   * error, which proves nothing.
   */
  report(page: FoundPage, sighting: SeenContent): void {
    const template = takeTemplate(new URL(page.url))
    const chain = this.#chainTo(page)
    const isNew = isFresh(sighting, template)
    const cost = isNew ? 0 : costOfRepeat(sighting, template, { chain, freshPages: this.#freshPages })
    if (isNew) this.#freshPages += 1
    else this.#chains.set(hashUrl(page.url), chain + 1)
    for (const name of template.names) {
      const account = this.#accountOf(name)
      account.pages += 1
      if (isNew) settle(account)
      else {
        // Never deeper in debt than is needed to be refused, so that one new page opens the way for the next.
        const most = patienceWith(template, account.fresh)
        account.debt = Math.max(account.debt, Math.min(account.debt + cost, most))
        if (sighting.kind === 'same')
          account.sameDebt = Math.max(account.sameDebt, Math.min(account.sameDebt + cost, most))
      }
      if (account.pages > YOUNG_PAGES) break
    }
  }

  #decide(page: FoundPage): { account: Account; refusal: TrapRefusal } | undefined {
    if (page.foundOn === undefined) return undefined
    const isVouchedFor = this.#chainTo(page) === 0
    // Nearly all pages of an honest site: no template is taken for them.
    if (isVouchedFor && !page.url.includes('?')) return undefined
    const template = takeTemplate(new URL(page.url))
    if (isVouchedFor && !template.hasQuery) return undefined
    for (const name of template.names) {
      const account = this.#accounts.get(name)
      if (account !== undefined) {
        const debt = isVouchedFor ? account.sameDebt : account.debt
        if (debt >= patienceWith(template, account.fresh)) return { account, refusal: refusalOf(name, account, debt) }
        if (account.pages > YOUNG_PAGES) return undefined
      }
      // What templates like it did says nothing against a page that something new links to.
      if (isVouchedFor) return undefined
    }
    return undefined
  }

  /** How many repeats in a row lead to this page; 0 when the page that it was found on said something new. */
  #chainTo({ foundOn }: FoundPage): number {
    return foundOn === undefined ? 0 : (this.#chains.get(hashUrl(foundOn)) ?? 0)
  }

  #accountOf(name: string): Account {
    const known = this.#accounts.get(name)
    if (known !== undefined) return known
    const account = { pages: 0, fresh: 0, debt: 0, sameDebt: 0, refused: 0, probeAt: FIRST_PROBE }
    this.#accounts.set(name, account)
    return account
  }
}

/** A new page makes repeats good, and ends the probing. */
function settle(account: Account): void {
  account.fresh += 1
  account.debt = Math.max(0, account.debt - REPAYMENT)
  account.sameDebt = Math.max(0, account.sameDebt - REPAYMENT)
  account.refused = 0
  account.probeAt = FIRST_PROBE
}

const refusalOf = (name: string, { pages, fresh }: Account, debt: number): TrapRefusal => ({
  reason: 'TRAP',
  message: `pages like ${name} repeat each other: ${fresh} of ${pages} said something new, and the ${Math.ceil(debt)} repeats they may bring are used up`,
})

/** 32 bits of FNV-1a. One page in 20 000, at worst, is taken for a repeat by mistake: its links are then no longer vouched for. */
function hashUrl(url: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < url.length; at += 1) hash = Math.imul(hash ^ url.charCodeAt(at), 0x01000193)
  return hash
}
