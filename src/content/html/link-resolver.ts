import { isWebUrl, parseUrl, resolveUrl } from '../../base/url.js'
import { CharacterBudget } from './document-limits.js'

/** Fragments that are the same in a serialized URL. */
const PLAIN_FRAGMENT = /^#[\w.~!$&'()*+,;=:@/?%-]*$/

/** Paths that need no parser: below the page's folder, a folder above it, or the root, of names that stay as they are. */
const PLAIN_PATH = /^(?:\/|(?:\.\.\/)*)[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/

/** The parts of a URL that readers of links need. */
interface Address {
  readonly href: string
  readonly protocol: string
}

/**
 * Resolves the links of a page, for all that read them. Nine in ten links of a manual lead to fragments of a few pages, so
 * each page is resolved once.
 */
export class LinkResolver {
  readonly #baseUrl: string
  readonly #folder: Folder | undefined
  readonly #pages = new Map<string, Address | undefined>()
  readonly #budget: CharacterBudget
  /** Links that were not resolved, because the budget was spent. */
  readonly #refused = new Set<string>()

  /**
   * @param mostAdded maximum number of characters by which the addresses of all pages together are longer than the page writes
   * them. @default none
   */
  constructor(baseUrl: string, mostAdded = Infinity) {
    this.#baseUrl = baseUrl
    this.#folder = findFolder(baseUrl)
    this.#budget = new CharacterBudget(mostAdded)
  }

  /** Tests for a link that was not resolved, because the addresses before it were too long. */
  isRefused(href: string): boolean {
    const at = href.indexOf('#')
    return this.#refused.size > 0 && (this.#refused.has(href) || (at !== -1 && this.#refused.has(href.slice(0, at))))
  }

  /** Resolves a link; undefined if it is not a URL. */
  resolve(href: string): string | undefined {
    const at = href.indexOf('#')
    if (at === -1) return this.resolvePage(href)?.href
    const fragment = href.slice(at)
    const name = href.slice(0, at)
    // White space is dropped at the end of a link only.
    const page = PLAIN_FRAGMENT.test(fragment) && name.trimEnd() === name ? this.resolvePage(name) : undefined
    if (page === undefined && this.isRefused(name)) return undefined
    if (page === undefined || !isWebUrl(page)) return resolveUrl(href, this.#baseUrl)?.href
    // Not joined anew where it is absolute already.
    return page.href === name ? href : page.href + fragment
  }

  /** Resolves a link without a fragment, or with one that is a route. */
  resolvePage(name: string): Address | undefined {
    const known = this.#pages.get(name)
    if (known !== undefined || this.#pages.has(name)) return known
    const folder = this.#folder
    const resolved = folder && PLAIN_PATH.test(name) ? joinPath(folder, name) : resolveUrl(name, this.#baseUrl)
    const isKept = resolved === undefined || this.#budget.take(resolved.href.length - name.length)
    const url = isKept ? resolved : undefined
    if (!isKept) this.#refused.add(name)
    this.#pages.set(name, url)
    // The links of the content are resolved before formats read them.
    if (url !== undefined && isWebUrl(url)) this.#pages.set(url.href, url)
    return url
  }
}

/** Makes addresses absolute in one part of a document. */
export class AddressWriter {
  readonly #resolver: LinkResolver
  readonly #budget: CharacterBudget
  #refused = 0

  /** @param mostAdded maximum number of characters by which all addresses together become longer */
  constructor(resolver: LinkResolver, mostAdded: number) {
    this.#resolver = resolver
    this.#budget = new CharacterBudget(mostAdded)
  }

  /** Number of addresses that were not made absolute, because the part would become too long. */
  get leftOut(): number {
    return this.#budget.leftOut + this.#refused
  }

  /** Returns the absolute address; as it is written if it is not a URL, or if too many characters would be added. */
  write(address: string): string {
    const resolved = this.#resolver.resolve(address)
    if (resolved === undefined) {
      if (this.#resolver.isRefused(address)) this.#refused += 1
      return address
    }
    return this.#budget.take(resolved.length - address.length) ? resolved : address
  }
}

/** The folder of a page, to which its relative links are added. */
interface Folder {
  /** URL with the `/` at its end. */
  readonly href: string
  readonly protocol: string
  /** Length of the URL of its root. Characters. */
  readonly rootLength: number
}

/** Returns the folder of a web page; undefined for other URLs, whose paths have rules of their own. */
function findFolder(baseUrl: string): Folder | undefined {
  const base = parseUrl('.', baseUrl)
  if (base === undefined || !isWebUrl(base)) return undefined
  const { href, protocol, pathname } = base
  return { href, protocol, rootLength: href.length - pathname.length + 1 }
}

/** Resolves a {@link PLAIN_PATH} as the parser would, in a sixth of its time. */
function joinPath({ href, protocol, rootLength }: Folder, path: string): Address {
  if (path.startsWith('/')) return { href: href.slice(0, rootLength) + path.slice(1), protocol }
  let from = 0
  let length = href.length
  for (; path.startsWith('../', from); from += 3) {
    if (length > rootLength) length = href.lastIndexOf('/', length - 2) + 1
  }
  return { href: href.slice(0, length) + path.slice(from), protocol }
}
