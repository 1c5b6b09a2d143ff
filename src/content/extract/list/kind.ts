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

/** Kinds of the elements around a value, the outermost first, joined by `>`; those without a kind are left out. */
export interface CellPlace {
  readonly path: string
  /** Number of the kinds. */
  readonly kinds: number
}

export const NO_PLACE: CellPlace = { path: '', kinds: 0 }
/** Maximum kinds in a place. The outermost ones are left out. */
const MAX_KINDS = 12

/** Adds the kind of an element to the place of the one around it. */
export function placeWithin(around: CellPlace, kind: string): CellPlace {
  if (kind === '') return around
  const { path, kinds } = around
  if (kinds === 0) return { path: kind, kinds: 1 }
  const whole = `${path}>${kind}`
  return kinds < MAX_KINDS
    ? { path: whole, kinds: kinds + 1 }
    : { path: whole.slice(whole.indexOf('>') + 1), kinds: MAX_KINDS }
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

/** Minimum share of the entries with a part that belongs to their form. */
const COMMON = 0.8
/** Minimum parts of such a form. Fewer are those of any text. */
const MIN_PARTS = 2
/** Minimum entries with a part that only some of them have, such as a badge. */
const MIN_SHARED = 2

/**
 * Returns the share of entries that are made alike: that have exactly the same parts, or else all those that most entries have,
 * and no others than some entries share. Cards have a badge, an old price or a rating only where there is one.
 *
 * @param entries kinds of the parts of each entry
 * @param mayLackParts false for entries that must have exactly the same parts: sections of a text lack parts as well
 */
export function shareAlike(entries: readonly ReadonlySet<string>[], mayLackParts: boolean): number {
  if (entries.length === 0) return 0
  const shapes = countKeys(entries.map((parts) => [...parts].sort().join(' ')))
  const same = Math.max(...shapes.values())
  const counts = countKeys(entries.flatMap((parts) => [...parts]))
  const common = [...counts].flatMap(([part, count]) => (count >= entries.length * COMMON ? part : []))
  if (!mayLackParts || common.length < MIN_PARTS) return same / entries.length
  const isAlike = (parts: ReadonlySet<string>): boolean =>
    common.every((part) => parts.has(part)) && [...parts].every((part) => (counts.get(part) ?? 0) >= MIN_SHARED)
  return Math.max(same, entries.filter(isAlike).length) / entries.length
}

function countKeys(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}
