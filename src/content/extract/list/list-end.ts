import { collapse, type Element, isElement, isText, walk } from '../../html/tree.js'
import type { PageNodes } from '../../html/page-nodes.js'
import type { LinkResolver } from '../../html/link-resolver.js'
import { findMoreOfList } from '../fidelity/find-more-of-list.js'
import { isChapter } from '../pagination/is-chapter.js'
import type { EntryGroup } from './find-groups.js'
import type { ListEnd } from './page-list.js'

/** A page whose list goes on, or ends. */
export interface EndScope {
  readonly body: Element
  /** Nodes of the page. @default they are listed for each list */
  readonly nodes?: PageNodes
  /** The whole page, for links in its head. */
  readonly page: Element | undefined
  readonly isInvisible: (element: Element) => boolean
  readonly resolver: LinkResolver
  /** URL of the page. */
  readonly url: string
}

const MAX_TEXT = 80
const MAX_SIGNS = 200
const MAX_NEXT = 10

const NUMBER = String.raw`(\d{1,3}(?:[., \u00a0\u202f]\d{3})+|\d{1,7})`
/** `1-24 of 300`, `Showing 24 of 300`. */
const RANGE = new RegExp(
  String.raw`(?:(\d{1,6}) ?(?:[-–—]|to|bis|a|à|до) ?)?(\d{1,6}) (?:out of|of|von|sur|de|di|van|av|af|из|z|共) ${NUMBER}(?!\d)`,
  'iu',
)
/** `300 results`, `24 products`. */
const TOTAL = new RegExp(
  String.raw`^(?:(?:showing|found|all|total:?|zeige|gefunden:?) )?(?:all )?${NUMBER} (?:results?|products?|items?|entries|matches|jobs?|events?|articles?|posts?|listings?|properties|books?|records?|ergebnisse|produkte|artikel|treffer|résultats?|produits?|articles?|resultados?|productos?|risultati|prodotti|resultaten|producten|wyników|produktów|результат\p{L}*|товар\p{L}*)(?: found| gefunden| trouvés)?$`,
  'iu',
)
const END =
  /^(?:no more (?:results|items|posts|products|entries|articles)|(?:you(?:'|’)ve|you have) reached the end.{0,30}|end of (?:list|results)|that(?:'|’)s all|keine weiteren (?:ergebnisse|einträge|artikel)|plus de résultats|no hay más resultados|non ci sono altri risultati)\.?$/iu

const NEXT_LABEL =
  /^(?:next(?: page)?|older(?: posts| entries)?|weiter|nächste(?: seite)?|suivant(?:e)?|page suivante|siguiente|próxim[ao]|successiv[ao]|avanti|volgende|następna|dalej|следующая|вперед|вперёд|nästa|neste|næste|sonraki|次へ|次のページ|下一页|下一頁|다음)? ?[›»→>]*$/iu

interface Range {
  readonly from: number | undefined
  readonly to: number
  readonly total: number
  readonly text: string
}

interface Signs {
  ranges: Range[]
  totals: { total: number; text: string }[]
  /** Addresses of links to a next page. */
  next: string[]
  end?: string
}

/** Number of rows, and of those that are no advertisements. */
export interface CountedRows {
  readonly rows: number
  readonly entries: number
}

/** A list, with the further elements around its rows. */
interface EndedList {
  readonly container: EntryGroup['container']
  readonly entries: EntryGroup['entries']
  readonly parts?: readonly Element[]
}

/** Finds what a page tells about the end of a list of so many rows. Advertisements do not count, or do in its range. */
export function findListEnd(
  { container, entries, parts = [] }: EndedList,
  { rows, entries: count }: CountedRows,
  { body, nodes, page, isInvisible, resolver, url }: EndScope,
): ListEnd {
  const inside = new Set(entries.flat())
  const signs = collectSigns(body, (element) => isInvisible(element) || inside.has(element))
  // The element around a sign has a longer text.
  const range = signs.ranges
    .filter(({ from, to }) => {
      const length = to - (from ?? 1) + 1
      return length === count || length === rows
    })
    .reduce<Range | undefined>((best, one) => (best && best.text.length <= one.text.length ? best : one), undefined)
  const stated = signs.totals.find(({ total }) => total >= count)
  const total = range?.total ?? rowCount([container, ...parts], count) ?? stated?.total
  const isKept = (element: Element): boolean => isAround(element, container)
  const partial = findMoreOfList(body, { invisible: { has: isInvisible }, isKept }, nodes)
  const isOfList = (href: string): boolean => !isChapter(resolver.resolve(href) ?? href, url)
  const linked = page === undefined ? undefined : findNextInHead(page)
  const more =
    (total !== undefined && total > (range?.to ?? count)
      ? (range?.text ?? stated?.text ?? `${total} rows are stated`)
      : undefined) ??
    partial?.evidence ??
    [linked, ...signs.next].find((href) => href !== undefined && isOfList(href))
  const isLast = total !== undefined && total === (range?.to ?? count)
  const end = isLast ? (range?.text ?? stated?.text ?? `${total} rows are stated`) : signs.end
  return {
    total,
    more,
    end: more === undefined ? end : undefined,
  }
}

/** True for an element that is, or is inside or around, the container of a list. */
function isAround(element: Element, container: Element): boolean {
  for (let at: Element['parent'] = element; at !== null && isElement(at); at = at.parent)
    if (at === container) return true
  for (let at: Element['parent'] = container; at !== null && isElement(at); at = at.parent)
    if (at === element) return true
  return false
}

/** Number of rows that the parts of a grid state together, of which a browser may show only some; none below those shown. */
function rowCount(parts: readonly Element[], shown: number): number | undefined {
  const stated = parts.map(({ attribs }) => Number(attribs['aria-rowcount'] ?? ''))
  if (!stated.every((rows) => rows > 0)) return undefined
  const total = stated.reduce((sum, rows) => sum + rows - 1, 0)
  return total < shown ? undefined : total
}

const toNumber = (text: string): number => Number(text.replace(/\D/gu, ''))

function collectSigns(body: Element, isSkipped: (element: Element) => boolean): Signs {
  const signs: Signs = { ranges: [], totals: [], next: [] }
  let seen = 0
  walk(body, (node) => {
    if (isElement(node)) {
      if (isSkipped(node)) return false
      if (node.name === 'a' && signs.next.length < MAX_NEXT && isNext(node))
        signs.next.push(collapse(node.attribs['href'] ?? ''))
      const text = shortText(node)
      if (text !== undefined) readSigns(text, signs)
      return true
    }
    if (isText(node) && /\d/u.test(node.data)) seen += 1
    return seen < MAX_SIGNS * 50
  })
  return signs
}

/** Returns the text of an element with few nodes, such as `Showing <b>24</b> of <b>300</b>`. */
function shortText(element: Element): string | undefined {
  if (element.children.length > 12) return undefined
  let text = ''
  let nodes = 0
  walk(element, (node) => {
    nodes += 1
    if (isText(node)) text += ` ${node.data.slice(0, MAX_TEXT * 2)}`
    return nodes > 24 || text.length > MAX_TEXT * 4 ? 'stop' : true
  })
  const short = collapse(text)
  return nodes > 24 || short === '' || short.length > MAX_TEXT ? undefined : short
}

function readSigns(text: string, signs: Signs): void {
  if (END.test(text)) signs.end ??= text
  if (!/\d/u.test(text) || signs.ranges.length + signs.totals.length > MAX_SIGNS) return
  const [, from, to = '', all = ''] = RANGE.exec(text) ?? []
  if (all !== '' && toNumber(to) <= toNumber(all))
    signs.ranges.push({
      from: from === undefined ? undefined : toNumber(from),
      to: toNumber(to),
      total: toNumber(all),
      text,
    })
  const [, total] = TOTAL.exec(text) ?? []
  if (total !== undefined) signs.totals.push({ total: toNumber(total), text })
}

function isNext(link: Element): boolean {
  const { rel, href } = link.attribs
  if (href === undefined || /^(?:#|javascript:|$)/iu.test(href.trim())) return false
  if (/(?:^|\s)next(?:\s|$)/iu.test(rel ?? '')) return true
  const label = shortText(link) ?? link.attribs['aria-label'] ?? ''
  return label !== '' && /\p{L}/u.test(label) && NEXT_LABEL.test(label)
}

function findNextInHead(page: Element): string | undefined {
  const head = page.children.find((child) => isElement(child) && child.name === 'head')
  if (head === undefined || !isElement(head)) return undefined
  for (const child of head.children) {
    if (isElement(child) && child.name === 'link' && /(?:^|\s)next(?:\s|$)/iu.test(child.attribs['rel'] ?? ''))
      return child.attribs['href']
  }
  return undefined
}
