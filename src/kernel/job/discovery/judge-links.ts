import type { LinkScore, UrlCandidate, QueuePosition, Refusal } from '../../ledger/ledger.js'
import type { FoundLink } from '../../../content/extract/extracted-page.js'
import { readLinkHeader } from '../../../base/http/link-header.js'
import { RecentMap } from '../../../base/collections/recent-map.js'
import { refuse, type ScopePlan } from '../../frontier/scope/scope.js'
import type { LeftLinks } from '../../page/scraped-page.js'
import { resolveUrl, withoutFragment, withoutSection, parseUrl } from '../../../base/url.js'
import { cutLongUrl, pageKey } from '../../frontier/duplicates/same-page.js'
import { findLengthFault } from '../../../base/url-limits.js'
import { isTurnOver } from '../../../base/concurrency/yield-turn.js'

/** The row of a page with links. */
export interface LinkingRow {
  readonly url: string
  readonly depth: number
  readonly order?: number
}

/** Rules for the links of a page. */
export interface LinkRules {
  /**
   * The ledger of the crawl: links that it has settled give no candidates. Absent where every link counts: a guide learns from
   * each, and `discoverThrough` has a maximum.
   */
  readonly ledger?: { isSettled?(key: string): boolean }
  readonly scope: ScopePlan
  /** Obeys `nofollow`. */
  readonly obeyMeta: boolean
  /** Drops the texts of links. @default false */
  readonly dropsText?: boolean
  /** Rates a link, in a crawl with a guide. @default links are in the order of their pages */
  readonly rate?: (
    link: FoundLink,
    at: { readonly depth: number; readonly index: number; readonly key: string },
  ) => LinkRating | undefined
}

/** Score and position in the queue of a link. */
interface LinkRating {
  readonly place: QueuePosition
  readonly score: LinkScore
}

/**
 * Candidates yielded at once. A page may have a hundred thousand links, and the ledger admits each slice without a
 * pause.
 */
const SLICE_SIZE = 250
/** Links after which the clock is read. */
const LINKS_AT_ONCE = 32

/** Decision about a link that is the same on whatever page the link is. */
interface LinkVerdict {
  readonly key: string
  readonly url: string
  readonly refused: Refusal | undefined
  /** True once the ledger has settled the URL. */
  isSettled: boolean
}

/** Links whose verdicts are cached, because the pages of a site share their menus. */
const MAX_CACHED_LINKS = 20_000
/**
 * Longest link whose verdict is cached. Menu links are short, and a site must not decide how much memory the cache
 * takes. Characters.
 */
const MAX_CACHED_LINK_LENGTH = 500

/** Turns links into candidates. Verdicts are cached, because most links of a page are also on the page before. */
export class LinkJudge {
  #verdicts = new RecentMap<string, LinkVerdict>(MAX_CACHED_LINKS)
  #scope: ScopePlan | undefined;

  /**
   * Judges every link of a page and of its `Link` header. Yields slices of candidates for the ledger, smaller ones when
   * judging takes long; the caller yields to the event loop before it asks for the next slice.
   */
  *judge(row: LinkingRow, page: LinkedPage, rules: LinkRules): Generator<UrlCandidate[], void, void> {
    const links = listLinks(page)
    const { length: left } = page.leftLinks ?? []
    const isNofollow = rules.obeyMeta && page.document.metadata.nofollow === true
    const depth = row.depth + 1
    let candidates: UrlCandidate[] = []
    for (const [index, link] of links.entries()) {
      if (candidates.length >= SLICE_SIZE || (index % LINKS_AT_ONCE === 0 && isTurnOver())) {
        yield candidates
        candidates = []
      }
      const verdict = this.#findVerdict(link.url, depth, row.url, rules.scope)
      if (!verdict) continue
      // Nearly all links of a page in the middle of a crawl.
      if ((verdict.isSettled ||= rules.ledger?.isSettled?.(verdict.key) ?? false)) continue
      const { key, url } = verdict
      const isPageNofollow = isNofollow && index >= left
      const isUnwanted = isPageNofollow || (rules.obeyMeta && link.nofollow)
      const refused =
        verdict.refused ??
        page.refusedLinks?.get(url) ??
        (isUnwanted ? refuseNofollow(row.url, isPageNofollow) : undefined)
      const rating = refused ? undefined : rules.rate?.(link, { depth, index, key })
      const place: QueuePosition = rating?.place ?? [row.order ?? 0, index]
      const anchor = rules.dropsText || link.text === '' ? undefined : link.text
      const score = rating?.score
      candidates.push({ key, url, via: 'link', depth, foundOn: row.url, anchor, place, refused, score })
    }
    if (candidates.length > 0) yield candidates
  }

  #findVerdict(href: string, depth: number, foundOn: string, scope: ScopePlan): LinkVerdict | undefined {
    // The scope was moved to another host: earlier verdicts are void.
    if (this.#scope !== scope) {
      this.#scope = scope
      this.#verdicts = new RecentMap(MAX_CACHED_LINKS)
    }
    const name = withoutSection(href)
    // Checked first, so that no other code handles an overlong URL.
    const tooLong = findLengthFault(name.length)
    if (tooLong !== undefined) {
      const cut = cutLongUrl(name)
      return { key: cut, url: cut, refused: { reason: 'TRAP', message: tooLong }, isSettled: false }
    }
    const known = this.#verdicts.get(name)
    // Links are followed only from pages of the site. Their verdicts therefore depend on nothing but the scope and the
    // depth.
    const isTooDeep = depth > scope.maxDiscoveryDepth
    if (known && !isTooDeep) return known
    const parsed = parseUrl(href)
    if (!parsed) return undefined
    const url = withoutFragment(parsed)
    const refused = refuse({ url, via: 'link', depth, from: new URL(foundOn) }, scope)
    const verdict = { key: pageKey(url, scope), url: url.href, refused, isSettled: false }
    if (!isTooDeep && name.length <= MAX_CACHED_LINK_LENGTH) this.#verdicts.set(name, verdict)
    return verdict
  }
}

/** A page with its links. */
export interface LinkedPage extends LeftLinks {
  readonly links: readonly FoundLink[]
  /** Links that must not be followed, by URL; undefined for none. */
  readonly refusedLinks?: ReadonlyMap<string, Refusal>
  /** The `Link` header. */
  readonly linkHeader: string | undefined
  readonly document: { readonly metadata: { readonly url: string; readonly nofollow?: boolean } }
}

/** Makes a page that has the links of those that led on to it alone. @param url of the first of them */
export const toLeftPage = ({ leftLinks, isLeftCut }: LeftLinks, url: string): LinkedPage => ({
  document: { metadata: { url } },
  links: [],
  linkHeader: undefined,
  leftLinks,
  isLeftCut,
})

/** Warns of links of pages that led on to another one. */
export const LEFT_CUT =
  'Pages that refresh to another one have links that were left out: only the first 1,000 links in the first 256 KiB of such a page are followed, and none of one that a browser left before it was loaded.'

/** Lists the links of the pages that led on to a page, of its `Link` header, and its own. */
export const listLinks = ({ leftLinks = [], linkHeader, links, document }: LinkedPage): FoundLink[] => [
  ...leftLinks,
  ...(linkHeader === undefined ? [] : readHeaderLinks(linkHeader, document.metadata.url)),
  ...links,
]

const readHeaderLinks = (header: string, base: string): FoundLink[] =>
  readLinkHeader(header).flatMap(({ target, relation }) => {
    const url = resolveUrl(target, base)
    return url ? [{ url: url.href, text: `rel=${relation}` }] : []
  })

const refuseNofollow = (foundOn: string, isPage: boolean): Refusal => ({
  reason: 'NOFOLLOW',
  message: `${foundOn} asks that ${isPage ? 'its links' : 'this link'} not be followed`,
})

/**
 * For option `discoverThrough`: admits candidates that only `includePaths` refuses, to be fetched for their links and
 * to give no document.
 *
 * @param max maximum number, from the first
 */
export function permitForLinks(candidates: readonly UrlCandidate[], max: number): UrlCandidate[] {
  let left = max
  return candidates.map((candidate) => {
    if (candidate.refused?.reason !== 'INCLUDE_PATTERN' || left === 0) return candidate
    left -= 1
    const { refused: _, ...found } = candidate
    return { ...found, linksOnly: true }
  })
}
