import { ownValue } from '../collections/own-value.js'
import { collapse, type Element, isElement, isText, type ParentNode, textOf, walk } from '../html/tree.js'

/** How much of a page a sketch shows. */
interface Detail {
  /** Characters of a text. */
  readonly text: number
  /** Elements of one making beside each other. */
  readonly alike: number
}

/** From fine to coarse: the first that fits is taken. */
const DETAILS: readonly Detail[] = [
  { text: 200, alike: 4 },
  { text: 80, alike: 3 },
  { text: 40, alike: 2 },
]

/** What shows nothing, or nothing that data is read from. */
const UNSHOWN: ReadonlySet<string> = new Set([
  'style',
  'svg',
  'noscript',
  'iframe',
  'template',
  'canvas',
  'link',
  'base',
])

/** Attributes by which elements are told, and how much of them is shown. */
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
 * The page's mark-up in short: elements with what they are told by, the start of each text, the first few of elements that
 * are alike. For who writes rules about where something stands.
 */
export function sketchPage(root: ParentNode, maxCharacters: number): string {
  let sketch = ''
  for (const detail of DETAILS) {
    sketch = draw(root, detail, maxCharacters)
    if (sketch.length <= maxCharacters) return sketch
  }
  return `${sketch.slice(0, maxCharacters)}\n<!-- the rest is left out -->`
}

function draw(root: ParentNode, detail: Detail, maxCharacters: number): string {
  const lines: string[] = []
  let length = 0
  let depth = 0
  const counts = new Map<ParentNode, Map<string, number>>()
  const drawn = new Set<Element>()
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
      if (!isElement(node) || UNSHOWN.has(node.name)) return false
      if (node.name === 'script') {
        if (/json/i.test(node.attribs['type'] ?? ''))
          add(`${openTag(node)}${cut(textOf(node).trim(), MAX_DATA_CHARACTERS)}</script>`)
        return false
      }
      if (node.parent && isOneMore(node, node.parent, counts, detail)) return false
      add(openTag(node))
      drawn.add(node)
      depth += 1
      return true
    },
    (element) => {
      if (!drawn.has(element)) return
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

/** Whether enough elements of its kind are shown already beside it. */
function isOneMore(
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

/** Of elements without a class each may be something else: a row of labels, a cell. */
const maxOf = (kind: string, { alike }: Detail): number => (kind.includes('.') ? alike : 3 * alike)

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

const cut = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most)}…`)
