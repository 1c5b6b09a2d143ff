import { Parser } from 'htmlparser2'
import { Document, Element, Text, append, collapse, isElement, textOf, walk } from '../../html/tree.js'
import { type FeedEnclosure, type FeedEntry, makeFeedPage } from './feed-page.js'
import { CharacterBudget, limitDocument, limitWarning } from '../../html/document-limits.js'
import { resolveUrl } from '../../../base/url.js'
import { buildTree } from '../html/build-tree.js'
import { expandEntities } from '../html/expand-entities.js'
import { loadTree } from '../html/load-tree.js'
import type { ParserInput, ParsedPage, ParsePlan } from '../parser.js'
import { stripTags } from '../html/strip-tags.js'
import { treeToText } from '../html/tree-text.js'

// Maximum nesting of a feed. Real feeds have a few levels, and htmlparser2 takes quadratic time in the depth.
const MAX_DEPTH = 64

/** Matches the namespace of a feed. */
const FEED_NAMESPACE = /http:\/\/(?:www\.w3\.org\/2005\/Atom|purl\.org\/(?:atom|rss)\b)/

/** Maximum length of the start of a feed in which its namespace is, in characters. */
const MAX_START = 10_000

/**
 * Reads an RSS or Atom feed as a page, of one that is too long its first entries. Undefined if its XML has no root element, is
 * too deep, or is no feed: other files have the same root elements.
 *
 * @see https://www.rfc-editor.org/rfc/rfc4287, https://www.rssboard.org/rss-specification
 */
export function readFeed(input: ParserInput, text: string, plan: ParsePlan): ParsedPage | undefined {
  const start = startOf(text, plan.maxHtmlBytes)
  const read = readXml(expandEntities(start), plan.maxNodes)
  if (read === undefined) return undefined
  const { root } = read
  const channel = child(root, 'channel') ?? root
  const found = [...children(channel), ...children(root)].filter(
    ({ name }) => isNamed(name, 'item') || isNamed(name, 'entry'),
  )
  const limits = limitDocument(input.body.length, plan.maxDocumentLength)
  const budget = new CharacterBudget(limits.added)
  const base = baseOf(channel, baseOf(root, { page: input.url, budget }))
  const facts = {
    title: titleOf(channel),
    description: shownText(child(channel, 'description')) || shownText(child(channel, 'subtitle')),
    home: resolveFrom(base, linkOf(channel)),
  }
  const entries = [...new Set(found)].map((entry) => readEntry(entry, base))
  const isFeed = isNamed(root.name, 'rss') || FEED_NAMESPACE.test(text.slice(0, MAX_START))
  if (!isFeed && !entries.some(({ title, href, body }) => title !== '' || href !== '' || body !== '')) return undefined
  const isWhole = start.length === text.length
  const warnings = isWhole ? (read.isCutOff ? [CUT_OFF] : []) : [TOO_LONG]
  const page = makeFeedPage(input, text, facts, { entries, plan, warnings, isWhole, budget })
  if (budget.leftOut === 0 || page === undefined) return page
  const warning = limitWarning(
    budget.leftOut,
    'addresses of the feed stay as it writes them, not absolute',
    limits.part,
  )
  return { ...page, warnings: [...page.warnings, warning] }
}

const CUT_OFF = 'The feed is cut off: its last entries may be missing.'
const TOO_LONG = 'The feed is longer than can be read: its last entries were left out.'

/** Returns the entries that end before a position, or the whole text if it is shorter. */
function startOf(text: string, end: number): string {
  if (text.length <= end) return text
  const last = Math.max(...['</item>', '</entry>'].map((tag) => text.lastIndexOf(tag, end)))
  return text.slice(0, last === -1 ? end : text.indexOf('>', last) + 1)
}

/** Base for resolving URLs: the declared one (`xml:base`), otherwise the URL of the feed. */
interface AddressScope {
  readonly page: string
  readonly declared?: string
  /** Characters that absolute addresses may still add. */
  readonly budget: CharacterBudget
}

/** Applies an element's `xml:base`. @see https://www.rfc-editor.org/rfc/rfc4287#section-2 */
function baseOf(element: Element | undefined, outer: AddressScope): AddressScope {
  const own = element?.attribs['xml:base']
  const url = own === undefined ? undefined : resolveUrl(own, outer.declared ?? outer.page)
  if (url === undefined || !outer.budget.take(url.href.length)) return outer
  return { ...outer, declared: url.href }
}

function resolveFrom({ declared, budget }: AddressScope, href: string): string {
  const url = declared === undefined || href === '' ? undefined : resolveUrl(href, declared)?.href
  return url !== undefined && budget.take(url.length - href.length) ? url : href
}

/**
 * Returns the text of an element as a reader shows it, without markup. Its `type` may declare it to be HTML. RSS
 * declares no type: text that still has entities after XML decoding is decoded again, because programs write
 * `AT&amp;amp;T`.
 *
 * @see https://www.rfc-editor.org/rfc/rfc4287#section-3.1.1
 */
function shownText(element: Element | undefined): string {
  if (element === undefined) return ''
  const text = writtenIn(element)
  const type = element.attribs['type']?.toLowerCase()
  if (type === 'html' || type === 'text/html') return textOfHtml(text)
  return type === undefined && ENTITY.test(text) ? textOfHtml(text.replaceAll('<', '&lt;')) : text
}

/** Returns the text of an element. Some programs escape the CDATA section as well: it then stands in the text. */
function writtenIn(element: Element): string {
  const text = textOf(element)
  const trimmed = text.trim()
  return trimmed.startsWith(CDATA) && trimmed.endsWith(CDATA_END)
    ? trimmed.slice(CDATA.length, -CDATA_END.length)
    : text
}

const [CDATA, CDATA_END] = ['<![CDATA[', ']]>']

const ENTITY = /&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});/i

/** The beginning of HTML that a program has escaped twice. */
const ESCAPED_TWICE = /^&lt;(?:p|div|b|i|a|em|strong|span|ul|ol|table|h[1-6]|img|br|blockquote)\b/i
const HAS_TAG = /<\/?[a-z]/i

/** Maximum length of HTML that a tree is built of, in characters; titles and descriptions are short. */
const MAX_HTML = 100_000

/** Returns the text of HTML, with its entities decoded. */
function textOfHtml(html: string): string {
  if (html.length > MAX_HTML) return stripTags(html)
  const { body } = buildTree(html, { maxDepth: MAX_DEPTH, maxNodes: MAX_HTML, isXml: false })
  return treeToText(body) ?? stripTags(html)
}

const titleOf = (element: Element): string => shownText(child(element, 'title'))

/** Elements with the text of an entry, most complete first. */
const BODIES: readonly string[] = ['encoded', 'content', 'description', 'summary']

/**
 * Returns the HTML of an entry, which is escaped in most feeds and inline in others.
 *
 * @see https://www.rfc-editor.org/rfc/rfc4287#section-3.1.1.3
 */
function bodyOf(element: Element | undefined): string {
  if (element === undefined) return ''
  if (!element.children.some(isElement)) {
    const text = writtenIn(element)
    if (element.attribs['type'] === 'text') return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
    return ESCAPED_TWICE.test(text.trimStart()) && !HAS_TAG.test(text) ? textOfHtml(text) : text
  }
  walk(element, (node) => {
    if (isElement(node)) node.name = node.name.slice(node.name.indexOf(':') + 1)
  })
  return loadTree(new Document([])).$.html(element.children)
}

function readEntry(entry: Element, outer: AddressScope): FeedEntry {
  const author = child(entry, 'author')
  const base = baseOf(entry, outer)
  const group = children(entry).find(({ name }) => name === 'media:group')
  const written = [entry, ...(group ? [group] : [])]
    .flatMap((element) => BODIES.map((name) => child(element, name)))
    .find((element) => element?.name !== 'media:content' && bodyOf(element).trim() !== '')
  const { declared: baseUrl } = baseOf(written, base)
  return {
    title: titleOf(entry),
    href: resolveFrom(base, linkOf(entry) || permalinkOf(entry)),
    date: collapse(
      childText(entry, 'pubDate') ||
        childText(entry, 'published') ||
        childText(entry, 'updated') ||
        childText(entry, 'date'),
    ),
    author: collapse((author && (childText(author, 'name') || textOf(author))) || childText(entry, 'creator')),
    body: bodyOf(written),
    baseUrl,
    enclosures: children(entry).flatMap((element) =>
      element.name === 'media:group'
        ? children(element).flatMap((inner) => readEnclosure(inner) ?? [])
        : (readEnclosure(element) ?? []),
    ),
  }
}

/** Reads an enclosure: an element in RSS and Media RSS, a link in Atom. */
function readEnclosure({ name, attribs }: Element): FeedEnclosure | undefined {
  const isEnclosure =
    isNamed(name, 'enclosure') || name === 'media:content' || (isNamed(name, 'link') && attribs['rel'] === 'enclosure')
  if (!isEnclosure) return undefined
  return { href: (attribs['url'] ?? attribs['href'] ?? '').trim(), type: attribs['type'] ?? '' }
}

/** Returns the URL of the page of a feed or entry; other links lead to the feed itself or to attachments. */
function linkOf(element: Element): string {
  const links = children(element).filter(({ name }) => isNamed(name, 'link'))
  const relationOf = ({ attribs }: Element): string => attribs['rel'] ?? 'alternate'
  const link = links.find((one) => relationOf(one) === 'alternate') ?? links.find((one) => relationOf(one) === 'via')
  return (link?.attribs['href'] ?? (link === undefined ? '' : textOf(link))).trim()
}

/** Returns the URL of an RSS entry that has it only as its `guid`. */
function permalinkOf(entry: Element): string {
  const guid = child(entry, 'guid')
  const text = guid === undefined || guid.attribs['isPermaLink'] === 'false' ? '' : textOf(guid).trim()
  return /^https?:/i.test(text) ? text : ''
}

const isNamed = (name: string, local: string): boolean => name === local || name.endsWith(`:${local}`)

const children = (element: Element): Element[] => element.children.filter(isElement)

/**
 * Returns a child element by local name. One of the feed's own vocabulary precedes one of Media RSS (`media:title`).
 */
const child = (element: Element, local: string): Element | undefined => {
  const named = children(element).filter(({ name }) => isNamed(name, local))
  return named.find(({ name }) => name === local) ?? named.find(({ name }) => !name.startsWith('media:')) ?? named.at(0)
}

function childText(element: Element, local: string): string {
  const found = child(element, local)
  return found === undefined ? '' : textOf(found)
}

/** Parses the root element; undefined if the XML is too deep or too large. */
function readXml(text: string, maxNodes: number): { readonly root: Element; readonly isCutOff: boolean } | undefined {
  const root = new Element('root', {})
  const stack = [root]
  let nodes = 0
  let tooMuch = false
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        nodes += 1
        if (stack.length > MAX_DEPTH || nodes > maxNodes) {
          tooMuch = true
          parser.pause()
          return
        }
        const element = new Element(name, attributes)
        append(stack.at(-1) ?? root, element)
        stack.push(element)
      },
      ontext(data) {
        if (!tooMuch) append(stack.at(-1) ?? root, new Text(data))
      },
      onclosetag() {
        if (stack.length > 1) stack.pop()
      },
    },
    { xmlMode: true },
  )
  parser.write(text)
  const [first] = children(root)
  // A complete document closes its elements.
  return tooMuch || first === undefined ? undefined : { root: first, isCutOff: stack.length > 1 }
}
