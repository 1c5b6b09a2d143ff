import { Parser } from 'htmlparser2'
import type { Alternate } from './sitemap-finding.js'
import { MAX_URL_CHARACTERS } from '../../base/url.js'
import type { ItemList, SitemapFormat, SitemapReader } from './sitemap-item.js'
import { ownValue } from '../../base/collections/own-value.js'

/** Root elements of sitemaps, with the elements of their entries. */
const formats: Readonly<Record<SitemapFormat, Readonly<Record<string, 'page' | 'sitemap'>>>> = {
  urlset: { url: 'page', sitemap: 'sitemap' },
  sitemapindex: { sitemap: 'sitemap', url: 'page' },
  rss: { item: 'page' },
  rdf: { item: 'page' },
  feed: { entry: 'page' },
  text: {},
}

/** Child elements of an entry, in order of preference. */
const urlFields = ['loc', 'link', 'guid']
const dateFields = ['lastmod', 'pubdate', 'date', 'updated', 'published', 'modified', 'issued']
const fields: ReadonlySet<string> = new Set([...urlFields, ...dateFields])

// Sitemaps and feeds are a few levels deep, and htmlparser2 takes time quadratic in the depth.
const MAX_DEPTH = 64
const MAX_ALTERNATES = 1000

type Attributes = Readonly<Record<string, string | undefined>>

interface Entry {
  readonly kind: 'page' | 'sitemap'
  readonly prefix: string
  readonly depth: number
  readonly texts: Map<string, string>
  readonly alternates: Alternate[]
  /** True when an element in it was not closed. */
  isCut: boolean
}

/**
 * Creates a reader of XML sitemaps, sitemap indexes, RSS (0.9 to 2.0) and Atom, with any namespace prefixes.
 *
 * It uses a streaming tokenizer that expands only the five entities of XML; a file that declares others is refused.
 * Malformed markup is skipped: an entry counts once its URL is complete.
 *
 * @see https://www.sitemaps.org/protocol.html, RFC 4287
 */
export const readXmlSitemap = (list: ItemList): SitemapReader => new XmlSitemapReader(list)

class XmlSitemapReader implements SitemapReader {
  readonly #list: ItemList
  readonly #parser: Parser
  #format: SitemapFormat | undefined
  #entry: Entry | undefined
  #field: { name: string; text: string } | undefined
  #depth = 0
  #openedAt = -1
  #unclosed: string | undefined
  #isDone = false

  constructor(list: ItemList) {
    this.#list = list
    this.#parser = new Parser(
      {
        onprocessinginstruction: (_name, data) => {
          if (declaresEntities(data)) this.#stop('declares entities, which are not expanded')
        },
        onopentag: (name, attributes) => this.#open(name, attributes),
        ontext: (data) => {
          const field = this.#field
          if (field && field.text.length <= MAX_URL_CHARACTERS) field.text += data
        },
        onclosetag: (name, isImplied) => this.#close(name, isImplied),
      },
      { xmlMode: true, lowerCaseTags: true, lowerCaseAttributeNames: true },
    )
  }

  get isDone(): boolean {
    return this.#isDone
  }

  write(text: string): void {
    this.#parser.write(text)
  }

  end(): void {
    this.#parser.end()
    const unclosed = this.#unclosed
    if (this.#format === undefined) this.#stop('is no sitemap: it has no element')
    else if (unclosed !== undefined) this.#list.addProblem(`is broken XML: <${unclosed.slice(0, 100)}> is not closed`)
  }

  #stop(problem: string): void {
    this.#isDone = true
    this.#parser.pause()
    this.#list.addProblem(problem)
  }

  #open(name: string, attributes: Attributes): void {
    this.#openedAt = this.#parser.endIndex
    this.#depth++
    if (this.#depth > MAX_DEPTH) return this.#stop(`has elements more than ${MAX_DEPTH} deep`)
    const { prefix, local } = splitName(name)
    if (this.#format === undefined) {
      if (!isFormat(local)) return this.#stop(`is no sitemap: its root element is <${name.slice(0, 100)}>`)
      this.#format = local
      return this.#list.addFormat(local)
    }
    const kind = ownValue(formats[this.#format], local)
    if (kind) {
      // An unclosed entry ends where the next one begins.
      this.#finishEntry()
      this.#entry = { kind, prefix, depth: this.#depth, texts: new Map(), alternates: [], isCut: false }
    } else if (this.#entry && this.#depth === this.#entry.depth + 1) {
      if (local === 'link') readLink(this.#entry, this.#format, attributes)
      const isOwn = prefix === this.#entry.prefix || local === 'date'
      const isLink = local !== 'guid' || attributes['ispermalink'] !== 'false'
      if (isOwn && isLink && fields.has(local)) this.#field = { name: local, text: '' }
    }
  }

  #close(name: string, isImplied: boolean): void {
    const entry = this.#entry
    const field = this.#field
    // htmlparser2 also reports the end of `<a/>` as implied.
    const isCut = isImplied && this.#parser.endIndex !== this.#openedAt
    if (isCut) {
      this.#unclosed ??= name
      if (entry) entry.isCut = true
    }
    if (entry && field && this.#depth === entry.depth + 1) {
      const text = field.text.trim()
      // A truncated URL would name a page that does not exist.
      if (!isCut && text !== '' && !entry.texts.has(field.name)) entry.texts.set(field.name, text)
      this.#field = undefined
    }
    if (entry && this.#depth === entry.depth) this.#finishEntry()
    this.#depth--
  }

  #finishEntry(): void {
    if (!this.#entry) return
    const { kind, texts, alternates, isCut } = this.#entry
    this.#entry = undefined
    const [href] = urlFields.flatMap((name) => texts.get(name) ?? [])
    // `end` reports the unclosed element once for the whole file.
    if (href === undefined && isCut) return
    const [lastmod] = dateFields.flatMap((name) => readDate(texts.get(name) ?? '') ?? [])
    this.#list.addEntry(kind, href ?? '', { lastmod, alternates })
  }
}

/** Maximum characters of a declaration to search, which may be 50 MiB long. Entities are not expanded in any case. */
const DECLARATION_CHARACTERS = 65_536

const declaresEntities = (declaration: string): boolean =>
  /^!entity|<!entity/i.test(declaration.slice(0, DECLARATION_CHARACTERS))

/** Maximum characters of a language tag. */
const MAX_LANGUAGE_CHARACTERS = 100

/** Reads a link in an attribute: the page of an Atom entry, or `xhtml:link`, a page in another language. */
function readLink(
  { texts, alternates }: Entry,
  format: SitemapFormat,
  { rel = 'alternate', href, hreflang }: Attributes,
): void {
  if (rel !== 'alternate' || href === undefined) return
  if (format === 'feed') {
    if (!texts.has('link')) texts.set('link', href.trim())
  } else if (
    hreflang !== undefined &&
    hreflang.length <= MAX_LANGUAGE_CHARACTERS &&
    alternates.length < MAX_ALTERNATES
  ) {
    alternates.push({ hreflang, url: href })
  }
}

const isFormat = (name: string): name is SitemapFormat => name !== 'text' && Object.hasOwn(formats, name)

function splitName(name: string): { prefix: string; local: string } {
  const colon = name.lastIndexOf(':')
  return { prefix: name.slice(0, Math.max(colon, 0)), local: name.slice(colon + 1) }
}

const w3cDate =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,3})\d*)?)?\s?(?:Z|([+-]\d\d):?(\d\d)?)?)?)?)?$/i

const mailDate = /^(?:[a-z]{3,9},?\s+)?\d{1,2}[\s-]+[a-z]{3,9}[\s-]+\d{2,4}\b/i

/**
 * Converts a date of a sitemap or a feed to an ISO string in UTC; undefined when it is not a date.
 *
 * Missing parts are the earliest possible, and a time without a zone is UTC, never the host's own zone.
 *
 * @see W3C NOTE-datetime, RFC 3339 (Atom), RFC 822 section 5 (RSS)
 */
export function readDate(text: string): string | undefined {
  const written = text.trim().slice(0, 100)
  const w3c = w3cDate.exec(written)
  if (w3c) {
    const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00', fraction = '0'] = w3c
    const zone = w3c[8] === undefined ? 'Z' : `${w3c[8]}:${w3c[9] ?? '00'}`
    return toIso(`${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0')}${zone}`)
  }
  if (!mailDate.test(written)) return undefined
  return toIso(/\s\(?(?:[a-z]{1,4}|[+-]\d{4})\)?$/i.test(written) ? written : `${written} GMT`)
}

function toIso(text: string): string | undefined {
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
