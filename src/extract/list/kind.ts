import { type Element, isElement } from '../../html/tree.js'

/** Maximum characters of a class attribute that are read. */
const MAX_CLASSES = 500

/**
 * Returns the kind of an element: its tag name and its first class, without digits. Digits number the entries of a list,
 * its rows and its columns.
 */
export function entryKind({ name, attribs }: Element): string {
  const first = /\S+/u.exec((attribs['class'] ?? '').slice(0, MAX_CLASSES))?.[0] ?? ''
  return first === '' ? name : `${name}.${first.replace(/\d+/g, '')}`
}

/** True if an element passes the test, or one of up to three elements around it does. */
export function isWithin(element: Element, passes: (element: Element) => boolean): boolean {
  let at: Element = element
  for (let up = 0; up <= 3; up += 1) {
    if (passes(at)) return true
    if (at.parent === null || !isElement(at.parent)) return false
    at = at.parent
  }
  return false
}
