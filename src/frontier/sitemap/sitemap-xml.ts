import { Parser } from 'htmlparser2'
import { readDate } from './sitemap-date.js'
import type { Alternate } from './sitemap-finding.js'
import { type ItemList, type SitemapFormat, type SitemapReader, longestUrl } from './sitemap-item.js'
import { ownValue } from '../../collections/own-value.js'

/** The root elements that make a file a sitemap, and what their entries are. */
const formats: Readonly<Record<SitemapFormat, Readonly<Record<string, 'page' | 'sitemap'>>>> = {
  urlset: { url: 'page', sitemap: 'sitemap' },
  sitemapindex: { sitemap: 'sitemap', url: 'page' },
  rss: { item: 'page' },
  rdf: { item: 'page' },
  feed: { entry: 'page' },
  text: {},
}

/** What is read of an entry's children, in the order in which one stands in for another. */
const urlFields = ['loc', 'link', 'guid']
const dateFields = ['lastmod', 'pubdate', 'date', 'updated', 'published', 'modified', 'issued']
const fields: ReadonlySet<string> = new Set([...urlFields, ...dateFields])

// Sitemaps and feeds are a few levels deep, and htmlparser2 takes time quadratic in depth.
const DEEPEST = 64
const MAX_ALTERNATES = 1000

interface Entry {
  readonly kind: 'page' | 'sitemap'
  readonly prefix: string
  readonly depth: number
  readonly texts: Map<string, string>
  readonly alternates: Alternate[]
  /** Something in it was not closed. */
  isCut: boolean
}

/**
 * Reads an XML sitemap, a sitemap index, RSS (0.9 to 2.0) or Atom, element names in any namespace prefix.
 *
 * A streaming tokenizer that knows the five entities of XML and expands no others; a file that declares some is refused.
 * What is malformed is passed over: an entry counts once its URL was read to its end.
 *
 * @see https://www.sitemaps.org/protocol.html, RFC 4287
 */
export function readXmlSitemap(list: ItemList): SitemapReader {
  let format: SitemapFormat | undefined
  let entry: Entry | undefined
  let field: { name: string; text: string } | undefined
  let depth = 0
  let openedAt = -1
  let unclosed: string | undefined
  let isDone = false

  const stop = (problem: string): void => {
    isDone = true
    parser.pause()
    list.addProblem(problem)
  }
  const finishEntry = (): void => {
    if (!entry) return
    const { kind, texts, alternates, isCut } = entry
    entry = undefined
    const [href] = urlFields.flatMap((name) => texts.get(name) ?? [])
    // That something is broken is said once.
    if (href === undefined && isCut) return
    const [lastmod] = dateFields.flatMap((name) => readDate(texts.get(name) ?? '') ?? [])
    list.addEntry(kind, href ?? '', { lastmod, alternates })
  }

  const parser = new Parser(
    {
      onprocessinginstruction(_name, data) {
        if (declaresEntities(data)) stop('declares entities, which are not expanded')
      },
      onopentag(name, attributes) {
        openedAt = parser.endIndex
        depth++
        if (depth > DEEPEST) return stop(`has elements more than ${DEEPEST} deep`)
        const { prefix, local } = splitName(name)
        if (format === undefined) {
          if (!isFormat(local)) return stop(`is no sitemap: its root element is <${name.slice(0, 100)}>`)
          format = local
          return list.addFormat(format)
        }
        const kind = ownValue(formats[format], local)
        if (kind) {
          // One that was not closed has said what it had to say.
          finishEntry()
          entry = { kind, prefix, depth, texts: new Map(), alternates: [], isCut: false }
        } else if (entry && depth === entry.depth + 1) {
          if (local === 'link') readLink(entry, format, attributes)
          const isOwn = prefix === entry.prefix || local === 'date'
          const isLink = local !== 'guid' || attributes['ispermalink'] !== 'false'
          if (isOwn && isLink && fields.has(local)) field = { name: local, text: '' }
        }
      },
      ontext(data) {
        if (field && field.text.length <= longestUrl) field.text += data
      },
      onclosetag(name, isImplied) {
        // htmlparser2 calls the end of `<a/>` implied too.
        const isCut = isImplied && parser.endIndex !== openedAt
        if (isCut) {
          unclosed ??= name
          if (entry) entry.isCut = true
        }
        if (entry && field && depth === entry.depth + 1) {
          const text = field.text.trim()
          // Half a URL would name a page that is not there.
          if (!isCut && text !== '' && !entry.texts.has(field.name)) entry.texts.set(field.name, text)
          field = undefined
        }
        if (entry && depth === entry.depth) finishEntry()
        depth--
      },
    },
    { xmlMode: true, lowerCaseTags: true, lowerCaseAttributeNames: true },
  )
  return {
    get isDone() {
      return isDone
    },
    write: (text) => parser.write(text),
    end() {
      parser.end()
      if (format === undefined) stop('is no sitemap: it has no element')
      else if (unclosed !== undefined) list.addProblem(`is broken XML: <${unclosed.slice(0, 100)}> is not closed`)
    },
  }
}

/** Characters of a declaration that are looked at: a file may be one of 50 MiB, and no entity is expanded anyway. */
const DECLARATION_CHARACTERS = 65_536

const declaresEntities = (declaration: string): boolean =>
  /^!entity|<!entity/i.test(declaration.slice(0, DECLARATION_CHARACTERS))

/** The longest name of a language that is kept. */
const MAX_LANGUAGE_CHARACTERS = 100

/** A link that is an attribute: an Atom entry's page, or `xhtml:link`, a sitemap's page in another language. */
function readLink(
  { texts, alternates }: Entry,
  format: SitemapFormat,
  { rel = 'alternate', href, hreflang }: Readonly<Record<string, string | undefined>>,
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
