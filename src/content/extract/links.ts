import type { ParsedPage } from '../parse/parser.js'
import {
  type ChildNode,
  type Element,
  collapse,
  findElement,
  isElement,
  isText,
  singleSpaces,
  walk,
} from '../html/tree.js'
import { cutText } from '../../base/text/cut-text.js'
import type { LinkResolver } from '../html/link-resolver.js'
import { readRefresh } from '../html/refresh.js'
import { isWebUrl, withoutSection } from '../../base/url.js'
import { CharacterBudget, type DocumentLimits, limitWarning } from '../html/document-limits.js'
import type { FoundLink } from './extracted-page.js'

const MAX_TEXT_LENGTH = 200

/** Finds all links to web pages on the whole page: see {@link PageLinks}. */
export function findLinks(page: ParsedPage, resolver: LinkResolver): FoundLink[] {
  const links = new PageLinks(resolver)
  walk(page.tree.root, addLink, undefined, links)
  return links.list
}

/** Adds the links of a node to those of its page. */
function addLink(node: ChildNode, links: PageLinks): void {
  if (isElement(node)) links.add(node)
}

/**
 * Collects the links of a page to web pages: absolute, in document order, each page once, whatever the fragments of its
 * links.
 *
 * Beside `a` and `area`, these are `link` elements to the next, previous and canonical page and to translations, the
 * target of a `meta` refresh, and the sources of frames.
 */
export class PageLinks {
  readonly #found = new Map<string, FoundLink>()
  readonly #resolver: LinkResolver
  readonly #budget: CharacterBudget
  /** Links that the resolver refused, as they are written. */
  readonly #refused = new Set<string>()

  /** @param most maximum number of characters of all addresses and names together. @default any number */
  constructor(resolver: LinkResolver, most = Infinity) {
    this.#resolver = resolver
    this.#budget = new CharacterBudget(most)
  }

  /** Number of pages that were left out, because the links would become too long. */
  get leftOut(): number {
    return this.#refused.size + this.#budget.leftOut
  }

  get list(): FoundLink[] {
    return [...this.#found.values()]
  }

  /** Adds an element. The elements of a page must come in document order. */
  add(element: Element): void {
    const target = targetOf(element)
    if (target === undefined) return
    const name = withoutSection(target)
    const leadsTo = this.#resolver.resolvePage(name)
    if (leadsTo === undefined && this.#resolver.isRefused(name)) this.#refused.add(name)
    if (leadsTo === undefined || !isWebUrl(leadsTo)) return
    const url = leadsTo.href
    const known = this.#found.get(url)
    // A page counts as followable as soon as one link to it has no `nofollow`.
    if (known && known.nofollow !== true) return
    const nofollow = element.attribs['rel'] !== undefined && isNofollow(element)
    if (known && nofollow) return
    const text = known?.text ?? nameLink(element)
    if (known === undefined && !this.#budget.take(url.length + text.length)) return
    this.#found.set(url, nofollow ? { url, text, nofollow } : { url, text })
  }
}

/** Returns the warning about links of a page that were left out. */
export const warnOfLinks = (leftOut: number, { part }: DocumentLimits): string =>
  limitWarning(leftOut, 'links of the page were left out, and are not followed', part)

/** Returns the link target of an element as it is written; undefined if it is not a link. */
export function targetOf({ name, attribs }: Element): string | undefined {
  switch (name) {
    case 'a':
      return attribs['data-id'] === undefined && attribs['class'] !== 'section-link'
        ? attribs['href']
        : attribs['href']?.replace(PLACE_IN_ROUTE, '$1')
    case 'area':
      return attribs['href']
    case 'link':
      return leadsToPage(attribs) ? attribs['href'] : undefined
    case 'meta':
      return attribs['http-equiv']?.toLowerCase() === 'refresh' ? readRefresh(attribs['content'])?.url : undefined
    case 'iframe':
    case 'frame':
      return attribs['src']
    default:
      return undefined
  }
}

/** A route with the place on its page that docsify links headings to: `#/fees?id=weekly` in place of `#weekly`. */
const PLACE_IN_ROUTE = /^(#\/[^?#]*)\?id=[^&#]*$/

const PAGE_RELATIONS = new Set(['next', 'prev', 'canonical'])

function leadsToPage(attribs: Readonly<Record<string, string>>): boolean {
  const relations = tokens(attribs['rel'])
  // Any other `alternate` is a feed or a style sheet.
  return (
    relations.some((name) => PAGE_RELATIONS.has(name)) || (relations.includes('alternate') && 'hreflang' in attribs)
  )
}

/** True for a link that crawlers are asked not to follow. */
export function isNofollow({ attribs }: Element): boolean {
  const { rel } = attribs
  return rel !== undefined && tokens(rel).includes('nofollow')
}

const tokens = (value: string | undefined): string[] => (value ?? '').toLowerCase().split(/\s+/)

/** Returns a link's text, or else the text of its image or its label. */
export function nameLink(link: Element): string {
  if (link.name === 'link') return cutText(`rel=${link.attribs['rel'] ?? ''}`, MAX_TEXT_LENGTH)
  const text = startOfText(link)
  if (text !== '') return text
  const image = findElement(link, ({ name, attribs }) => name === 'img' && (attribs['alt'] ?? '') !== '')
  const label =
    image?.attribs['alt'] ?? link.attribs['aria-label'] ?? link.attribs['title'] ?? link.attribs['alt'] ?? ''
  return cutText(collapse(label), MAX_TEXT_LENGTH)
}

/**
 * Returns the start of an element's text, and reads no further: a link that is never closed may contain the rest of the
 * page.
 */
function startOfText(element: Element): string {
  const { children } = element
  const only = children.length === 1 ? children[0] : undefined
  if (only !== undefined && isText(only))
    return cutText(collapse(only.data.slice(0, MAX_TEXT_LENGTH * 4)), MAX_TEXT_LENGTH)
  const start = { text: '' }
  walk(element, addToStart, undefined, start)
  return cutText(start.text.trim(), MAX_TEXT_LENGTH)
}

function addToStart(node: ChildNode, start: { text: string }): boolean | 'stop' {
  if (start.text.length > MAX_TEXT_LENGTH * 2) return 'stop'
  if (isText(node)) {
    const text = singleSpaces(node.data.slice(0, MAX_TEXT_LENGTH * 4))
    start.text += start.text.endsWith(' ') && text.startsWith(' ') ? text.slice(1) : text
  }
  return !isElement(node) || (node.name !== 'script' && node.name !== 'style')
}
