import type { FoundLink } from '../../extract/extracted-page.js'
import { readLinkHeader } from '../../frontier/link-header.js'
import { RecentMap } from '../../collections/recent-map.js'
import { refuse, type ScopePlan } from '../../frontier/scope/scope.js'
import type { UrlCandidate, LedgerRow, QueuePosition, Refusal } from '../../ledger/ledger.js'
import type { ScrapedPage } from '../../page/pipeline.js'
import { resolveUrl, withoutFragment, withoutSection } from '../../url.js'
import { cutLongUrl, pageKey } from '../../frontier/duplicates/same-page.js'
import { findLengthFault } from '../../frontier/scope/url-limits.js'
import { isTurnOver } from '../../concurrency/yield-turn.js'

/** What decides about the links of a page. */
export interface LinkRules {
  readonly scope: ScopePlan
  /** Whether `nofollow` is obeyed. */
  readonly obeyMeta: boolean
  /** Whether what links are called is not to be kept. @default false */
  readonly dropsText?: boolean
}

/** Candidates given at once: a page may have a hundred thousand links, and the ledger is to take them in slices as well. */
const SLICE = 250

/** What a link comes to, whatever page it stands on. */
interface LinkVerdict {
  readonly key: string
  readonly url: string
  readonly refused: Refusal | undefined
}

/** Links of which the verdict is remembered: a site's pages have their menus in common. */
const REMEMBERED = 20_000
/** Characters of a link whose verdict is remembered: those of menus are short, and a site must not choose what is kept. */
const REMEMBERED_CHARACTERS = 500

/** Makes candidates of links. Most links of a page stand on the page before as well, and are judged once. */
export class LinkJudge {
  #verdicts = new RecentMap<string, LinkVerdict>(REMEMBERED)
  #scope: ScopePlan | undefined;

  /**
   * Every link of a page, and of its `Link` header, as the crawl's ledger is to know it: some at a time, and fewer when they
   * take long. Whoever asks for more lets the event loop have its turn before.
   */
  *judge(
    row: Pick<LedgerRow, 'url' | 'depth' | 'order'>,
    page: ScrapedPage,
    rules: LinkRules,
  ): Generator<UrlCandidate[], void, void> {
    const links = listLinks(page)
    const isNofollow = rules.obeyMeta && page.document.metadata.nofollow === true
    const depth = row.depth + 1
    let candidates: UrlCandidate[] = []
    for (const [index, link] of links.entries()) {
      if (candidates.length >= SLICE || isTurnOver()) {
        yield candidates
        candidates = []
      }
      const verdict = this.#ask(link.url, depth, row.url, rules.scope)
      if (!verdict) continue
      const { key, url } = verdict
      const isUnwanted = isNofollow || (rules.obeyMeta && link.nofollow)
      const refused = verdict.refused ?? (isUnwanted ? refuseNofollow(row.url, isNofollow) : undefined)
      const place: QueuePosition = [row.order ?? 0, index]
      const anchor = rules.dropsText || link.text === '' ? {} : { anchor: link.text }
      const found = { key, url, via: 'link' as const, depth, foundOn: row.url, ...anchor, place }
      candidates.push(refused ? { ...found, refused } : found)
    }
    if (candidates.length > 0) yield candidates
  }

  #ask(href: string, depth: number, from: string, scope: ScopePlan): LinkVerdict | undefined {
    // A scope that has moved to another host judges anew.
    if (this.#scope !== scope) {
      this.#scope = scope
      this.#verdicts = new RecentMap(REMEMBERED)
    }
    const name = withoutSection(href)
    // Before anything else looks at it.
    const tooLong = findLengthFault(name.length)
    if (tooLong !== undefined) {
      const cut = cutLongUrl(name)
      return { key: cut, url: cut, refused: { reason: 'TRAP', message: tooLong } }
    }
    const known = this.#verdicts.get(name)
    // Links are followed from pages of the site alone, so that beside the scope only the depth can make a difference.
    const isTooDeep = depth > scope.maxDiscoveryDepth
    if (known && !isTooDeep) return known
    if (!URL.canParse(href)) return undefined
    const url = withoutFragment(new URL(href))
    const refused = refuse({ url, via: 'link', depth, from: new URL(from) }, scope)
    const verdict = { key: pageKey(url, scope), url: url.href, refused }
    if (!isTooDeep && name.length <= REMEMBERED_CHARACTERS) this.#verdicts.set(name, verdict)
    return verdict
  }
}

/** Every link of a page, and of its `Link` header. */
export const listLinks = ({ linkHeader, links, document }: ScrapedPage): FoundLink[] => [
  ...readHeaderLinks(linkHeader, document.metadata.url),
  ...links,
]

const readHeaderLinks = (header: string | undefined, base: string): FoundLink[] =>
  readLinkHeader(header).flatMap(({ target, relation }) => {
    const url = resolveUrl(target, base)
    return url ? [{ url: url.href, text: `rel=${relation}` }] : []
  })

const refuseNofollow = (foundOn: string, isPage: boolean): Refusal => ({
  reason: 'NOFOLLOW',
  message: `${foundOn} asks that ${isPage ? 'its links' : 'this link'} not be followed`,
})
