import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import {
  BLOCK_ELEMENTS,
  Document,
  Element,
  type ParentNode,
  Text,
  append,
  collapse,
  isElement,
  isText,
  walk,
} from '../../../src/content/html/tree.js'
import { buildTree } from '../../../src/content/parse/html/build-tree.js'

/** A page's tree as a reader sees it. White space is collapsed. */
export interface Reading {
  /** The visible text, in document order. */
  readonly text: string
  /** The `href` of each link, once, and the texts of all links with that `href`. */
  readonly links: readonly string[]
  /** The text of each heading, list item, table cell and the like, after the names of the elements around it. */
  readonly structure: readonly string[]
}

/** Parts of a reading, the strictest last. */
export const ASPECTS = ['text', 'links', 'structure'] as const
export type Aspect = (typeof ASPECTS)[number]

const LIMITS = { maxDepth: 512, maxNodes: 2_000_000, isXml: false }

/** Elements with text that readers do not see. */
const HIDDEN = new Set('head title script style template noscript iframe noembed noframes textarea'.split(' '))

/** Elements that are written to Markdown, or that tell where a text belongs. */
const STRUCTURE = new Set(
  'a h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table caption tr td th p pre blockquote b strong i em code form svg math'.split(
    ' ',
  ),
)

/** The first place where two readings of a page differ. */
export interface Difference {
  readonly ours: string
  readonly theirs: string
}

/** Compares trawl's tree of a page with that of parse5, which follows the standard. */
export class TreeComparison {
  readonly ours: Reading
  readonly theirs: Reading

  constructor(html: string) {
    this.ours = read(buildTree(html, LIMITS).document)
    this.theirs = read(parseByStandard(html))
  }

  /** Aspects in which the trees differ. */
  get differing(): Aspect[] {
    return ASPECTS.filter((aspect) => this.find(aspect) !== undefined)
  }

  /** Finds the first difference in one aspect. */
  find(aspect: Aspect): Difference | undefined {
    const ours = this.ours[aspect]
    const theirs = this.theirs[aspect]
    let at = 0
    while (at < ours.length && ours[at] === theirs[at]) at += 1
    if (at === ours.length && at === theirs.length) return undefined
    // A text is shown from a little before the difference on.
    const show = (part: Reading[Aspect]): string =>
      typeof part === 'string' ? part.slice(Math.max(0, at - 20), at + 60) : (part[at] ?? '').slice(0, 200)
    return { ours: show(ours), theirs: show(theirs) }
  }
}

/** Parses a page with parse5, without scripts, into a tree of trawl's nodes. */
function parseByStandard(html: string): Document {
  const document = new Document([])
  const waiting: [from: DefaultTreeAdapterTypes.ParentNode, into: ParentNode][] = [
    [parse(html, { scriptingEnabled: false }), document],
  ]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [from, into] = next
    const inside = 'content' in from ? from.content : from
    for (const child of inside.childNodes) {
      if ('value' in child) append(into, new Text(child.value))
      if (!('tagName' in child)) continue
      const element = new Element(
        child.tagName,
        Object.fromEntries(child.attrs.map(({ name, value }) => [name, value])),
      )
      append(into, element)
      waiting.push([child, element])
    }
  }
  return document
}

function read(document: Document): Reading {
  const around: Element[] = []
  const links = new Map<string, { text: string }>()
  const openLinks: { text: string }[] = []
  const lines: { owner: Element | undefined; path: string; text: string }[] = []
  let text = ''
  walk(
    document,
    (node) => {
      if (isElement(node)) {
        if (BLOCK_ELEMENTS.has(node.name)) text += ' '
        if (HIDDEN.has(node.name)) return false
        if (!STRUCTURE.has(node.name)) return true
        around.push(node)
        const href = node.name === 'a' ? node.attribs['href'] : undefined
        if (href !== undefined) {
          const link = links.get(href) ?? { text: '' }
          links.set(href, link)
          openLinks.push(link)
        }
        return true
      }
      if (!isText(node)) return true
      text += node.data
      for (const link of openLinks) link.text += node.data
      const last = lines.at(-1)
      const owner = around.at(-1)
      if (last !== undefined && last.owner === owner) last.text += node.data
      else if (node.data.trim() !== '') {
        lines.push({ owner, path: around.map(({ name }) => name).join(' '), text: node.data })
      }
      return true
    },
    (element) => {
      if (BLOCK_ELEMENTS.has(element.name)) text += ' '
      if (around.at(-1) !== element) return
      around.pop()
      if (element.name === 'a' && element.attribs['href'] !== undefined) openLinks.pop()
    },
  )
  return {
    text: collapse(text),
    links: Array.from(links, ([href, link]) => `${href} ${collapse(link.text)}`),
    structure: lines.map((line) => `${line.path}: ${collapse(line.text)}`),
  }
}
