import { type Element, isElement, isText, walk } from '../../html/tree.js'

/** Maximum number of ancestors beside which a list is searched, and minimum number of items in a list. */
const MAX_ANCESTORS = 4
export const MIN_LIST_ITEMS = 3

/** Maximum siblings and nodes that are examined around an element, which bounds the time of a hostile page. */
const MAX_SIBLINGS = 500
const MAX_NODES = 2_000
const MAX_ITEM_NODES = 100

/** Returns the items of the list that ends right before this element, or before one around it. */
export function findListBefore(element: Element): Element[] | undefined {
  let isAlone = true
  for (let at = element, up = 0; up < MAX_ANCESTORS && at.name !== 'body'; up += 1) {
    const { parent } = at
    if (parent === null || !isElement(parent)) return undefined
    const before = elementsBefore(at)
    const items = findSimilarElements(before)
    // An element inside an item of a list does not follow the list, unless it is all of that item.
    if (items !== undefined && !isAlone && items.some((item) => kindOf(item) === kindOf(at))) return undefined
    if (items !== undefined) return items
    const last = before.at(-1)
    for (const list of last === undefined ? [] : [last, ...childrenOf(last)]) {
      const inner = findSimilarElements(childrenOf(list))
      if (inner !== undefined) return inner
    }
    if (at !== element && isFollowedBySimilar(at)) return undefined
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

/** True if an element of the same kind follows, which makes this the first item of a list. */
function isFollowedBySimilar(element: Element): boolean {
  let at = element.next
  for (let steps = 0; at !== null && !isElement(at) && steps < MAX_SIBLINGS; steps += 1) at = at.next
  return at !== null && isElement(at) && kindOf(at) === kindOf(element) && kindOf(at) !== `${at.name}.`
}

/** Returns the largest group of elements of one kind, if there are enough. */
function findSimilarElements(elements: readonly Element[]): Element[] | undefined {
  const kinds = new Map<string, Element[]>()
  for (const element of elements) {
    if (!ITEMS.has(element.name)) continue
    const kind = kindOf(element)
    const known = kinds.get(kind)
    if (known === undefined) kinds.set(kind, [element])
    else known.push(element)
  }
  const longest = [...kinds.values()].reduce((most, some) => (some.length > most.length ? some : most), [])
  return longest.length < MIN_LIST_ITEMS || !longest.every(isItem) ? undefined : longest
}

const ITEMS: ReadonlySet<string> = new Set('li tr div article section a dl figure details'.split(' '))

const kindOf = ({ name, attribs }: Element): string => `${name}.${/\S+/u.exec(attribs['class'] ?? '')?.[0] ?? ''}`

/** True for an element with text and without form fields. A link counts only if it contains elements. */
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
    return nodes > MAX_ITEM_NODES || isField ? 'stop' : true
  })
  return !isField && length > 0 && (element.name !== 'a' || elements > 1)
}

/** Returns the list with this number of items near an element. */
export function findListNear(element: Element, length: number): Element | undefined {
  for (let at = element, up = 0; up < MAX_ANCESTORS; up += 1) {
    const { parent } = at
    if (parent === null || !isElement(parent)) return undefined
    let looked = 0
    let list = findSimilarElements(childrenOf(parent))?.length === length ? parent : undefined
    walk(parent, (node) => {
      looked += 1
      if (!isElement(node)) return true
      if (findSimilarElements(childrenOf(node))?.length === length) list = node
      return looked > MAX_NODES || list !== undefined ? 'stop' : true
    })
    if (list !== undefined) return list
    at = parent
  }
  return undefined
}

/** True if most items contain a link to another page, or an image. */
export const areLinked = (items: readonly Element[]): boolean => items.filter(isLinked).length > items.length / 2

function isLinked(item: Element): boolean {
  let nodes = 0
  let leads = false
  const isSign = ({ name, attribs }: Element): boolean =>
    name === 'img' || (name === 'a' && /^[^#]/u.test(attribs['href'] ?? ''))
  walk(item, (node) => {
    nodes += 1
    leads ||= isElement(node) && isSign(node)
    return nodes > MAX_ITEM_NODES * 2 || leads ? 'stop' : true
  })
  return leads || isSign(item)
}
