import { type ChildNode, type Element, isText } from '../../../../content/html/tree.js'
import type { LinkResolver } from '../../../../content/html/link-resolver.js'
import type { SearchForm } from '../search-page.js'
import type { IndexMarkup } from '../site-index.js'
import { readForm } from './read-form.js'

/** Maximum numbers of elements of each kind that are kept. */
const MAX_SCRIPTS = 200
const MAX_SEARCH_PAGES = 20
/** Beginning of a script that is searched for the name of an index. Characters. */
const MAX_INLINE = 4000
const MAX_FORMS = 20
/** Maximum length of a block of JSON-LD that is searched for a search page. Characters. */
const MAX_LINKED_DATA = 500_000

/** Ids and names of elements that hold the settings of a site's scripts in their attributes. */
const SETTINGS: ReadonlySet<string> = new Set(['rustdoc-vars'])

/** The id or name of an element that holds the settings of a site's scripts; undefined for other elements. */
export function settingsName({ attribs }: Element): string | undefined {
  return [attribs['id'], attribs['name']].find((name) => name !== undefined && SETTINGS.has(name))
}

/** Collects the parts of a page that name a search index or a search page, from its elements in document order. */
export class MarkupReader implements IndexMarkup {
  readonly scripts: string[] = []
  readonly inline: string[] = []
  readonly searchPages: string[] = []
  readonly settings = new Map<string, Readonly<Record<string, string>>>()
  readonly descriptions: string[] = []
  readonly forms: SearchForm[] = []
  /** True if a block of JSON-LD mentions a search page. */
  hasSearchAction = false
  #formsLeft = MAX_FORMS
  readonly #resolver: LinkResolver

  constructor(resolver: LinkResolver) {
    this.#resolver = resolver
  }

  readonly resolve = (reference: string): string | undefined => this.#resolver.resolvePage(reference)?.href

  /** Adds an element; those without a say are left out. */
  add(element: Element): void {
    const { name, attribs } = element
    if (name === 'script') this.#addScript(element)
    else if (name === 'link') this.#addLink(attribs)
    else if (name === 'form') this.#addForm(element)
    else if (name === 'meta' || name === 'div') this.#addSettings(element)
  }

  #addLink({ rel = '', type = '', href }: Readonly<Record<string, string>>): void {
    if (href !== undefined && /\bsearch\b/i.test(rel) && /^\s*application\/opensearchdescription\+xml\b/i.test(type)) {
      const url = this.resolve(href)
      if (url !== undefined && this.descriptions.length < MAX_SEARCH_PAGES) this.descriptions.push(url)
    } else if (/^\s*(?:search|index)\s*$/i.test(rel)) this.#addPage(href)
  }

  #addForm(element: Element): void {
    this.#addPage(element.attribs['action'])
    this.#formsLeft -= 1
    const form = this.#formsLeft < 0 ? undefined : readForm(element)
    if (form) this.forms.push(form)
  }

  #addScript({ attribs, children }: Element): void {
    const source = attribs['src']
    if (source === undefined) {
      const [text] = children
      this.#lookForAction(attribs['type'], text)
      if (text && isText(text) && this.inline.length < MAX_SCRIPTS) this.inline.push(text.data.slice(0, MAX_INLINE))
      return
    }
    const url = this.resolve(source.replace(/[?#].*$/s, ''))
    if (url !== undefined && this.scripts.length < MAX_SCRIPTS) this.scripts.push(url)
  }

  #addSettings(element: Element): void {
    const name = settingsName(element)
    if (name !== undefined && !this.settings.has(name)) this.settings.set(name, element.attribs)
  }

  #lookForAction(type: string | undefined, text: ChildNode | undefined): void {
    const isLinkedData = type !== undefined && /^\s*application\/ld\+json/i.test(type)
    if (isLinkedData && text && isText(text) && text.data.length <= MAX_LINKED_DATA)
      this.hasSearchAction ||= text.data.includes('SearchAction')
  }

  #addPage(reference: string | undefined): void {
    const url = reference === undefined ? undefined : this.resolve(reference.replace(/[?#].*$/s, ''))
    if (url !== undefined && this.searchPages.length < MAX_SEARCH_PAGES) this.searchPages.push(url)
  }
}
