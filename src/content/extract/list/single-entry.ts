import type { JsonObject } from '../../../base/collections/is-object.js'
import { isObject } from '../../../base/collections/is-object.js'
import { collapse, type Element, findElement, isElement, isText, parentElement } from '../../html/tree.js'
import type { LinkResolver } from '../../html/link-resolver.js'
import type { EntryGroup } from './find-groups.js'
import { entryKind } from './kind.js'
import { leadsElsewhere, type PageMeasures } from './measure-page.js'

/** A page that may have a list of one entry. */
export interface SingleScope {
  readonly resolver: LinkResolver
  /** Objects of the JSON-LD of the page. */
  readonly linkedData: readonly JsonObject[]
}

/** Maximum characters of a text that states the number of entries. */
const MAX_SIGN = 60
const ONE =
  /^(?:(?:showing|found|total:?|gefunden:?|zeige) )?(?:all )?(?:1|one)(?: ?[-–—] ?1)?(?: (?:of|von|sur|de|di|van) 1)? (?:search )?(?:results?|products?|match(?:es)?|jobs?|vacanc(?:y|ies)|events?|listings?|propert(?:y|ies)|entr(?:y|ies)|records?|ergebnis(?:se)?|treffer|produkte?|résultats?|produits?|resultados?|productos?|risultat[oi]|prodott[oi]|resulta(?:at|ten))(?: found| gefunden| trouvés?)?\.?$/iu
/** Names of the elements around the entries of a list. */
const CONTAINER =
  /(?:^|[\s_-])(?:results?|list|listing|items|products?|entries|grid|feed|cards|jobs|events|hits)(?:$|[\s_-])/iu
const CART = /cart|basket|wishlist|comment/iu
/** Elements whose only child is no entry. */
const NO_CONTAINERS: ReadonlySet<string> = new Set([
  'body',
  'main',
  'a',
  'p',
  'li',
  'td',
  'th',
  'tr',
  'table',
  'tbody',
  'header',
])

/**
 * Finds a list that has one entry. One element is no repetition, so that the page has to say that it is a list: by the roles
 * `list` and `feed`, by an `ItemList` of one in its microdata or JSON-LD, or by a text such as `1 result`.
 */
export function findSingleEntry(measures: PageMeasures, scope: SingleScope): EntryGroup | undefined {
  const url = findListedUrl(scope)
  let isStated = false
  let listed: Element | undefined
  for (const [element, measure] of measures) {
    if (measure.isInFrame) continue
    const own = findMarkedEntry(element, measures)
    if (own !== undefined) return toGroup(element, own)
    isStated ||= statesOne(element)
    listed ??= holdsOneEntry(element, measures) ? element : undefined
    if (url !== undefined && holdsOneEntry(element, measures) && linksTo(element, url, scope.resolver))
      return toGroup(element, contentOf(element, measures)[0])
  }
  return isStated && listed ? toGroup(listed, contentOf(listed, measures)[0]) : undefined
}

const toGroup = (container: Element, entry: Element | undefined): EntryGroup | undefined =>
  entry && { container, entries: [[entry]], kind: entryKind(entry) }

const contentOf = ({ children }: Element, measures: PageMeasures): Element[] =>
  children.filter(isElement).filter((child) => {
    const measure = measures.get(child)
    return measure !== undefined && measure.text + measure.images > 0
  })

/** Returns the only entry of an element that is a list by its role or by its microdata. */
function findMarkedEntry(element: Element, measures: PageMeasures): Element | undefined {
  const { role, itemtype = '' } = element.attribs
  const isList = role === 'list' || role === 'feed'
  const isItemList = /schema\.org\/(?:ItemList|OfferCatalog)$/u.test(itemtype)
  if (!isList && !isItemList) return undefined
  const entries = contentOf(element, measures).filter(
    ({ name, attribs }) =>
      (isList && (attribs['role'] === 'listitem' || attribs['role'] === 'article' || name === 'article')) ||
      (isItemList && attribs['itemprop'] === 'itemListElement'),
  )
  const [only, ...others] = entries
  return only && others.length === 0 && holdsLink(only) && isEnough(only, measures) ? only : undefined
}

/** Minimum characters of an entry. A menu of one item has fewer. */
const MIN_TEXT = 10

const isEnough = (entry: Element, measures: PageMeasures): boolean => (measures.get(entry)?.text ?? 0) >= MIN_TEXT

const holdsLink = (element: Element): boolean =>
  leadsElsewhere(element) || findElement(element, leadsElsewhere) !== undefined

/** Tests for an element that is called like a list and has one child with content, which is an entry with a link. */
function holdsOneEntry(element: Element, measures: PageMeasures): boolean {
  const { name, attribs } = element
  if (NO_CONTAINERS.has(name)) return false
  const names = `${attribs['class'] ?? ''} ${attribs['id'] ?? ''}`.slice(0, 500)
  if (!(name === 'ul' || name === 'ol' || CONTAINER.test(names)) || CART.test(names)) return false
  const [only, ...others] = contentOf(element, measures)
  if (only === undefined || others.length > 0 || !isEnough(only, measures) || !holdsLink(only)) return false
  // An element around a container is a part of the page.
  return only.children.filter(isElement).length > 1 || name === 'ul' || name === 'ol'
}

function statesOne(element: Element): boolean {
  if (element.children.length > 5 || CART.test(element.attribs['class'] ?? '')) return false
  const outer = parentElement(element)
  if (outer !== undefined && CART.test(outer.attribs['class'] ?? '')) return false
  let text = ''
  for (const child of element.children) {
    const [inner] = isElement(child) && child.children.length === 1 ? child.children : [child]
    text += inner && isText(inner) ? inner.data.slice(0, MAX_SIGN) : ' '
  }
  return ONE.test(collapse(text).slice(0, MAX_SIGN))
}

/** Returns the URL of the only entry of the only `ItemList` in the JSON-LD of a page. */
function findListedUrl({ linkedData, resolver }: SingleScope): string | undefined {
  const lists = linkedData.filter((object) => [object['@type']].flat().includes('ItemList'))
  const [list, ...others] = lists
  if (list === undefined || others.length > 0) return undefined
  const entries = [list['itemListElement'] ?? []].flat()
  const [only] = entries
  if (entries.length !== 1 || !isObject(only)) return undefined
  const item = isObject(only['item']) ? only['item'] : only
  const url = [item['url'], item['@id'], only['url'], only['item']].find((value) => typeof value === 'string')
  return typeof url === 'string' ? resolver.resolve(url) : undefined
}

const linksTo = (element: Element, url: string, resolver: LinkResolver): boolean =>
  findElement(element, (one) => one.name === 'a' && resolver.resolve(one.attribs['href'] ?? '') === url) !== undefined
