import { builtInsOf } from './built-ins-of.js'
/** Maximum elements that are searched for shadow roots, and shadow roots that are listed. */
const MAX_ELEMENTS = 50_000
const MAX_ROOTS = 2_000
/** Maximum shadow roots around an element that are looked through. */
const MAX_HOSTS = 50

/** A document, or an open shadow root in it. */
export type TreeRoot = Document | ShadowRoot

/** Lists the document and the open shadow roots in it, outer ones first. */
export function listRoots(): TreeRoot[] {
  const roots: TreeRoot[] = [document]
  let left = MAX_ELEMENTS
  for (let at = 0; at < roots.length; at++) {
    for (const element of builtInsOf(roots[at] ?? document).querySelectorAll('*')) {
      left -= 1
      if (left < 0 || roots.length >= MAX_ROOTS) return roots
      const { shadowRoot } = builtInsOf(element)
      if (shadowRoot) roots.push(shadowRoot)
    }
  }
  return roots
}

/** Lists the elements that match a selector, in the document and its open shadow roots. */
export const findAll = (selector: string): HTMLElement[] =>
  listRoots().flatMap((root) => [...builtInsOf(root).querySelectorAll<HTMLElement>(selector)])

/** Returns the host of the shadow root that an element is in; undefined in the document. */
function hostOf(element: Element): Element | undefined {
  const root = builtInsOf(element).getRootNode()
  return root instanceof ShadowRoot ? root.host : undefined
}

/** Returns the element around an element: beyond a shadow root, the host of that. */
export const outerOf = (element: Element): Element | undefined => builtInsOf(element).parentElement ?? hostOf(element)

/** Returns the element around an element as they are drawn: an element in a slot is inside of it. */
export const drawnAround = (element: Element): Element | undefined =>
  builtInsOf(element).assignedSlot ?? outerOf(element)

/** Tests whether an element matches a selector, or one around it does, also beyond a shadow root. */
export function isInside(element: Element, selector: string): boolean {
  let at: Element | undefined = element
  for (let up = 0; at && up < MAX_HOSTS; up++, at = hostOf(at)) if (builtInsOf(at).closest(selector)) return true
  return false
}

/** Lists the children of an element, and before them those of its open shadow root. */
export function childrenIn(element: Element): Element[] {
  const { shadowRoot, children } = builtInsOf(element)
  return shadowRoot ? [...shadowRoot.children, ...children] : [...children]
}

/** Maximum nodes and characters of an element that are read. */
const MAX_NODES = 2_000
const MAX_TEXT = 4_000

/** Returns the text of an element, with that in open shadow roots inside of it. */
export function textIn(element: Element): string {
  let text = ''
  let left = MAX_NODES
  const stack: Node[] = [element]
  for (let node = stack.pop(); node && left > 0 && text.length < MAX_TEXT; node = stack.pop(), left--) {
    if (builtInsOf(node).nodeType === Node.TEXT_NODE) text += node.nodeValue ?? ''
    else if (!/^(?:style|script|template)$/.test(builtInsOf(node as Partial<Element>).localName ?? ''))
      stack.push(...drawnChildren(node).slice(0, MAX_NODES).reverse())
  }
  return text
}

/** Finds the first element inside of an element that matches a selector, also in open shadow roots. */
export function findInside(element: Element, selector: string): Element | undefined {
  let left = MAX_NODES
  const stack: Node[] = [...drawnChildren(element)].reverse()
  for (let node = stack.pop(); node && left > 0; node = stack.pop(), left--) {
    if (builtInsOf(node).nodeType !== Node.ELEMENT_NODE) continue
    if (builtInsOf(node as Element).matches(selector)) return node as Element
    stack.push(...drawnChildren(node).slice(0, MAX_NODES).reverse())
  }
  return undefined
}

/** Lists the child nodes of a node that are drawn: those of its shadow root, and those that a slot has. */
export function drawnChildren(node: Node): Node[] {
  const { shadowRoot, localName } = builtInsOf(node as Partial<Element>)
  if (shadowRoot) return [...shadowRoot.childNodes]
  if (localName === 'slot' && node.getRootNode() instanceof ShadowRoot) {
    const assigned = (node as HTMLSlotElement).assignedNodes()
    if (assigned.length > 0) return assigned
  }
  return [...builtInsOf(node).childNodes]
}

/** Elements that would change the page around the copy, or show nothing. Data in a script is kept. */
const NOT_COPIED = 'style, template, link[rel~="stylesheet" i], script:not([type$="json" i])'

/**
 * Copies an element with what its open shadow roots show, as a tree without shadow roots. Components are copied as unknown
 * elements of the same name, so that their scripts do not run for the copy.
 */
export function copyDrawn(element: Element, store: Document): Element {
  let left = MAX_NODES
  const copy = (node: Node): Node | undefined => {
    left -= 1
    if (left < 0) return undefined
    return builtInsOf(node).nodeType === Node.ELEMENT_NODE ? copyAlone(node as Element, store) : store.importNode(node)
  }
  const root = copyAlone(element, store)
  const stack: [Node, Element][] = [[element, root]]
  for (let next = stack.pop(); next; next = stack.pop()) {
    const [from, to] = next
    for (const child of drawnChildren(from)) {
      if (builtInsOf(child).nodeType === Node.ELEMENT_NODE && builtInsOf(child as Element).matches(NOT_COPIED)) continue
      const made = copy(child)
      if (!made) return root
      to.append(made)
      if (made.nodeType === Node.ELEMENT_NODE) stack.push([child, made as Element])
    }
  }
  return root
}

function copyAlone(element: Element, store: Document): Element {
  const { shadowRoot, localName, attributes } = builtInsOf(element)
  if (!shadowRoot && !localName.includes('-')) return store.importNode(element)
  // The parser takes names that a script cannot give, such as `fb:like-box`. Attributes are copied as they are for the same reason.
  const made = store.createElementNS(null, localName.replace(/[^\w.-]/g, '-'))
  for (const attribute of attributes) made.setAttributeNode(attribute.cloneNode() as Attr)
  return made
}
