import { type Element, isText } from '../../html/tree.js'
import type { LinkResolver } from '../../html/link-resolver.js'
import type { IndexMarkup } from '../site-index.js'

/** Maximum numbers of elements of each kind that are kept. */
const MAX_SCRIPTS = 200
const MAX_SEARCH_PAGES = 20
/** Beginning of a script that is searched for the name of an index. Characters. */
const MAX_INLINE = 4000

/** Ids and names of elements that hold the settings of a site's scripts in their attributes. */
const SETTINGS: ReadonlySet<string> = new Set(['rustdoc-vars'])

/** The id or name of an element that holds the settings of a site's scripts; undefined for other elements. */
export function settingsName({ attribs }: Element): string | undefined {
  return [attribs['id'], attribs['name']].find((name) => name !== undefined && SETTINGS.has(name))
}

/** Collects the parts of a page that name a search index, from its elements in document order. */
export class MarkupReader implements IndexMarkup {
  readonly scripts: string[] = []
  readonly inline: string[] = []
  readonly searchPages: string[] = []
  readonly settings = new Map<string, Readonly<Record<string, string>>>()
  readonly #resolver: LinkResolver

  constructor(resolver: LinkResolver) {
    this.#resolver = resolver
  }

  readonly resolve = (reference: string): string | undefined => this.#resolver.resolvePage(reference)?.href

  /** Adds an element; those without a say are left out. */
  add(element: Element): void {
    const { name, attribs } = element
    if (name === 'script') this.#addScript(element)
    else if (name === 'link' && /^\s*(?:search|index)\s*$/i.test(attribs['rel'] ?? '')) this.#addPage(attribs['href'])
    else if (name === 'form' && attribs['action'] !== undefined) this.#addPage(attribs['action'])
    else if (name === 'meta' || name === 'div') this.#addSettings(element)
  }

  #addScript({ attribs, children }: Element): void {
    const source = attribs['src']
    if (source === undefined) {
      const [text] = children
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

  #addPage(reference: string | undefined): void {
    const url = reference === undefined ? undefined : this.resolve(reference.replace(/[?#].*$/s, ''))
    if (url !== undefined && this.searchPages.length < MAX_SEARCH_PAGES) this.searchPages.push(url)
  }
}
