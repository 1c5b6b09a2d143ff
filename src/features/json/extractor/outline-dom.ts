import { ownValue } from '../../../base/collections/own-value.js'
import { collapse, type Element, isElement, isText, type ParentNode, textOf, walk } from '../../../content/html/tree.js'

/** Level of detail of an outline. */
interface Detail {
  /** Maximum characters of a text. */
  readonly text: number
  /** Maximum similar siblings. */
  readonly similar: number
}

/** Levels from fine to coarse; the first one that fits is used. */
const DETAILS: readonly Detail[] = [
  { text: 200, similar: 4 },
  { text: 80, similar: 3 },
  { text: 40, similar: 2 },
]

/** Elements without visible content or data. */
const SKIPPED: ReadonlySet<string> = new Set([
  'style',
  'svg',
  'noscript',
  'iframe',
  'template',
  'canvas',
  'link',
  'base',
])

/** Attributes that identify elements, with the maximum characters of their value. */
const SHOWN: Readonly<Record<string, number>> = {
  id: 60,
  class: 100,
  itemprop: 40,
  itemtype: 60,
  property: 40,
  name: 40,
  role: 20,
  rel: 20,
  type: 40,
  content: 100,
  datetime: 30,
  href: 80,
  src: 60,
  alt: 40,
  title: 60,
  value: 40,
  'aria-label': 60,
}
const MAX_DATA_ATTRIBUTES = 4
const MAX_DATA_CHARACTERS = 600

/**
 * Outlines the markup of a page: elements with their identifying attributes, the start of each text, and the first few
 * of similar siblings. Meant for a model that writes extraction rules.
 */
export function outlineDom(root: ParentNode, maxCharacters: number): string {
  let outline = ''
  for (const detail of DETAILS) {
    outline = render(root, detail, maxCharacters)
    if (outline.length <= maxCharacters) return outline
  }
  return `${outline.slice(0, maxCharacters)}\n<!-- the rest is left out -->`
}

function render(root: ParentNode, detail: Detail, maxCharacters: number): string {
  const lines: string[] = []
  let length = 0
  let depth = 0
  const counts = new Map<ParentNode, Map<string, number>>()
  const rendered = new Set<Element>()
  const add = (line: string): void => {
    const indented = ' '.repeat(Math.min(depth, 40)) + line
    lines.push(indented)
    length += indented.length + 1
  }
  walk(
    root,
    (node) => {
      if (length > maxCharacters) return 'stop'
      if (isText(node)) {
        const text = cut(collapse(node.data), detail.text)
        if (text !== '') add(text)
        return true
      }
      if (!isElement(node) || SKIPPED.has(node.name)) return false
      if (node.name === 'script') {
        if (/json/i.test(node.attribs['type'] ?? ''))
          add(`${openTag(node)}${cut(textOf(node).trim(), MAX_DATA_CHARACTERS)}</script>`)
        return false
      }
      if (node.parent && isRepetition(node, node.parent, counts, detail)) return false
      add(openTag(node))
      rendered.add(node)
      depth += 1
      return true
    },
    (element) => {
      if (!rendered.has(element)) return
      for (const [kind, count] of counts.get(element) ?? []) {
        const more = count - maxOf(kind, detail)
        if (more > 0) add(`<!-- ${more} more ${kind} -->`)
      }
      counts.delete(element)
      depth -= 1
    },
  )
  return lines.join('\n')
}

/** Returns true if enough similar siblings are shown already. */
function isRepetition(
  { name, attribs }: Element,
  parent: ParentNode,
  counts: Map<ParentNode, Map<string, number>>,
  detail: Detail,
): boolean {
  const kinds = counts.get(parent) ?? new Map<string, number>()
  counts.set(parent, kinds)
  const kind = `${name}${attribs['class'] === undefined ? '' : `.${collapse(attribs['class'])}`}`.slice(0, 80)
  const count = (kinds.get(kind) ?? 0) + 1
  kinds.set(kind, count)
  return count > maxOf(kind, detail)
}

/** Siblings without a class, such as table rows and cells, can have different content, so more of them are shown. */
const maxOf = (kind: string, { similar }: Detail): number => (kind.includes('.') ? similar : 3 * similar)

function openTag({ name, attribs }: Element): string {
  const data = Object.keys(attribs).filter((key) => key.startsWith('data-'))
  const shown = [
    ...Object.keys(SHOWN).filter((key) => attribs[key] !== undefined),
    ...data.slice(0, MAX_DATA_ATTRIBUTES),
  ]
  const written = shown.map(
    (key) => ` ${key}=${JSON.stringify(cut(collapse(attribs[key] ?? ''), ownValue(SHOWN, key) ?? 40))}`,
  )
  return `<${name}${written.join('')}>`
}

const cut = (text: string, max: number): string => (text.length <= max ? text : `${text.slice(0, max)}…`)
