import { type ChildNode, collapse, type Element, isElement, isText, parentElement, textOf } from '../../html/tree.js'

/** Elements whose words name something: what they are in, or what they stand before. */
const NAMES: ReadonlySet<string> = new Set(
  'a button label summary legend caption figcaption figure th option abbr time h1 h2 h3 h4 h5 h6 dt nav svg'.split(' '),
)

/** Maximum words of a name, and of a text that stands alone and is taken for one. */
const MAX_WORDS = 15
const MAX_WORDS_ALONE = 5

/** Maximum elements around a text that may be what it names. */
const MAX_AROUND = 3

/** True for a text for screen readers that names something which is seen: a control, a value, a heading, a picture. */
export function namesSomething(element: Element): boolean {
  const text = collapse(textOf(element))
  const words = text.split(' ').length
  if (words > MAX_WORDS || text.length > MAX_WORDS * 10) return false
  if (words <= MAX_WORDS_ALONE && text.length <= MAX_WORDS_ALONE * 10) return !isInRow(element)
  if (element.attribs['aria-live'] !== undefined || element.attribs['role'] === 'status') return true
  for (let at: Element | undefined = element, step = 0; at !== undefined && step <= MAX_AROUND; step += 1) {
    if (NAMES.has(at.name)) return true
    at = parentElement(at)
  }
  return false
}

/** True for an element beside another like it: together they are a text that is cut into pieces. */
function isInRow(element: Element): boolean {
  const { class: classes, style } = element.attribs
  const isLike = (other: Element | undefined): boolean =>
    other?.name === element.name && other.attribs['class'] === classes && other.attribs['style'] === style
  return isLike(beside(element, 'prev')) || isLike(beside(element, 'next'))
}

/** Returns the element beside another with nothing between them but white space. */
function beside(element: Element, way: 'prev' | 'next'): Element | undefined {
  let at: ChildNode | null = element[way]
  while (at !== null && isText(at) && at.data.trim() === '') at = at[way]
  return at !== null && isElement(at) ? at : undefined
}
