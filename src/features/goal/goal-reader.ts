import type { Mutable } from '../../base/collections/mutable.js'
import { BLOCK_ELEMENTS, collapse, type Element, isElement, isHeading, isText, walk } from '../../content/html/tree.js'
import type { LinkResolver } from '../../content/html/link-resolver.js'
import type { ParsedPage } from '../../content/parse/parser.js'
import { GoalMatcher, type LinkWords, type PageWords } from './relevance/goal-matcher.js'
import { countTerms, type GoalTerms } from './relevance/goal-words.js'
import { type SearchPage, searchLimits, type SearchMarkup } from './site-search/search-page.js'
import { type SiteIndexFiles, type IndexMarkup, indexLimits } from './site-search/site-index.js'
import { MarkupReader } from './site-search/reading/markup-reader.js'
import { cutText } from '../../base/text/cut-text.js'
import { withoutSection } from '../../base/url.js'
import type { FoundLink, TreeFindings, TreeReading } from '../../content/extract/extracted-page.js'
import { targetOf } from '../../content/extract/links.js'
import { readJsonLd } from '../../content/extract/structured-data/structured-data.js'
import * as declarations from './site-search/declarations/index.js'
import * as indexes from './site-search/indexes/index.js'

/** Words after a link, up to the next link or heading, that count as words around it. */
const MAX_WORDS_AFTER = 40

/** Maximum length of the texts that are kept for vectors. Characters. */
const MAX_PAGE_TEXT = 2000
const MAX_HEADING_TEXT = 100

/** Terms of the goal of a crawl on a page, and the site's own search. */
export interface GoalFindings extends PageWords {
  /** Only with {@link GoalTerms.findsIndex}, and where there is one. */
  readonly index?: SiteIndexFiles
  /** Search pages that the page declares, the first to be asked first; likewise, and only on a page that names no index. */
  readonly searchPages?: readonly SearchPage[]
}

/** Terms of the goal on a page, and at each of its links. */
interface GoalWords extends TreeFindings {
  readonly page: GoalFindings
  readonly links: readonly LinkWords[]
}

type Sets = Mutable<LinkWords>

/** Returns what was found on a page. */
export const findingsOf = ({ found }: { readonly found?: unknown }): GoalFindings | undefined =>
  found as GoalFindings | undefined

/** Returns the terms at a link; undefined for one whose page was not read. */
export const wordsAt = ({ found }: { readonly found?: unknown }): LinkWords | undefined =>
  found as LinkWords | undefined

/** Finds the terms of a goal on a page, and at each of its links. @param reading its argument is the {@link GoalTerms} */
export function findGoalWords(page: ParsedPage, reading: unknown): GoalWords {
  const { argument, links, resolver } = reading as TreeReading
  const reader = new GoalReader(resolver, argument as GoalTerms)
  walk(
    page.tree.root,
    (node) => {
      if (isText(node)) reader.addText(node.data)
      return !isElement(node) || reader.enter(node)
    },
    (element) => reader.leave(element),
  )
  reader.end()
  const findings = { ...reader.page, ...reader.findSearch(page) }
  return { page: findings, links: links.map((link) => reader.wordsOf(link)) }
}

/** Reads a page in document order. */
class GoalReader {
  readonly #resolver: LinkResolver
  readonly #matcher: GoalMatcher
  readonly #counts: number[]
  readonly #keepsTexts: boolean
  /** Parts of the page that may name a search index or a search page; undefined where none is looked for. */
  readonly #markup: MarkupReader | undefined
  readonly #links = new Map<string, Sets>()
  /** Words in the open headings of levels 2 to 6. */
  readonly #headings = [0, 0, 0, 0, 0]
  #words = 0
  #title = 0
  #isTitle = false
  /** Level of the heading that is open, from 2. */
  #level: number | undefined
  /** Text of the last heading, and of the page without links. */
  #heading = ''
  #text = ''
  /** The last link of the page so far, and the link that is open. */
  #last: Sets | undefined
  #open: { readonly element: Element; readonly sets: Sets } | undefined
  /** Words since the end of the last link, and the goal's words since then or since the begin of the block. */
  #wordsAfter = 0
  #before = 0
  /** Words around the last link, at this place of the page. */
  #near = 0

  constructor(resolver: LinkResolver, terms: GoalTerms) {
    this.#resolver = resolver
    this.#matcher = new GoalMatcher(terms)
    this.#keepsTexts = terms.keepsTexts === true
    this.#markup = terms.findsIndex === true ? new MarkupReader(resolver) : undefined
    this.#counts = Array.from({ length: countTerms(terms) }, () => 0)
  }

  get page(): GoalFindings {
    const page = { words: this.#words, counts: this.#counts, title: this.#title }
    return this.#keepsTexts ? { ...page, text: cutText(this.#text, MAX_PAGE_TEXT).trimEnd() } : page
  }

  /** Finds the search index that the page names, or else the search pages that it declares. */
  findSearch(page: ParsedPage): Partial<GoalFindings> {
    const markup = this.#markup
    if (!markup) return {}
    const index = findSiteIndex(markup)
    if (index) return { index }
    const { descriptions, forms, resolve, hasSearchAction } = markup
    const linkedData = hasSearchAction ? readJsonLd(page) : []
    const searchPages = findSearchPages({ linkedData, descriptions, forms, resolve })
    return searchPages.length > 0 ? { searchPages } : {}
  }

  wordsOf({ url, text }: FoundLink): LinkWords {
    const { anchor, heading, near, over } = this.#links.get(url) ?? { anchor: 0, heading: 0, near: 0 }
    const words = { anchor: anchor | this.#matcher.setOf(text), path: this.#matcher.setOfPath(url), heading, near }
    return over === undefined ? words : { ...words, over: cutText(collapse(over), MAX_HEADING_TEXT) }
  }

  /** @returns false to skip the element */
  enter(element: Element): boolean {
    const { name } = element
    this.#markup?.add(element)
    if (name === 'script' || name === 'style') return false
    if (name === 'title' || name === 'h1') this.#isTitle = true
    else if (isHeading(element)) {
      this.#endMention()
      this.#level = Number(name.slice(1))
      this.#heading = ''
      this.#headings.fill(0, this.#level - 2)
    }
    if (BLOCK_ELEMENTS.has(name)) this.#endBlock()
    const target = targetOf(element)
    if (target !== undefined) this.#openLink(element, target)
    return true
  }

  leave(element: Element): void {
    const { name } = element
    if (name === 'title' || name === 'h1') this.#isTitle = false
    else if (isHeading(element)) this.#level = undefined
    if (BLOCK_ELEMENTS.has(name)) this.#matcher.endBlock()
    if (this.#open?.element !== element) return
    this.#open = undefined
    this.#wordsAfter = 0
    this.#before = 0
  }

  addText(text: string): void {
    if (this.#keepsTexts) this.#keep(text)
    const { words, set } = this.#matcher.read(text, this.#counts)
    if (words === 0) return
    this.#words += words
    if (this.#isTitle) this.#title |= set
    else if (this.#level !== undefined) this.#headings[this.#level - 2] = (this.#headings[this.#level - 2] ?? 0) | set
    if (this.#open) {
      this.#open.sets.anchor |= set
      return
    }
    this.#before |= set
    if (this.#last && this.#level === undefined && this.#wordsAfter < MAX_WORDS_AFTER) this.#near |= set
    this.#wordsAfter += words
  }

  /** Ends the page. */
  end(): void {
    this.#endMention()
  }

  #keep(text: string): void {
    if (this.#level !== undefined && this.#heading.length < MAX_HEADING_TEXT)
      this.#heading += cutText(text, MAX_HEADING_TEXT)
    // Links are scored by themselves, and the menus of a page would come first.
    if (this.#open || this.#text.length >= MAX_PAGE_TEXT) return
    const words = collapse(text)
    if (words !== '') this.#text += `${cutText(words, MAX_PAGE_TEXT)} `
  }

  #endBlock(): void {
    this.#matcher.endBlock()
    this.#before = 0
  }

  #openLink(element: Element, target: string): void {
    const url = this.#resolver.resolvePage(withoutSection(target))?.href
    if (url === undefined) return
    const sets = this.#links.get(url) ?? { anchor: 0, path: 0, heading: 0, near: 0 }
    this.#links.set(url, sets)
    this.#endMention()
    for (const set of this.#headings) sets.heading |= set
    if (this.#keepsTexts) sets.over ??= this.#heading
    this.#near = this.#before
    this.#last = element.name === 'link' || element.name === 'meta' ? undefined : sets
    this.#open = { element, sets }
  }

  /** Keeps the words around a mention of a link, if they are more than those around the earlier ones. */
  #endMention(): void {
    if (this.#last && countBits(this.#near) > countBits(this.#last.near)) this.#last.near = this.#near
    this.#last = undefined
  }
}

/** Number of bits of a set. */
function countBits(set: number): number {
  let bits = 0
  for (let left = set; left !== 0; left &= left - 1) bits += 1
  return bits
}

/** Finds the search pages that a page declares, in the order in which they are to be asked. Each URL is listed once. */
function findSearchPages(markup: SearchMarkup): SearchPage[] {
  const found = new Map<string, SearchPage>()
  for (const { find } of Object.values(declarations).toSorted((one, other) => one.rank - other.rank)) {
    for (const page of find(markup)) if (found.size < searchLimits.pages) found.set(page.url, page)
  }
  return [...found.values()]
}

/** Finds the search index that a page names. @returns undefined if there is none */
export function findSiteIndex(markup: IndexMarkup): SiteIndexFiles | undefined {
  for (const [format, { find }] of Object.entries(indexes)) {
    const found = find(markup)
    if (found) return { format, ...found, files: found.files.slice(0, indexLimits.files) }
  }
  return undefined
}
