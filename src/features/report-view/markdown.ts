import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { type Child, html, webLink } from './dom.js'

/** Types of the tree, as the library returns it. */
type Root = ReturnType<typeof fromMarkdown>
type Nodes = Root | Root['children'][number]
type Parents = Extract<Nodes, { readonly children: unknown }>

/** Maximum depth of quotes and lists. Deeper ones are shown as text. */
const MAX_DEPTH = 60

/**
 * Renders Markdown. Elements are created from its tree one by one: HTML in it is shown as text, links lead to web pages only,
 * and pictures are named, as the report requests nothing.
 */
export function renderMarkdown(markdown: string): HTMLElement {
  const tree = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
  const definitions = collectDefinitions(tree)
  return html('div', { class: 'markdown' }, ...renderAll(tree, { definitions, depth: 0 }))
}

interface Context {
  /** URLs by label, in `[text][label]`. */
  readonly definitions: ReadonlyMap<string, string>
  readonly depth: number
}

function collectDefinitions(tree: Root): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const open: Nodes[] = [tree]
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === 'definition') found.set(node.identifier, node.url)
    if ('children' in node) open.push(...node.children)
  }
  return found
}

const renderAll = (parent: Parents, { definitions, depth }: Context): Child[] =>
  depth > MAX_DEPTH ? [textOf(parent)] : parent.children.map((node) => render(node, { definitions, depth: depth + 1 }))

/** Elements of nodes that have nothing but children. */
const ELEMENTS = {
  paragraph: 'p',
  blockquote: 'blockquote',
  emphasis: 'em',
  strong: 'strong',
  delete: 'del',
  listItem: 'li',
  tableRow: 'tr',
  tableCell: 'td',
} as const

function render(node: Nodes, context: Context): Child {
  switch (node.type) {
    case 'text':
      return node.value
    case 'paragraph':
    case 'blockquote':
    case 'emphasis':
    case 'strong':
    case 'delete':
    case 'tableRow':
    case 'tableCell':
      return html(ELEMENTS[node.type], {}, ...renderAll(node, context))
    case 'listItem': {
      const mark = typeof node.checked === 'boolean' && (node.checked ? '☑ ' : '☐ ')
      return html('li', {}, mark, ...renderAll(node, context))
    }
    case 'heading':
      // Headings of the page are no headings of the report.
      return html('p', { class: `h${node.depth}` }, ...renderAll(node, context))
    case 'list':
      return node.ordered === true
        ? html('ol', { start: node.start ?? 1 }, ...renderAll(node, context))
        : html('ul', {}, ...renderAll(node, context))
    case 'table':
      return html('div', { class: 'wide-part' }, html('table', {}, html('tbody', {}, ...renderAll(node, context))))
    case 'code':
      return html('pre', {}, html('code', {}, node.value))
    case 'inlineCode':
      return html('code', {}, node.value)
    case 'html':
      return html('code', { class: 'raw' }, node.value)
    case 'break':
      return html('br')
    case 'thematicBreak':
      return html('hr')
    case 'link':
      return renderLink(node.url, textOf(node))
    case 'linkReference':
      return renderLink(context.definitions.get(node.identifier) ?? '', textOf(node))
    case 'image':
    case 'imageReference':
      return html('span', { class: 'picture' }, node.alt || 'picture')
    case 'footnoteReference':
      return html('sup', {}, `[${node.identifier}]`)
    case 'footnoteDefinition':
      return html('div', { class: 'footnote' }, html('sup', {}, `[${node.identifier}] `), ...renderAll(node, context))
    default:
      return undefined
  }
}

const renderLink = (url: string, text: string): HTMLElement => webLink(url, text.trim() === '' ? url || 'link' : text)

/** Collects the text of a node and its children. */
function textOf(node: Nodes): string {
  const texts: string[] = []
  const open: Nodes[] = [node]
  for (let at = open.pop(); at; at = open.pop()) {
    if ('value' in at) texts.push(at.value)
    else if ('alt' in at && typeof at.alt === 'string') texts.push(at.alt)
    if ('children' in at) open.push(...at.children.toReversed())
  }
  return texts.join('')
}
