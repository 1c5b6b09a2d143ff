import { type Element, isElement, isText, walk } from '../../html/tree.js'

/** A list is so many elements above what stands behind it, at most, and has so many items, at least. */
const MAX_UP = 4
export const FEWEST = 3

/** What is looked at around an element: more of it is no list for readers. */
const MAX_SIBLINGS = 500
const MAX_NODES = 2_000

/** The items of the list that ends where this element begins, or one around it. */
export function listBefore(element: Element): Element[] | undefined {
  let isAlone = true
  for (let at = element, up = 0; up < MAX_UP && at.name !== 'body'; up += 1) {
    const { parent } = at
    if (parent === null || !isElement(parent)) return undefined
    const before = elementsBefore(at)
    const items = alikeIn(before)
    // What is in an item of a list is not behind it, unless it is all of that.
    if (items !== undefined && !isAlone && items.some((item) => kindOf(item) === kindOf(at))) return undefined
    if (items !== undefined) return items
    const last = before.at(-1)
    for (const list of last === undefined ? [] : [last, ...childrenOf(last)]) {
      const inner = alikeIn(childrenOf(list))
      if (inner !== undefined) return inner
    }
    if (at !== element && nextAlike(at)) return undefined
    const within = at
    isAlone &&= parent.children.every((node) => node === within || (isText(node) && node.data.trim() === ''))
    at = parent
  }
  return undefined
}

function elementsBefore(element: Element): Element[] {
  const before: Element[] = []
  for (let at = element.prev, steps = 0; at !== null && steps < MAX_SIBLINGS; at = at.prev, steps += 1) {
    if (isElement(at) && at.name !== 'script' && at.name !== 'style') before.push(at)
  }
  return before.reverse()
}

const childrenOf = ({ children }: Element): Element[] => children.slice(0, MAX_SIBLINGS).filter(isElement)

/** Whether the same kind of element follows: then it is the first item of a list. */
function nextAlike(element: Element): boolean {
  let at = element.next
  for (let steps = 0; at !== null && !isElement(at) && steps < MAX_SIBLINGS; steps += 1) at = at.next
  return at !== null && isElement(at) && kindOf(at) === kindOf(element) && kindOf(at) !== `${at.name}.`
}

/** The most elements of one kind, if there are enough. */
function alikeIn(elements: readonly Element[]): Element[] | undefined {
  const kinds = new Map<string, Element[]>()
  for (const element of elements) {
    if (!ITEMS.has(element.name)) continue
    const kind = kindOf(element)
    const known = kinds.get(kind)
    if (known === undefined) kinds.set(kind, [element])
    else known.push(element)
  }
  const longest = [...kinds.values()].reduce((most, some) => (some.length > most.length ? some : most), [])
  return longest.length < FEWEST || !longest.every(isItem) ? undefined : longest
}

const ITEMS: ReadonlySet<string> = new Set('li tr div article section a dl figure details'.split(' '))

const kindOf = ({ name, attribs }: Element): string => `${name}.${/\S+/u.exec(attribs['class'] ?? '')?.[0] ?? ''}`

/** Whether there is something to read in it, and nothing to fill in. A link is an item when it is more than its name. */
function isItem(element: Element): boolean {
  let nodes = 0
  let length = 0
  let elements = 0
  let isField = false
  walk(element, (node) => {
    nodes += 1
    if (isText(node)) length += node.data.trim().length
    else if (isElement(node)) {
      isField ||= /^(?:input|select|textarea)$/u.test(node.name)
      elements += 1
    }
    return nodes > 100 || isField ? 'stop' : true
  })
  return !isField && length > 0 && (element.name !== 'a' || elements > 1)
}

/** The list of so many items that stands near an element. */
export function listNear(element: Element, length: number): Element | undefined {
  for (let at = element, up = 0; up < MAX_UP; up += 1) {
    const { parent } = at
    if (parent === null || !isElement(parent)) return undefined
    let looked = 0
    let list = alikeIn(childrenOf(parent))?.length === length ? parent : undefined
    walk(parent, (node) => {
      looked += 1
      if (!isElement(node)) return true
      if (alikeIn(childrenOf(node))?.length === length) list = node
      return looked > MAX_NODES || list !== undefined ? 'stop' : true
    })
    if (list !== undefined) return list
    at = parent
  }
  return undefined
}

/** Whether most items have a link to another page, or a picture. */
export const leadOn = (items: readonly Element[]): boolean => items.filter(leadsOn).length > items.length / 2

function leadsOn(item: Element): boolean {
  let nodes = 0
  let leads = false
  const isSign = ({ name, attribs }: Element): boolean =>
    name === 'img' || (name === 'a' && /^[^#]/u.test(attribs['href'] ?? ''))
  walk(item, (node) => {
    nodes += 1
    leads ||= isElement(node) && isSign(node)
    return nodes > 200 || leads ? 'stop' : true
  })
  return leads || isSign(item)
}
