import { Parser } from 'htmlparser2'
import { Document, Element, Text, append, collapse, isElement, textOf, walk } from '../tree.js'
import { type FeedEnclosure, type FeedEntry, makeFeedPage } from './feed-page.js'
import { loadTree } from './load-tree.js'
import type { ParseInput, ParsedPage, ParsePlan } from './parser.js'

// Feeds are a few levels deep. What is deeper is no feed, and htmlparser2 is quadratic in depth.
const DEEPEST = 64

/** An RSS or Atom feed as a page. Undefined when it is broken. @see RFC 4287, the RSS 2.0 specification */
export function readFeed(input: ParseInput, text: string, plan: ParsePlan): ParsedPage | undefined {
  const root = readXml(text, plan.maxNodes)
  if (root === undefined) return undefined
  const channel = child(root, 'channel') ?? root
  const found = [...children(channel), ...children(root)].filter(
    ({ name }) => isNamed(name, 'item') || isNamed(name, 'entry'),
  )
  const facts = {
    title: childText(channel, 'title'),
    description: childText(channel, 'description') || childText(channel, 'subtitle'),
    home: linkOf(channel),
  }
  return makeFeedPage(input, text, facts, { entries: [...new Set(found)].map(readEntry), plan })
}

/** Where the text of an entry stands, the longest first. */
const BODIES: readonly string[] = ['encoded', 'content', 'description', 'summary']

/** HTML, which is escaped in most feeds and stands as it is in others. @see RFC 4287 section 3.1.1.3 */
function bodyOf(element: Element | undefined): string {
  if (element === undefined) return ''
  if (!element.children.some(isElement)) return textOf(element)
  walk(element, (node) => {
    if (isElement(node)) node.name = node.name.slice(node.name.indexOf(':') + 1)
  })
  return loadTree(new Document([])).html(element.children)
}

function readEntry(entry: Element): FeedEntry {
  const author = child(entry, 'author')
  return {
    title: childText(entry, 'title'),
    href: linkOf(entry) || permalinkOf(entry),
    date: collapse(
      childText(entry, 'pubDate') ||
        childText(entry, 'published') ||
        childText(entry, 'updated') ||
        childText(entry, 'date'),
    ),
    author: collapse((author && (childText(author, 'name') || textOf(author))) || childText(entry, 'creator')),
    body: BODIES.map((name) => bodyOf(child(entry, name))).find((body) => body.trim() !== '') ?? '',
    enclosures: children(entry).flatMap((element) => readEnclosure(element) ?? []),
  }
}

/** RSS has an element for it, Atom a link, and Media RSS another element. */
function readEnclosure({ name, attribs }: Element): FeedEnclosure | undefined {
  const isEnclosure =
    isNamed(name, 'enclosure') || name === 'media:content' || (isNamed(name, 'link') && attribs['rel'] === 'enclosure')
  if (!isEnclosure) return undefined
  return { href: (attribs['url'] ?? attribs['href'] ?? '').trim(), type: attribs['type'] ?? '' }
}

/** The page that a feed or an entry stands for; other links lead to the feed itself, or to what belongs to the entry. */
function linkOf(element: Element): string {
  const links = children(element).filter(({ name }) => isNamed(name, 'link'))
  const relationOf = ({ attribs }: Element): string => attribs['rel'] ?? 'alternate'
  const link = links.find((one) => relationOf(one) === 'alternate') ?? links.find((one) => relationOf(one) === 'via')
  return (link?.attribs['href'] ?? (link === undefined ? '' : textOf(link))).trim()
}

/** RSS may have the address of an entry as what identifies it. */
function permalinkOf(entry: Element): string {
  const guid = child(entry, 'guid')
  const text = guid === undefined || guid.attribs['isPermaLink'] === 'false' ? '' : textOf(guid).trim()
  return /^https?:/i.test(text) ? text : ''
}

const isNamed = (name: string, local: string): boolean => name === local || name.endsWith(`:${local}`)

const children = (element: Element): Element[] => element.children.filter(isElement)

const child = (element: Element, local: string): Element | undefined =>
  children(element).find(({ name }) => isNamed(name, local))

function childText(element: Element, local: string): string {
  const found = child(element, local)
  return found === undefined ? '' : textOf(found)
}

/** The root element; undefined when the XML is too deep or too large. */
function readXml(text: string, maxNodes: number): Element | undefined {
  const root = new Element('root', {})
  const stack = [root]
  let nodes = 0
  let tooMuch = false
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        nodes += 1
        if (stack.length > DEEPEST || nodes > maxNodes) {
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
  return tooMuch ? undefined : children(root)[0]
}
