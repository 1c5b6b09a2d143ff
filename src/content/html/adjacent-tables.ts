import { type Element, findElement, isElement } from './tree.js'

/** Maximum elements around a table that contain nothing else. */
export const MAX_WRAPPERS = 3

/** Elements that divide tables, though they have no text. */
const DIVIDERS: ReadonlySet<string> = new Set(['hr', 'svg', 'video', 'canvas', 'audio', 'iframe'])

/** True for an element that divides tables, or contains one. */
export const isDivider = (element: Element): boolean =>
  DIVIDERS.has(element.name) || findElement(element, ({ name }) => DIVIDERS.has(name)) !== undefined

/** Tests whether a table, or an element around it alone, has a name that the one before it lacks. */
export function isNamedAnew(before: Element, table: Element): boolean {
  const known = namesOf(before)
  return namesOf(table).some((name, up) => name !== '' && name !== known[up])
}

/** Names of a table and of the elements around it that contain nothing else, as far as markup states them. */
function namesOf(table: Element): string[] {
  const names: string[] = []
  let at = table
  for (let up = 0; up <= MAX_WRAPPERS; up += 1) {
    const { attribs } = at
    const stated = [attribs['aria-label'], attribs['aria-labelledby'], attribs['summary']].map((text = '') =>
      text.trim(),
    )
    // Parts of one table may be numbered.
    const id = at === table ? '' : (attribs['id'] ?? '').replace(/\d+/gu, '')
    names.push([...stated, id].filter((text) => text !== '').join(' '))
    const { parent } = at
    if (parent === null || !isElement(parent) || !isAlone(at)) break
    at = parent
  }
  return names
}

/** Tests for an element without others beside it. Its siblings are read up to the nearest one, because there may be many. */
function isAlone({ prev, next }: Element): boolean {
  let [before, after] = [prev, next]
  while (before !== null && !isElement(before)) before = before.prev
  while (after !== null && !isElement(after)) after = after.next
  return before === null && after === null
}

/** Tests for the table itself, or an element that begins and ends with it. */
export function isWrapperOf(wrapper: Element, table: Element): boolean {
  let at: Element | undefined = wrapper
  for (let down = 0; down <= MAX_WRAPPERS && at !== undefined; down += 1) {
    if (at === table) return true
    const inner: readonly Element[] = at.children.filter(isElement)
    at = inner.length === 1 ? inner[0] : undefined
  }
  return false
}

/** True for a table with a caption. */
export const holdsCaption = ({ children }: Element): boolean =>
  children.some((child) => isElement(child) && child.name === 'caption')
