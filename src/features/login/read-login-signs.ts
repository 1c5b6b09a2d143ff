import { decodeAllEntities } from '../../content/parse/html/tokenize.js'
import { resolveUrl } from '../../base/url.js'
import { isHtmlType } from '../../base/http/header-values.js'
import { findEndTag, readAllAttributes } from '../../content/html/scan-tags.js'
import { decodeText } from '../../content/encoding/decode-text.js'
import type { FetchedPage } from '../../kernel/fetch/fetched-page.js'
import { isHidden, type PageForm, readForm } from './page-forms.js'

/** Signs of a login on a page. Plain data. */
export interface LoginSigns {
  /** Title and main heading, separated by a bar. */
  readonly title: string
  /** Words of the page outside its navigation and its choices. */
  readonly words: number
  /** Its forms, in their order. */
  readonly forms: readonly PageForm[]
  /** Addresses that its frames show and its links beside its navigation lead to, each once: the first of them. */
  readonly frames: readonly string[]
  readonly links: readonly string[]
  /** Address that a script of a page of few words goes on to. */
  readonly goesTo?: string
}

/** Maximum forms of a page to read. */
const MAX_FORMS = 20
/** Maximum links, and frames, of a page to keep, tags of each to look at, and characters of one. */
const MAX_LINKS = 40
const MAX_LOOKS = 1000
const MAX_TAG = 10_000
const MAX_LINK = 900
/** Maximum titles and headings of a page to read. */
const MAX_TITLES = 3
/** Characters of a form that are read, and of a title. */
const MAX_FORM = 60_000
const MAX_TITLE = 200
/** Elements whose text says nothing about the content. */
const PASSED: ReadonlySet<string> = new Set(
  'script style noscript template iframe textarea select button label title head nav header footer aside dialog svg'.split(
    ' ',
  ),
)
/** Elements beside the content: a form in them is a box. */
const BESIDE: ReadonlySet<string> = new Set(['nav', 'header', 'footer', 'aside', 'dialog'])
/** Elements that may hold a menu. */
const HOLDERS: ReadonlySet<string> = new Set(['div', 'li', 'section', 'ul'])
/** Words of a page up to which a script may go on to another. */
const MAX_WORDS = 20
const MAX_SCRIPT = 20_000
/** Occurrences of the word that are looked at, and characters after each. */
const [MAX_PLACES, MAX_CALL] = [20, 500]
/** Begin of what a script may do, or not, and of a comment. */
const MAYBE = /[{?]|&&|\|\||=>|\bif\b|\/\*/
const STATEMENT = /(?:^|[;\n\r])[\t ]*(?:(?:window|document|top|self|parent)\.){0,2}$/
const GOES_ON = /^(?:\.href)?\s*(?:=|\.(?:replace|assign)\s*\()\s*["']([^"'<>]+)/
const NAME = /[a-z][a-z0-9-]{0,40}/iy

/** Signs of a page that shows nothing. */
const NO_SIGNS: LoginSigns = { title: '', words: 0, forms: [], frames: [], links: [] }

/** Reads what a page shows of a login, without parsing it. In time linear in the length of the page. */
export function readLoginSigns(page: FetchedPage): LoginSigns {
  if (!isHtmlType(page.contentType)) return NO_SIGNS
  const source = decodeText(page, 'html')
  const titles: string[] = []
  const scripts: string[] = []
  const forms: PageForm[] = []
  const [frames, links] = [new Set<string>(), new Set<string>()]
  const ends = new ElementEnds(source)
  let letters = 0
  let [frameLooks, linkLooks] = [0, 0]
  let base = page.url
  let boxEnd = 0
  const closed = new ClosedParts()
  const outside = new OutsideForms(source)
  for (let at = 0; at < source.length;) {
    const open = source.indexOf('<', at)
    if (at >= boxEnd) letters += countLetters(source, at, open === -1 ? source.length : open)
    if (open === -1) break
    if (source.startsWith('<!--', open)) {
      const end = source.indexOf('-->', open + 4)
      if (end === -1) break
      at = end + 3
      continue
    }
    NAME.lastIndex = open + 1
    const name = NAME.exec(source)?.[0].toLowerCase() ?? ''
    const from = open + 1 + name.length
    closed.pass(source, open, name)
    const end = name === 'form' || name === 'h1' || PASSED.has(name) ? ends.find(name, from) : from
    if (name === 'base') base = /\bhref\s*=\s*["']?([^"'\s>]+)/i.exec(source.slice(from, from + 500))?.[1] ?? base
    if (name === 'form') outside.leave(open, end)
    if (name === 'form' && forms.length < MAX_FORMS)
      forms.push({
        ...readForm(source.slice(from, Math.min(end, from + MAX_FORM)), {
          base: resolveUrl(base, page.url)?.href ?? page.url,
          isBox: from < boxEnd,
        }),
        isClosed: closed.isIn,
      })
    if (name === 'iframe' && frames.size < MAX_LINKS && (frameLooks += 1) <= MAX_LOOKS) {
      const { attributes } = readAllAttributes(source.slice(from, from + MAX_TAG), 0)
      const [src, srcdoc] = [attributes.get('src'), attributes.get('srcdoc')]
      const url = src === undefined ? undefined : resolveUrl(src, base)?.href
      if (url !== undefined) frames.add(url)
      const inner = srcdoc === undefined ? undefined : readForm(srcdoc, { base: page.url, isBox: from < boxEnd })
      if (inner?.password !== undefined && forms.length < MAX_FORMS) forms.push(inner)
    }
    if (name === 'a' && from >= boxEnd && links.size < MAX_LINKS && (linkLooks += 1) <= MAX_LOOKS) {
      const { attributes } = readAllAttributes(source.slice(from, from + MAX_LINK), 0)
      const href = attributes.get('href')
      const url = href === undefined ? undefined : resolveUrl(href, base)?.href
      if (url !== undefined) links.add(url)
    }
    if (name === 'script' && from < MAX_SCRIPT) scripts.push(source.slice(from, Math.min(end, MAX_SCRIPT)))
    if ((name === 'title' || name === 'h1') && titles.length < MAX_TITLES)
      titles.push(textOf(source.slice(from, Math.min(end, from + 4 * MAX_TITLE))))
    // Text up to its end does not count.
    if (BESIDE.has(name)) boxEnd = Math.max(boxEnd, end)
    // A form in a box is read.
    const isRead = !PASSED.has(name) || BESIDE.has(name) || name === 'head' || name === 'dialog'
    const close = source.indexOf('>', isRead ? from : end)
    if (close === -1) break
    at = close + 1
  }
  const rest = forms.every(({ isBox }) => isBox) ? outside.rest() : ''
  const loose = rest === '' ? [] : [readForm(rest, { base: page.url, isBox: false })]
  const words = Math.max(0, Math.round(letters / 5))
  const next = words <= MAX_WORDS ? findNext(scripts) : undefined
  const goesTo = next === undefined ? undefined : resolveUrl(next, base)?.href
  return {
    title: titles.join(' | '),
    words,
    goesTo,
    forms: [...forms, ...loose.filter(({ password }) => password !== undefined)],
    frames: [...frames],
    links: [...links],
  }
}

/** Collects the source outside forms, which may have fields as well. */
class OutsideForms {
  readonly #source: string
  #text = ''
  #from = 0

  constructor(source: string) {
    this.#source = source
  }

  leave(start: number, end: number): void {
    if (this.#text.length >= MAX_FORM) return
    this.#text += this.#source.slice(this.#from, Math.max(start, this.#from))
    this.#from = Math.max(end, this.#from)
  }

  rest(): string {
    return (this.#text + this.#source.slice(this.#from, this.#from + MAX_FORM)).slice(0, MAX_FORM)
  }
}

/** Follows the elements that are hidden as they come. */
class ClosedParts {
  #name = ''
  #depth = 0

  get isIn(): boolean {
    return this.#depth > 0
  }

  /** Passes the tag at an offset. @param name of a start tag, or nothing */
  pass(source: string, at: number, name: string): void {
    if (this.#depth > 0) {
      if (name === this.#name) this.#depth += 1
      else if (name === '' && source.slice(at + 2, at + 3 + this.#name.length).toLowerCase() === `${this.#name}>`)
        this.#depth -= 1
    } else if (HOLDERS.has(name)) {
      const { attributes } = readAllAttributes(source.slice(at + 1 + name.length, at + MAX_LINK), 0)
      if (isHidden(attributes)) [this.#name, this.#depth] = [name, 1]
    }
  }
}

/** Finds the ends of elements, each for offsets that grow: what was found for one is not looked for again up to there. */
class ElementEnds {
  readonly #source: string
  readonly #found = new Map<string, number>()

  constructor(source: string) {
    this.#source = source
  }

  find(name: string, from: number): number {
    const known = this.#found.get(name) ?? -1
    const end = known >= from ? known : findEndTag(this.#source, name, from)
    this.#found.set(name, end === -1 ? Infinity : end)
    return end === -1 || end === Infinity ? from : end
  }
}

/** Finds the address that a script goes on to in any case: a guard of an application goes on only for those who are not logged in. */
function findNext(scripts: readonly string[]): string | undefined {
  let places = 0
  for (const script of scripts) {
    const text = script.slice(script.indexOf('>') + 1)
    const sure = MAYBE.exec(text)?.index ?? text.length
    for (let at = text.indexOf('location'); at !== -1 && at < sure; at = text.indexOf('location', at + 1)) {
      if ((places += 1) > MAX_PLACES) return undefined
      if (!STATEMENT.test(text.slice(0, at))) continue
      const [, next] = GOES_ON.exec(text.slice(at + 'location'.length, at + MAX_CALL)) ?? []
      if (next !== undefined) return next
    }
  }
  return undefined
}

const stripTags = (html: string): string => html.replace(/<[^<>]*>/g, ' ')

const textOf = (html: string): string =>
  decodeAllEntities(stripTags(html.slice(html.indexOf('>') + 1)))
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_TITLE)

/** Counts letters; those of scripts without spaces count as the words that they nearly are. */
function countLetters(source: string, from: number, to: number): number {
  let count = 0
  for (let at = from; at < to; at++) {
    const code = source.charCodeAt(at)
    if (code > 0x2e80) count += 2
    else if (code > 64) count += 1
  }
  return count
}
