import type { Element } from '../../html/tree.js'

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
