import { type ChildNode, type Element, Text, append, collapse, isElement, walk } from '../../html/tree.js'
import type { CharacterBudget } from '../../html/document-limits.js'
import { lastSegmentOf, resolveUrl } from '../../../base/url.js'
import { buildTree } from '../html/build-tree.js'
import { loadTree, makeElement, wrapInPage } from '../html/load-tree.js'
import { NOTHING_DROPPED } from '../../../base/text/dropped-lines.js'
import type { ParserInput, ParsedPage, ParsePlan } from '../parser.js'
import { TooManyNodes } from '../html/tree-builder.js'

/** Properties of a feed. */
interface FeedFacts {
  readonly title: string
  readonly description: string
  /** URL of the page that it is the feed of. */
  readonly home: string
}

/** Entry of a feed; missing fields are empty. */
export interface FeedEntry {
  readonly title: string
  readonly href: string
  readonly date: string
  readonly author: string
  /** Content as HTML. */
  readonly body: string
  /** Base URL for addresses in the body, if the feed declares one. */
  readonly baseUrl?: string
  /** Attached files. */
  readonly enclosures: readonly FeedEnclosure[]
}

/** File attached to an entry, such as audio or video. */
export interface FeedEnclosure {
  readonly href: string
  /** Media type, if the feed states it. */
  readonly type: string
}

/** Maximum number of entries; feeds with more are archives. */
const MAX_ENTRIES = 1000
/** Maximum number of attached files; the newest come first. */
const MAX_ENCLOSURES = 100
/** Maximum number of attached files that an entry links to: a recording may be there in many sizes. */
const MAX_LINKED_FILES = 5
/** Maximum length of the name of such a file. Characters. */
const MAX_LABEL = 120

/**
 * Builds a page of a feed: its description, and for each entry a linked heading, the date and the text. Undefined if
 * it exceeds the limits.
 */
export function makeFeedPage(
  input: ParserInput,
  text: string,
  { title, description, home }: FeedFacts,
  {
    entries,
    plan,
    warnings = [],
    isWhole = true,
    budget,
  }: {
    readonly entries: readonly FeedEntry[]
    readonly plan: ParsePlan
    readonly warnings?: readonly string[]
    /** Characters that absolute addresses may still add. @default any number */
    readonly budget?: CharacterBudget
    /** False if further entries were not read. @default true */
    readonly isWhole?: boolean
  },
): ParsedPage | undefined {
  const name = new Text(collapse(title))
  const content: ChildNode[] = [
    makeElement('h1', {}, [home === '' ? name : makeElement('a', { href: home }, [name])]),
    ...(description === '' ? [] : [makeElement('p', {}, [new Text(collapse(description))])]),
  ]
  const shown = entries.slice(0, MAX_ENTRIES)
  try {
    for (const entry of shown) content.push(makeEntry(entry, plan, budget))
  } catch (error) {
    if (error instanceof TooManyNodes) return undefined
    throw error
  }
  const left = entries.length - shown.length
  return {
    url: input.url,
    baseUrl: input.url,
    tree: loadTree(
      wrapInPage(content, [makeElement('title', {}, [new Text(collapse(title))]), ...enclosuresOf(shown)]),
    ),
    text,
    isFile: true,
    dropped: left === 0 && isWhole ? NOTHING_DROPPED : undefined,
    warnings: [
      ...warnings,
      ...(left > 0 && isWhole ? [`The feed has ${entries.length} entries: the last ${left} were left out.`] : []),
    ],
  }
}

/** Writes enclosures into the head, where they are not part of the text. */
const enclosuresOf = (entries: readonly FeedEntry[]): Element[] =>
  entries
    .flatMap(({ enclosures }) => enclosures)
    .filter(({ href }) => href !== '')
    .slice(0, MAX_ENCLOSURES)
    .map(({ href, type }) => makeElement('link', { rel: 'enclosure', href, ...(type !== '' && { type }) }))

function makeEntry(
  { title, href, date, author, body, baseUrl, enclosures }: FeedEntry,
  plan: ParsePlan,
  budget: CharacterBudget | undefined,
): Element {
  const name = new Text(collapse(title) || href)
  const article = makeElement('article', {}, [
    makeElement('h2', {}, [href === '' ? name : makeElement('a', { href }, [name])]),
  ])
  const by = [date, author].filter((part) => part !== '').map(collapse)
  if (by.length > 0) {
    const [first = '', ...rest] = by
    const when = date === '' ? new Text(first) : makeElement('time', {}, [new Text(first)])
    append(article, makeElement('p', {}, [when, ...rest.map((part) => new Text(`, ${part}`))]))
  }
  const { body: read } = buildTree(body, { maxDepth: plan.maxDepth, maxNodes: plan.maxNodes, isXml: false })
  read.name = 'div'
  if (baseUrl !== undefined) resolveAddresses(read, baseUrl, budget)
  append(article, Object.assign(read, { parent: null, prev: null, next: null }))
  const files = [...new Set(enclosures.filter(({ type }) => !type.startsWith('image/')).map((file) => file.href))]
  for (const file of files.slice(0, MAX_LINKED_FILES)) {
    if (file === '' || file === href || body.includes(file) || body.includes(file.replaceAll('&', '&amp;'))) continue
    const label = lastSegmentOf(file).slice(0, MAX_LABEL) || 'File'
    append(article, makeElement('p', {}, [makeElement('a', { href: file }, [new Text(label)])]))
  }
  return article
}

/** Makes the URLs of links and images absolute. */
function resolveAddresses(root: Element, baseUrl: string, budget: CharacterBudget | undefined): void {
  walk(root, (node) => {
    if (!isElement(node)) return
    for (const name of ['href', 'src']) {
      const written = node.attribs[name]
      const resolved = written === undefined ? undefined : resolveUrl(written, baseUrl)?.href
      if (written === undefined || resolved === undefined) continue
      if (budget?.take(resolved.length - written.length) !== false) node.attribs[name] = resolved
    }
  })
}
