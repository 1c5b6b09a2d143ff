import { GoalMatcher } from '../../relevance/goal-matcher.js'
import type { GoalTerms } from '../../relevance/goal-words.js'
import { cutText } from '../../../../base/text/cut-text.js'
import { isWebUrl, parseUrl, withoutFragment } from '../../../../base/url.js'
import { type IndexAnswer, type IndexedPage, indexLimits, type IndexField, type IndexSink } from '../site-index.js'

/** Words of the goal that an index has of a page. Sets of terms, as in `LinkWords`. */
interface Page {
  readonly url: string
  title: string
  titleSet: number
  /** Words in the title of any section, and the titles with different words. */
  sectionSet: number
  readonly sections: Set<number>
  /** Words anywhere in the page, and the texts with different words. */
  textSet: number
  readonly texts: Set<number>
}

/** Markup in a title of Sphinx, and in a text of MkDocs. */
const TAG = /<[^<>]*>/g
/** Sets of words of one page that are told apart. */
const MAX_SETS = 64

/**
 * Weights of the parts of a page's score; their sum is 1. On the 43 opened questions of `benchmarks/goal/` about Python, Django and
 * Linux, the answer is the first page of the index for 29, and among the first ten for 42.
 */
const WEIGHTS = { text: 0.4, title: 0.3, section: 0.2, sections: 0.1 }

/** Collects the words of a goal that an index has of each page, and ranks the pages. */
export class PageCollector implements IndexSink {
  readonly #root: URL | undefined
  readonly #matcher: GoalMatcher
  readonly #terms: GoalTerms
  readonly #pages: Page[] = []
  readonly #byUrl = new Map<string, number>()
  readonly #byPath = new Map<string, number>()
  readonly #folders = new Set<string>()
  /** True for an index of texts, and not only of names and titles. */
  #hasTexts = false
  /** The last text, because the pages of a title come one after another. */
  #last: { readonly text: string; readonly set: number } = { text: '', set: 0 }

  constructor(root: string, terms: GoalTerms) {
    this.#root = parseUrl(root)
    this.#matcher = new GoalMatcher(terms)
    this.#terms = terms
  }

  page(path: unknown): number | undefined {
    if (typeof path !== 'string' || path.length > indexLimits.name) return undefined
    const end = path.indexOf('#')
    const name = end < 0 ? path : path.slice(0, end)
    const known = this.#byPath.get(name)
    if (known !== undefined) return known
    const url = this.#root && parseUrl(name, this.#root.href)
    if (!url || !isWebUrl(url) || url.host !== this.#root?.host) return undefined
    const { href } = withoutFragment(url)
    const number = this.#byUrl.get(href) ?? this.#addPage(href)
    if (number !== undefined) this.#byPath.set(name, number)
    return number
  }

  #addPage(url: string): number | undefined {
    if (this.#pages.length >= indexLimits.pages) return undefined
    const page = {
      url,
      title: '',
      titleSet: 0,
      sectionSet: 0,
      sections: new Set<number>(),
      textSet: 0,
      texts: new Set<number>(),
    }
    const number = this.#pages.push(page) - 1
    this.#byUrl.set(url, number)
    return number
  }

  add(number: number | undefined, field: IndexField, text: unknown): void {
    const page = number === undefined ? undefined : this.#pages[number]
    if (!page || typeof text !== 'string') return
    // The title of a section may stand for any number of pages.
    this.#hasTexts ||= field === 'text'
    const cut = (field === 'text' ? text : cutText(text, indexLimits.name)).replace(TAG, '')
    if (field === 'title' && page.title === '') page.title = cut
    if (this.#last.text !== cut) this.#last = { text: cut, set: this.#matcher.setOf(cut) }
    if (this.#last.set !== 0) addSet(page, field, this.#last.set)
  }

  addStem(stem: string, field: 'section' | 'text', listPages: () => Iterable<number | undefined>): void {
    this.#hasTexts ||= field === 'text'
    if (stem.length > indexLimits.name) return
    const found = this.#matcher.find(stem)
    const at = found < 0 ? this.#terms.words.findIndex((word) => isStemOf(stem, word)) : found
    if (at < 0) return
    for (const number of listPages()) {
      const page = number === undefined ? undefined : this.#pages[number]
      if (page) addSet(page, field, 1 << at, false)
    }
  }

  addFolder(path: string): void {
    if (path.length > indexLimits.name || this.#folders.size >= indexLimits.folders) return
    const url = this.#root && parseUrl(path, this.#root.href)
    if (url?.host === this.#root?.host && url?.pathname.endsWith('/')) this.#folders.add(withoutFragment(url).href)
  }

  /** Ranks the pages that have words of the goal. */
  rank(): IndexAnswer {
    const counts = this.#countPages()
    const weights = this.#weigh(counts)
    const coverage = (set: number): number => {
      let sum = 0
      for (let at = 0; at < weights.length; at += 1) if ((set >> at) & 1) sum += weights[at] ?? 0
      return sum
    }
    const found: IndexedPage[] = []
    for (const page of this.#pages) {
      if (page.textSet === 0) continue
      found.push({ url: page.url, title: page.title, score: scorePage(page, coverage) })
    }
    // The sort is stable: pages of one score keep the order of the index.
    found.sort((a, b) => b.score - a.score)
    const folders = this.#folders.size > 0 && { folders: [...this.#folders] }
    const answer = { found: found.slice(0, indexLimits.found), ...folders }
    if (!this.#hasTexts) return answer
    return { ...answer, counts: { pages: this.#pages.length, pagesWith: [...counts, ...this.#countPhrases()] } }
  }

  /** Number of pages with each word of the goal. */
  #countPages(): number[] {
    return this.#terms.words.map((_word, at) => this.#pages.filter(({ textSet }) => (textSet >> at) & 1).length)
  }

  /** Number of pages with all words of each phrase: an index of stems does not tell whether they stand together. */
  #countPhrases(): number[] {
    return this.#terms.phrases.map(({ words }) => {
      const all = words.reduce((set, at) => set | (1 << at), 0)
      return this.#pages.filter(({ textSet }) => (textSet & all) === all).length
    })
  }

  /** Share of each word of the goal, by how rare it is among the pages. */
  #weigh(counts: readonly number[]): number[] {
    const weights = counts.map((count) => Math.log(1 + (this.#pages.length - count + 0.5) / (count + 0.5)))
    const all = weights.reduce((sum, weight) => sum + weight, 0)
    return weights.map((weight) => (all === 0 ? 0 : weight / all))
  }
}

function addSet(page: Page, field: IndexField, set: number, isOneText = true): void {
  page.textSet |= set
  if (field === 'title') page.titleSet |= set
  if (field === 'section') page.sectionSet |= set
  if (!isOneText) return
  if (field === 'section' && page.sections.size < MAX_SETS) page.sections.add(set)
  if (page.texts.size < MAX_SETS) page.texts.add(set)
}

function scorePage(page: Page, coverage: (set: number) => number): number {
  const best = (sets: ReadonlySet<number>): number => Math.max(0, ...[...sets].map(coverage))
  const score =
    WEIGHTS.text * coverage(page.textSet) +
    WEIGHTS.title * coverage(page.titleSet) +
    WEIGHTS.section * best(page.sections) +
    WEIGHTS.sections * coverage(page.sectionSet)
  return Math.round(score * 1000) / 1000
}

/** Number of letters that a stem of four letters or more may lack. */
const MAX_ENDING = 5
/** Endings of English words after a stem of three letters, with the last letter doubled or not: `logging` of `log`. */
const SHORT_ENDING = /^[a-z]?(?:s|es|ed|ing|er)$/
const VOWEL = /[aeiouy]/

/**
 * Tests whether a text is the stem of a word, as Porter's stemmer cuts it: `log` of `logging`, `gener` of `generator`. A stem of three
 * letters must have a vowel, so that `str` is none of `string`.
 */
function isStemOf(stem: string, word: string): boolean {
  if (stem.length < 3 || !word.startsWith(stem)) return false
  const ending = word.slice(stem.length)
  if (stem.length > 3) return ending.length <= MAX_ENDING
  if (ending.length > 4 || !VOWEL.test(stem) || !SHORT_ENDING.test(ending)) return ending === ''
  return ending.length < 3 || ending === 'ing' || ending.startsWith(stem.slice(-1))
}
