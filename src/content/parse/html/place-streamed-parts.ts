import {
  type ChildNode,
  type Document,
  type Element,
  type ParentNode,
  append,
  isElement,
  setChildren,
  walk,
} from '../../html/tree.js'

const BOUNDARY = 'data-stream-boundary'

/**
 * Writes the comments around the parts that React streams as elements, because the tree has no comments. What stands between them after
 * the place of a part is shown until the part comes.
 */
export const markBoundaries = (source: string): string =>
  source.includes('<!--$?-->')
    ? source.replace(/<!--(?:\$[?!~]?|(\/)\$)-->/g, (_, end?: string) => {
        return `<template ${BOUNDARY}="${end === undefined ? 'start' : 'end'}"></template>`
      })
    : source

/**
 * Moves the parts of a page that React streamed to their positions. React sends a part that was not ready in time as
 * `<div hidden id="S:1">` at the end of the page, and replaces `<template id="B:1">` with it by a script. Scripts are
 * not run here.
 */
export function placeStreamedParts(document: Document): void {
  const parts = new Map<string, Element>()
  const places: Element[] = []
  walk(document, (node) => {
    if (!isElement(node)) return
    const { id, hidden } = node.attribs
    if (id === undefined) return
    if (isPlace(node)) places.push(node)
    else if (hidden !== undefined && id.startsWith('S:')) parts.set(id.slice(2), node)
  })
  const replaced = new Set<ChildNode>()
  for (const place of places) {
    const part = parts.get(place.attribs['id']?.slice(2) ?? '')
    if (part === undefined || contains(part, place)) continue
    for (const node of listFallback(place)) replaced.add(node)
    place.name = 'div'
    place.attribs = {}
    for (const child of part.children) {
      child.prev = null
      child.next = null
      append(place, child)
    }
    part.children = []
  }
  removeNodes(replaced)
}

/** Maximum nodes that are shown in place of a part. */
const MAX_FALLBACK = 1000

/** Lists what is shown in place of a part until it comes. */
function listFallback(place: Element): readonly ChildNode[] {
  const shown: ChildNode[] = []
  let depth = 0
  for (let at = place.next; at !== null && shown.length < MAX_FALLBACK; at = at.next) {
    const boundary = isElement(at) ? at.attribs[BOUNDARY] : undefined
    if (boundary === 'end' && depth === 0) return shown
    if (boundary !== undefined) depth += boundary === 'start' ? 1 : -1
    shown.push(at)
  }
  return []
}

/** Removes nodes from their parents, each of which is changed once. */
function removeNodes(nodes: ReadonlySet<ChildNode>): void {
  const parents = new Set<ParentNode>()
  for (const { parent } of nodes) if (parent !== null) parents.add(parent)
  for (const parent of parents)
    setChildren(
      parent,
      parent.children.filter((child) => !nodes.has(child)),
    )
}

/** True for an element that a streamed part of the page replaces. */
export const isPlace = ({ name, attribs }: Element): boolean =>
  name === 'template' && /^[BP]:/.test(attribs['id'] ?? '')

function contains(outer: Element, inner: Element): boolean {
  for (let at: ParentNode | null = inner; at !== null; at = at.parent) if (at === outer) return true
  return false
}
