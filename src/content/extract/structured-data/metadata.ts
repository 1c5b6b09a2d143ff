import { isWebUrl, MAX_URL_CHARACTERS, resolveUrl, resolveWebUrl } from '../../../base/url.js'
import {
  type ChildNode,
  type Element,
  collapse,
  isElement,
  languageOfPage,
  parentElement,
  textOf,
  walk,
} from '../../html/tree.js'
import type { ParsedPage } from '../../parse/parser.js'
import type { HtmlMetadata, PageLicenses } from '../extracted-page.js'
import { isMarkedAuthor, MarkedWorks } from './marked-works.js'
import { isName, readStructuredData, type StructuredData } from './structured-data.js'

/** Meta tags that are also stored in a field with a name of its own. @see docs/compatibility/documents.md#metadata */
const FIELD_NAMES: Readonly<Record<string, string>> = {
  'og:title': 'ogTitle',
  'og:description': 'ogDescription',
  'og:url': 'ogUrl',
  'og:image': 'ogImage',
  'og:audio': 'ogAudio',
  'og:determiner': 'ogDeterminer',
  'og:locale': 'ogLocale',
  'og:site_name': 'ogSiteName',
  'og:video': 'ogVideo',
  'article:section': 'articleSection',
  'article:tag': 'articleTag',
  'article:published_time': 'publishedTime',
  'article:modified_time': 'modifiedTime',
  'dcterms.created': 'dcTermsCreated',
  'dc.date.created': 'dcDateCreated',
  'dc.date': 'dcDate',
  'dcterms.type': 'dcTermsType',
  'dc.type': 'dcType',
  'dcterms.audience': 'dcTermsAudience',
  'dcterms.subject': 'dcTermsSubject',
  'dc.subject': 'dcSubject',
  'dc.description': 'dcDescription',
  'dcterms.keywords': 'dcTermsKeywords',
}

/**
 * Names of the HTML standard, which are the same in capital letters.
 *
 * @see https://html.spec.whatwg.org/multipage/semantics.html#standard-metadata-names
 */
const STANDARD_NAMES: ReadonlySet<string> = new Set(
  'application-name author color-scheme description generator keywords referrer robots theme-color title viewport'.split(
    ' ',
  ),
)

/**
 * Meta tags of libraries, publishers and content systems for pages whose other sources state none, in small letters. The
 * first one on a page counts.
 *
 * @see https://scholar.google.com/intl/en/scholar/inclusion.html#indexing
 */
const AUTHORS = ['citation_author', 'dcterms.creator', 'dc.creator', 'parsely-author', 'sailthru.author']
const PUBLISHED = ['citation_publication_date', 'citation_date', 'dcterms.issued', 'dc.date.issued', 'parsely-pub-date']
const MODIFIED = ['dcterms.modified', 'dc.date.modified']

const FIELDS: readonly (readonly [key: string, name: string])[] = Object.entries(FIELD_NAMES)

/** Maximum meta tags that are read. A page has some dozens. */
const MAX_META_TAGS = 2_000

/**
 * Reads a page's metadata from its title, meta tags, links in the head and structured data.
 *
 * @param warn receives a warning if the page has more meta tags than are read. @default warnings are dropped
 *
 * @see docs/compatibility/documents.md#metadata
 */
export function readMetadata(page: ParsedPage, warn: (warning: string) => void = () => undefined): HtmlMetadata {
  const sources = new MetadataSources()
  walk(page.tree.root, addSource, undefined, sources)
  return writeMetadata(sources.resolve(page.baseUrl), warn)
}

function addSource(node: ChildNode, sources: MetadataSources): boolean {
  if (!isElement(node)) return true
  sources.add(node)
  return node.name !== 'svg'
}

/** Writes the metadata of a page from all that states some. */
export function writeMetadata(found: FoundMetadata, warn: (warning: string) => void): HtmlMetadata {
  if (found.metaTags > MAX_META_TAGS) {
    warn(`The page has ${found.metaTags} meta tags: \`metadata\` has the first ${MAX_META_TAGS} of them.`)
  }
  const meta = found.meta
  const metadata: HtmlMetadata = Object.fromEntries([...meta].map(writeMeta))
  for (const [key, name] of FIELDS) {
    const value = meta.get(key)?.[0]
    if (value !== undefined) metadata[name] = value
  }
  const data = found.dataBlocks.length > 0 ? readStructuredData(found.dataBlocks) : NO_DATA
  const first = (...keys: string[]): string | undefined => keys.flatMap((key) => meta.get(key) ?? [])[0]
  const title = found.title ?? first('og:title', 'twitter:title')
  const inAnyCase = new Map(Array.from(meta, ([key, values]) => [key.toLowerCase(), values]))
  const valuesOf = (keys: readonly string[], isUsable?: typeof isName): readonly string[] | undefined =>
    keys
      .map((key) => inAnyCase.get(key)?.filter((value) => isUsable?.(value) ?? true) ?? [])
      .find((values) => values.length > 0)
  const author =
    meta.get('author')?.join(', ') ??
    data.author ??
    meta.get('article:author')?.find(isName) ??
    found.work?.author ??
    found.author ??
    joinNames(valuesOf(AUTHORS, isName))
  const publishedTime =
    first('article:published_time') ??
    data.publishedTime ??
    first('datePublished') ??
    found.work?.publishedTime ??
    valuesOf(PUBLISHED)?.[0]
  const modifiedTime =
    first('article:modified_time') ??
    data.modifiedTime ??
    first('dateModified') ??
    found.work?.modifiedTime ??
    valuesOf(MODIFIED)?.[0]
  const alternates = meta.get('og:locale:alternate')
  if (alternates) metadata['ogLocaleAlternate'] = alternates
  const { language, favicon, canonicalUrl } = found
  addFields(metadata, { title, author, publishedTime, modifiedTime, language, favicon, canonicalUrl })
  return metadata
}

const NO_DATA: StructuredData = {}

function writeMeta([key, values]: [string, string[]]): [string, string | string[]] {
  if (JOINED.has(key)) return [key, values.join(', ')]
  return [key, values.length === 1 ? (values[0] ?? '') : values]
}

const JOINED = new Set(['description', 'author', 'title'])

/** Adds the fields that are not empty. */
function addFields(metadata: HtmlMetadata, fields: Readonly<Record<string, string | undefined>>): void {
  for (const name in fields) {
    const value = fields[name]
    if (value !== undefined && value !== '') metadata[name] = value
  }
}

/** Joins names. In the catalogues of libraries, a name has a comma itself: `Byron, Ada`. */
const joinNames = (names: readonly string[] | undefined): string | undefined =>
  names?.join(names.some((name) => name.includes(',')) ? '; ' : ', ')

/** Facts that a page states about itself, as written. */
interface FoundMetadata {
  title?: string
  language?: string
  favicon?: string
  canonicalUrl?: string
  /** Text of a link to the author. */
  author?: string
  /** Author and dates in microdata. */
  work?: StructuredData
  readonly meta: Map<string, string[]>
  /** Number of meta tags on the page, read or not. */
  metaTags: number
  /** JSON-LD blocks as written. */
  readonly dataBlocks: string[]
  readonly licenses: { url: string; type: string }[]
  readonly rsl: string[]
}

/** Returns the licences of a page; undefined if it names none. */
export const licensesOf = ({ licenses, rsl }: FoundMetadata): PageLicenses | undefined =>
  licenses.length + rsl.length === 0 ? undefined : { links: licenses, rsl }

/** Maximum licences of a page to read, and maximum characters of one in the page. */
const MAX_LICENSES = 20
const MAX_RSL_CHARACTERS = 65_536
/** Maximum characters of the media type of a link to read. */
const MAX_TYPE_CHARACTERS = 200

/** Collects the sources of a page's metadata. */
export class MetadataSources {
  readonly #found: FoundMetadata = { meta: new Map(), metaTags: 0, dataBlocks: [], licenses: [], rsl: [] }
  /** Links to the canonical page and to icons. Their addresses are resolved when the base URL is known. */
  readonly #links: Element[] = []
  /** Made for a page with microdata. */
  #works: MarkedWorks | undefined
  /** Language that a meta tag states in place of an HTTP header. */
  #contentLanguage: string | undefined

  /** Adds an element with its contents. The elements of a page must come in document order, without those in `svg`. */
  add(element: Element): void {
    const { name, attribs } = element
    const found = this.#found
    if (attribs['itemprop'] !== undefined || attribs['itemscope'] !== undefined)
      (this.#works ??= new MarkedWorks()).add(element)
    if (name === 'html') setOnce(found, 'language', languageOfPage(element))
    else if (name === 'title' && parentElement(element)?.name !== 'svg')
      setOnce(found, 'title', collapse(textOf(element)))
    else if (name === 'meta') {
      found.metaTags += 1
      if (found.metaTags > MAX_META_TAGS) return
      addMeta(found.meta, attribs)
      if (attribs['http-equiv']?.toLowerCase() === 'content-language')
        this.#contentLanguage ??= oneLanguage(attribs['content'])
    } else if (name === 'script') {
      if (isDataBlock(element)) found.dataBlocks.push(textOf(element))
      else if (isRslBlock(element)) this.#addRsl(textOf(element))
    } else if (attribs['rel'] !== undefined) this.#addRelated(element)
  }

  /** Adds a link that states what it leads to. */
  #addRelated(element: Element): void {
    const { name, attribs } = element
    const found = this.#found
    if (isLicenseLink(element) && found.licenses.length < MAX_LICENSES) this.#addLicense(attribs)
    else if (isAuthorLink(element)) setOnce(found, 'author', collapse(textOf(element)))
    else if (name === 'link' && RELATION.test(attribs['rel'] ?? '')) this.#links.push(element)
  }

  /** Returns all that was found. */
  resolve(baseUrl: string): FoundMetadata {
    const found = this.#found
    let anyIcon: string | undefined
    for (const { attribs } of this.#links) {
      const rel = attribs['rel'] ?? ''
      const href = absolute(attribs['href'], baseUrl)
      if (hasWord(rel, 'canonical')) setOnce(found, 'canonicalUrl', href)
      if (/^(?:shortcut )?icon$/i.test(rel.trim())) setOnce(found, 'favicon', href)
      else if (/icon/i.test(rel)) anyIcon ??= href
    }
    setOnce(found, 'favicon', anyIcon)
    setOnce(found, 'language', this.#contentLanguage)
    const work = this.#works?.read()
    if (work !== undefined) found.work = work
    const licenses = found.licenses.splice(0).flatMap(({ url, type }) => {
      const resolved = resolveWebUrl(url, baseUrl)
      return resolved ? [{ url: resolved.href, type }] : []
    })
    found.licenses.push(...licenses)
    return found
  }

  #addLicense({ href, type = '' }: Readonly<Record<string, string>>): void {
    // Resolved when the base URL is known.
    const isUsable = href !== undefined && href.length <= MAX_URL_CHARACTERS
    if (isUsable)
      this.#found.licenses.push({ url: href, type: type.slice(0, MAX_TYPE_CHARACTERS).trim().toLowerCase() })
  }

  #addRsl(text: string): void {
    const { rsl } = this.#found
    if (rsl.length < MAX_LICENSES && text.length <= MAX_RSL_CHARACTERS) rsl.push(text)
  }
}

/** Relations of links that are metadata. */
const RELATION = /canonical|icon/i

const isDataBlock = ({ name, attribs }: Element): boolean =>
  name === 'script' && /^application\/ld\+json/i.test(attribs['type'] ?? '')

/** @see RSL 1.0 section 4, association in HTML */
const isRslBlock = ({ name, attribs }: Element): boolean =>
  name === 'script' && /^application\/rsl\+xml/i.test(attribs['type'] ?? '')

const isLicenseLink = ({ name, attribs }: Element): boolean =>
  (name === 'link' || name === 'a') && hasWord(attribs['rel'], 'license')

const isAuthorLink = ({ name, attribs }: Element): boolean => name === 'a' && hasWord(attribs['rel'], 'author')

/** True for an element whose text {@link MetadataSources.add} reads. */
export const hasMetadataText = (element: Element): boolean =>
  element.name === 'title' ||
  isDataBlock(element) ||
  isRslBlock(element) ||
  isAuthorLink(element) ||
  isMarkedAuthor(element)

type Single = 'title' | 'language' | 'favicon' | 'canonicalUrl' | 'author'

function setOnce(found: FoundMetadata, key: Single, value: string | undefined): void {
  if (found[key] === undefined && value !== undefined && value.trim() !== '') found[key] = value.trim()
}

function addMeta(meta: Map<string, string[]>, attribs: Readonly<Record<string, string>>): void {
  const key = attribs['name'] ?? attribs['property'] ?? attribs['itemprop']
  const content = attribs['content']
  if (key === undefined || key.trim() === '' || content === undefined || content === '') return
  const lower = key.trim().toLowerCase()
  const known = STANDARD_NAMES.has(lower) || Object.hasOwn(FIELD_NAMES, lower) ? lower : key.trim()
  const values = meta.get(known)
  if (values === undefined) meta.set(known, [content])
  else values.push(content)
}

/** @see https://html.spec.whatwg.org/multipage/semantics.html#attr-meta-http-equiv-content-language */
function oneLanguage(list: string | undefined): string | undefined {
  const [language] = list === undefined || list.includes(',') ? [] : list.trim().split(/\s+/, 1)
  // Some pages state the name of a language there, or an encoding.
  return language !== undefined && LANGUAGE.test(language) ? language : undefined
}

/** A language tag. @see https://www.rfc-editor.org/rfc/rfc5646 */
const LANGUAGE = /^[a-z]{2,3}(?:[-_][a-z\d]{2,8})*$/i

const hasWord = (list: string | undefined, word: string): boolean =>
  list !== undefined && list.toLowerCase().split(/\s+/).includes(word)

function absolute(href: string | undefined, base: string): string | undefined {
  const url = href === undefined || href.trim() === '' ? undefined : resolveUrl(href, base)
  return url !== undefined && (isWebUrl(url) || url.protocol === 'data:') ? url.href : undefined
}
