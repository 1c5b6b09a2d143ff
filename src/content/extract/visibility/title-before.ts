import { type Element, isElement, isText } from '../../html/tree.js'

const TITLES = new Set(['h2', 'h3', 'h4', 'h5', 'h6', 'dt', 'button'])
const TITLE_NAME = /(?:^|[\s_-])(?:question|answer|accordion|toggle|expand|collaps|trigger)/i

/** Returns the previous sibling if it may be the title that opens the element. */
export function titleBefore(element: Element): Element | undefined {
  const before = beside(element, 'prev')
  if (before === undefined) return undefined
  const around = element.parent !== null && isElement(element.parent) ? classOf(element.parent) : ''
  const isTitle = TITLES.has(before.name) || TITLE_NAME.test(`${classOf(before)} ${classOf(element)} ${around}`)
  return isTitle ? before : undefined
}

const classOf = ({ attribs }: Element): string => (attribs['class'] ?? '').slice(0, 200)

/** Class names that differ between an open and a closed panel. */
const STATE =
  /(?:^|\s)(?:is-|ui-state-)?(?:active|open|opened|closed|collapsed|expanded|current|selected|show|shown|hidden|hide|first|last)(?=\s|$)/gi

/** Identifies the markup of an element, whether it is open or closed. */
export const markOf = (element: Element): string => `${element.name} ${classOf(element).replace(STATE, '').trim()}`

/** Returns the sibling of an element if there is no text between. */
export function beside(element: Element, side: 'next' | 'prev'): Element | undefined {
  for (let at = element[side]; at !== null; at = at[side]) {
    if (isElement(at)) return at
    if (isText(at) && at.data.trim() !== '') return undefined
  }
  return undefined
}
