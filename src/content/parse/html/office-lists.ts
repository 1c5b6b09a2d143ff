import {
  append,
  type ChildNode,
  type Document,
  Element,
  isElement,
  isText,
  lastChildOf,
  type ParentNode,
  setChildren,
  textOf,
  walk,
} from '../../html/tree.js'

/** Item of a list in HTML of Word: `mso-list:l0 level2 lfo1`. */
const WORD_ITEM = /(?:^|;)\s*mso-list\s*:\s*(l\d+) level(\d)/i
const WORD_MARK = /(?:^|;)\s*mso-list\s*:\s*ignore/i
/** List of Google Docs, with its depth: `lst-kix_a1b2-1`. */
const GOOGLE_LIST = /(?:^|\s)(lst-kix_\w+)-(\d)(?=\s|$)/
const ORDERED = /^[\s\u00A0]*\(?(?:(\d{1,6})|[a-z]{1,5})[.)]/i

/** True for a source that may have lists for {@link nestOfficeLists}. */
export const hasOfficeLists = (source: string): boolean => source.includes('mso-list:') || source.includes('lst-kix_')

/**
 * Nests the lists of word processors: Word writes each item as a paragraph that names its list and level, with the bullet as text, and
 * Google Docs writes a list of its own for each level.
 */
export function nestOfficeLists(document: Document): void {
  const parents = new Set<ParentNode>()
  walk(document, (node) => {
    if (isElement(node) && node.parent !== null && placeOf(node) !== undefined) parents.add(node.parent)
  })
  for (const parent of parents) nestChildren(parent)
}

/** An item, or a list of items of one level. */
interface Place {
  readonly list: string
  readonly level: number
}

function placeOf({ name, attribs }: Element): Place | undefined {
  const isList = name === 'ul' || name === 'ol'
  const found = isList ? GOOGLE_LIST.exec(attribs['class'] ?? '') : WORD_ITEM.exec(attribs['style'] ?? '')
  if (!found || (!isList && name !== 'p' && !/^h[1-6]$/.test(name) && name !== 'div')) return undefined
  return { list: found[1] ?? '', level: Number(found[2]) }
}

function nestChildren(parent: ParentNode): void {
  const made: ChildNode[] = []
  let open: (Place & { readonly element: Element })[] = []
  for (const child of parent.children) {
    const place = isElement(child) ? placeOf(child) : undefined
    if (!isElement(child) || place === undefined || /^h\d/.test(child.name)) {
      if (!isBetween(child)) open = []
      made.push(child)
      continue
    }
    const items = child.name === 'p' || child.name === 'div' ? [child] : child.children
    const list = child.name === 'p' || child.name === 'div' ? makeList(child) : child
    const ofList = open.filter((one) => one.list === place.list)
    open = ofList.filter((one) => one.level <= place.level)
    // A list that began deeper than it goes on.
    const [deeper] = ofList.filter((one) => one.level > place.level)
    if (deeper && open.at(-1)?.level !== place.level) open.push({ ...deeper, level: place.level })
    const last = open.at(-1)
    if (last?.level === place.level && last.element.name === list.name) {
      for (const item of items) append(last.element, detach(toItem(item)))
      continue
    }
    const outer = last && open.findLast((one) => one.level < place.level)
    const item = outer && lastChildOf(outer.element)
    setChildren(list, items.map(toItem))
    if (item && isElement(item)) append(item, detach(list))
    else made.push(list)
    open = [...open.filter((one) => one.level < place.level), { ...place, element: list }]
  }
  setChildren(parent, made)
}

/** True for what may stand between two items of a list. */
const isBetween = (node: ChildNode): boolean => (isText(node) ? node.data.trim() === '' : !isElement(node))

function makeList(item: Element): Element {
  const found = ORDERED.exec(takeMark(item))
  const [, start] = found ?? []
  return new Element(found ? 'ol' : 'ul', start === undefined || start === '1' ? {} : { start })
}

/** Removes the bullet or number that is written as text. @returns it */
function takeMark(item: Element): string {
  let mark = ''
  walk(item, (node) => {
    if (!isElement(node) || !WORD_MARK.test(node.attribs['style'] ?? '')) return true
    mark = textOf(node)
    setChildren(node, [])
    return 'stop'
  })
  return mark
}

/** Makes an item of a paragraph. */
function toItem(node: ChildNode): ChildNode {
  if (isElement(node) && (node.name === 'p' || node.name === 'div')) {
    takeMark(node)
    node.name = 'li'
    node.attribs = {}
  }
  return node
}

function detach<Node extends ChildNode>(node: Node): Node {
  node.parent = node.prev = node.next = null
  return node
}
