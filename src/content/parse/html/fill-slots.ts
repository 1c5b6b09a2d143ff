import {
  type ChildNode,
  type Document,
  type Element,
  type ParentNode,
  isElement,
  isText,
  setChildren,
  walk,
} from '../../html/tree.js'

/** True for a declarative shadow root, whose contents are shown as those of the element around it. */
export const isShadowRoot = ({ name, attribs }: Element): boolean =>
  name === 'template' && attribs['shadowrootmode'] !== undefined

/**
 * Moves the children of elements with a declarative shadow root into its slots, where a browser shows them. Children
 * without a slot stay where they are.
 *
 * @see https://html.spec.whatwg.org/multipage/scripting.html#attr-template-shadowrootmode
 */
export function fillSlots(document: Document): void {
  // An element has one shadow root: the first.
  const roots = new Map<ParentNode, Element>()
  walk(document, (node) => {
    if (!isElement(node) || !isShadowRoot(node)) return
    const { parent: host } = node
    if (host !== null && !roots.has(host)) roots.set(host, node)
  })
  // Outer roots come first: a slot of theirs may be a child that an inner one has a slot for.
  for (const [host, root] of roots) fillSlotsOf(host, root)
}

function fillSlotsOf(host: ParentNode, root: Element): void {
  const slots = listSlots(root)
  if (slots.size === 0) return
  const assigned = new Map<Element, ChildNode[]>()
  const left: ChildNode[] = []
  for (const child of host.children) {
    const slot = isElement(child) && isShadowRoot(child) ? undefined : slots.get(slotOf(child))
    const nodes = slot === undefined ? left : (assigned.get(slot) ?? [])
    nodes.push(child)
    if (slot !== undefined) assigned.set(slot, nodes)
  }
  setChildren(host, left)
  // White space alone replaces no default contents.
  for (const [slot, nodes] of assigned) if (!nodes.every(isBlank)) setChildren(slot, nodes)
}

const isBlank = (node: ChildNode): boolean => isText(node) && node.data.trim() === ''

const slotOf = (child: ChildNode): string => (isElement(child) ? (child.attribs['slot'] ?? '') : '')

/** Lists the slots of a shadow root by their names, the first of each name. Those of roots inside are not among them. */
function listSlots(root: Element): ReadonlyMap<string, Element> {
  const slots = new Map<string, Element>()
  walk(root, (node) => {
    if (!isElement(node) || (node !== root && isShadowRoot(node))) return false
    const name = node.attribs['name'] ?? ''
    if (node.name === 'slot' && !slots.has(name)) slots.set(name, node)
    return true
  })
  return slots
}
