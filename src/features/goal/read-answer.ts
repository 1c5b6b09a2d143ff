import { links as linksFormat } from '../../content/convert/formats/links.js'
import { digest, type DigestPlan } from '../../content/digest/digest.js'
import type { FoundLink } from '../../content/extract/extracted-page.js'
import { readRobotsFacts } from '../../content/extract/structured-data/meta-robots.js'
import type { ParsePlan } from '../../content/parse/parser.js'
import { readingOf } from './reading.js'
import type { GoalTerms } from './relevance/goal-words.js'
import { findGoalWords, findingsOf, wordsAt } from './goal-reader.js'
import { visitWords } from './relevance/split-words.js'
import { indexLimits } from './site-search/site-index.js'
import { searchLimits } from './site-search/search-page.js'
import { cutText } from '../../base/text/cut-text.js'
import { isHomePage, parseUrl } from '../../base/url.js'
import type { SearchAnswer, SearchResult } from './search-answer.js'

/** An answer, with what it is read by. */
export interface AnswerTask extends SearchAnswer {
  readonly terms: GoalTerms
  readonly parse: ParsePlan
  /** Product token of the crawler. */
  readonly agent: string
}

/** Results of a search page. Plain data. */
export interface ReadAnswer {
  /** True if the page asks crawlers not to follow its links. */
  readonly isNofollow: boolean
  /** In the order of the page. */
  readonly results: readonly SearchResult[]
}

/** Parameters that mark the words of a search on the page that a result leads to. */
const HIGHLIGHTS: ReadonlySet<string> = new Set([
  's[]',
  'highlight',
  'highlights',
  'hilit',
  'hilite',
  'hl',
  'searchterm',
])
/** Parameters of Shopify that say how a result was found. */
const ORIGINS: ReadonlySet<string> = new Set(['_pos', '_psq', '_sid', '_ss'])
/** Values of parameters of links to forms: "create this page". */
const FORM_VALUES: ReadonlySet<string> = new Set('edit create new add login signup register'.split(' '))
/** A path that serves searches, and no other pages. */
const SEARCH_PATH = /search|such|query|recherche|busca|busqueda|cerca|ricerca|zoek|szukaj|hledat|vyhled/i

/**
 * Finds the results of a search page: the links of its main content, but for those that search again (facets, tabs, further pages), and
 * those without words. The exact ways in which sites list results differ too much for a rule on their markup.
 */
export function readAnswer(task: AnswerTask): ReadAnswer {
  const { url, body, contentType, terms, parse } = task
  const { findsIndex: _, keepsTexts: __, ...words } = terms
  const reading = readingOf(words)
  const plan: DigestPlan = {
    parse,
    extract: { onlyMainContent: true, includeTags: [], excludeTags: [], fidelity: false, reading },
    convert: { formats: [{ type: linksFormat.type }], removeBase64Images: true },
  }
  const input = { url, body, mediaType: 'text/html', contentType }
  const { fields, links, metadata, found } = digest(input, plan, { treeTasks: { [reading.task]: findGoalWords } })
  const isNofollow = readRobotsFacts(metadata, task.robotsHeader, task.agent).nofollow === true
  const target = findTarget(task)
  if (target !== undefined) {
    const titleSet = findingsOf({ found })?.title ?? 0
    const title = cutText([metadata.title ?? ''].flat().join(' '), indexLimits.name)
    return { isNofollow, results: titleSet === 0 ? [] : [{ url: target, title, titleSet, textSet: titleSet }] }
  }
  const content = new Set((fields.links ?? []).slice(0, searchLimits.links).map((link) => link.replace(/#.*$/s, '')))
  const filter = new ResultFilter(task)
  const results = new Map<string, SearchResult>()
  for (const link of links) {
    if (results.size >= searchLimits.results) break
    const result = content.has(link.url) ? filter.toResult(link) : undefined
    if (result && !results.has(result.url)) results.set(result.url, result)
  }
  return { isNofollow, results: [...results.values()] }
}

/** Returns the URL of the page that a search led to at once, because it found one page only, or one with this title. */
function findTarget({ url, asked, query }: SearchAnswer): string | undefined {
  const [target, from] = [parseUrl(url), parseUrl(asked)]
  if (!target || !from || target.href === from.href || isHomePage(target)) return undefined
  // A search page that moved still has the words: `/search?q=…` to `/en/search/?q=…`.
  const hasWords = ` ${wordsOf(decode(target.pathname + target.search))} `.includes(` ${wordsOf(query)} `)
  return hasWords && (target.search !== '' || SEARCH_PATH.test(target.pathname)) ? undefined : target.href
}

/** Tells results from other links of a search page. */
class ResultFilter {
  readonly #page: URL
  readonly #query: string
  /** Parameters of the search page that have the words, and the others. */
  readonly #names: ReadonlySet<string>
  readonly #others: ReadonlySet<string>
  /** Path of the search page, if it has the words or serves searches only. */
  readonly #path: string | undefined

  constructor({ url, query }: SearchAnswer) {
    this.#page = new URL(url)
    this.#query = wordsOf(query)
    const parameters = [...this.#page.searchParams]
    this.#names = new Set(parameters.flatMap(([name, value]) => (wordsOf(value) === this.#query ? [name] : [])))
    this.#others = new Set(parameters.map((pair) => pair.join('=')).filter((pair) => SEARCH_PATH.test(pair)))
    const { pathname } = this.#page
    const hasWords = ` ${wordsOf(decode(pathname))} `.includes(` ${this.#query} `)
    this.#path = hasWords || SEARCH_PATH.test(pathname) ? pathname : undefined
  }

  toResult({ url: href, text, nofollow, found }: FoundLink): SearchResult | undefined {
    const url = href.length > searchLimits.url ? undefined : parseUrl(href)
    if (!url || !/\p{L}/u.test(text) || this.#isSearch(url)) return undefined
    const { anchor = 0, near = 0 } = wordsAt({ found }) ?? {}
    return {
      url: this.#withoutSearch(url),
      title: text,
      titleSet: anchor,
      textSet: anchor | near,
      nofollow,
    }
  }

  /** Tests for a link that searches again, or that leads to a form. */
  #isSearch(url: URL): boolean {
    if (url.host === this.#page.host && this.#path !== undefined && isAtOrBelow(url.pathname, this.#path)) return true
    const isHere = url.pathname === this.#page.pathname
    return [...url.searchParams].some(
      ([name, value]) =>
        FORM_VALUES.has(value.toLowerCase()) ||
        (this.#names.has(name) && ` ${wordsOf(value)} `.includes(` ${this.#query} `)) ||
        (isHere && this.#others.has(`${name}=${value}`)),
    )
  }

  /** Removes parameters of the search, so that the page is not fetched twice. The others stay as they are written. */
  #withoutSearch(url: URL): string {
    const kept = url.search
      .slice(1)
      .split('&')
      .filter((pair) => {
        const [name, value] = [...new URLSearchParams(pair)][0] ?? ['', '']
        if (ORIGINS.has(name)) return false
        return !HIGHLIGHTS.has(name.toLowerCase()) || !` ${this.#query} `.includes(` ${wordsOf(value)} `)
      })
    url.search = kept.join('&')
    return url.href
  }
}

const isAtOrBelow = (path: string, base: string): boolean => path === base || path.startsWith(base.replace(/\/?$/, '/'))

/** The words of a text as the goal's are compared, with a space between them. */
function wordsOf(text: string): string {
  const words: string[] = []
  visitWords(text, (word) => words.push(word))
  return words.join(' ')
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
