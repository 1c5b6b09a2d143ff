import { type Document, type Element, type ParentNode, append, isElement, walk } from '../../html/tree.js'

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
  for (const place of places) {
    const part = parts.get(place.attribs['id']?.slice(2) ?? '')
    if (part === undefined || contains(part, place)) continue
    place.name = 'div'
    place.attribs = {}
    for (const child of part.children) {
      child.prev = null
      child.next = null
      append(place, child)
    }
    part.children = []
  }
}

/** True for an element that a streamed part of the page replaces. */
export const isPlace = ({ name, attribs }: Element): boolean =>
  name === 'template' && /^[BP]:/.test(attribs['id'] ?? '')

function contains(outer: Element, inner: Element): boolean {
  for (let at: ParentNode | null = inner; at !== null; at = at.parent) if (at === outer) return true
  return false
}
