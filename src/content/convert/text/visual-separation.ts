import { isHiddenFromView } from './screen-reader-text.js'
import { isNewWord, UNIT } from './word-border.js'
import { type ChildNode, type Element, isBlockElement, isElement, isText } from '../../html/tree.js'

// Class names of layouts with gaps between children: Bootstrap's, Tailwind's and the like.
const GAP_BETWEEN = /(?:^|\s)(?:[a-z]{2}:)?(?:d-|is-)?(?:inline-)?(?:flex|grid)(?=\s|$)/
const GAP_AROUND =
  /(?:^|[\s_-])(?:badge|btn|button|chip|pill|tag|d-(?:inline-)?block|inline-block)(?=[\s_-]|$)|(?:^|\s)(?:[a-z]{2,3}-)?(?:block|[mp][xlrse]-\d+)(?=\s|$)/
const STYLED_APART = /(?:^|[;\s])(?:display\s*:\s*(?:inline-)?(?:block|flex|grid|table)|margin|padding|float)/
const STYLED_BETWEEN = /(?:^|[;\s])display\s*:\s*(?:inline-)?(?:flex|grid)/

const IN_WORD: ReadonlySet<string> = new Set([
  'sub',
  'sup',
  'wbr',
  'rt',
  'rp',
  'rb',
  'math',
  'code',
  'kbd',
  'samp',
  'tt',
])
const MARKS: ReadonlySet<string> = new Set(['b', 'strong', 'i', 'em', 'u', 's', 'del', 'ins', 'strike', 'mark', 'q'])

/** Form fields and drawings. They take room in a line, and have no text of their own in Markdown. */
const FIELDS: ReadonlySet<string> = new Set('canvas input meter progress select textarea'.split(' '))

/** True for an element that separates the words before and after it, without a space between them. */
export const isField = ({ name, attribs }: Element): boolean => FIELDS.has(name) && attribs['type'] !== 'hidden'

/** True for an element without content that is drawn between words by its style alone: `<span class="sep"></span>`. */
export const isEmptySeparator = ({ attribs, children }: Element): boolean =>
  children.length === 0 && attribs['class'] !== undefined && SEPARATOR_NAME.test(attribs['class'])

/** True for an element without content that is named as the end of a line: `<span class="br"></span>`. */
export const isEmptyBreak = ({ attribs, children }: Element): boolean =>
  children.length === 0 && attribs['class'] !== undefined && BREAK_NAME.test(attribs['class'])

const BREAK_NAME =
  /(?:^|\s)(?:(?:u|is|text)-)?(?:br|lb|(?:line|soft|hard|forced)[-_]?break|break(?:-line)?|new-?line)(?=\s|$)/i

const SEPARATOR_NAME = /(?:^|[\s_-])(?:sep(?:arator)?|divider|delimiter)(?=[\s_-]|$)/i

/**
 * True for an inline element that only its style separates from the one directly before it, so that their words would
 * run together: `<span>Ada Byron</span><span>May 7</span>`.
 */
export function isVisuallySeparate(element: Element): boolean {
  const before = element.prev
  if (before === null || !isElement(before) || isBlockElement(before)) return false
  if (IN_WORD.has(element.name) || IN_WORD.has(before.name)) return false
  const left = textAtEnd(before, 'last')
  const right = left === '' ? '' : textAtEnd(element, 'first')
  if (right === '' || (left.length === 1 && right.length === 1)) return false
  if (!/[\p{L}\p{N}\p{Sc}.!?)%:,]$/u.test(left) || !/^[\p{L}\p{N}\p{Sc}]/u.test(right)) return false
  return (
    isStyledApart(element) ||
    isStyledApart(before) ||
    isBetween(element.parent) ||
    isHiddenFromView(element) ||
    isHiddenFromView(before) ||
    (!(isBareMark(element) && isBareMark(before)) && isNewWord({ before, element, left, right })) ||
    (!MARKS.has(element.name) && !MARKS.has(before.name) && beginsAnew(left, right)) ||
    isRow(element) ||
    areFieldsOfSeries(before, element, left, right)
  )
}

/** Class names that converters of documents give to each run of text. */
const RUN = /^[a-z]{1,3}\d+(?:\s|$)/i
/** Minimum letters of each text beside a border that elements of a series share. */
const MIN_FIELD = 2

/**
 * True for two elements whose parent holds nothing but elements, and has a sibling with the same elements: the label and the value, or
 * the name and the price, of each row.
 */
function areFieldsOfSeries(before: Element, element: Element, left: string, right: string): boolean {
  const { parent } = element
  if (left.length < MIN_FIELD || parent === null || !isElement(parent) || /^h\d$/.test(parent.name)) return false
  const [one = '', other = ''] = [before.attribs['class'], element.attribs['class']]
  if (RUN.test(one) || RUN.test(other) || (/\p{N}$/u.test(left) && UNIT.test(right))) return false
  const isNamed = one !== other || before.name !== element.name
  if (!isNamed && !/^[\p{Lu}\p{N}\p{Sc}]/u.test(right)) return false
  const form = formOf(parent)
  return (
    form !== '' && [siblingOf(parent, 'prev'), siblingOf(parent, 'next')].some((each) => each && formOf(each) === form)
  )
}

/** Maximum fields of a row. */
const MAX_FIELDS = 8

/** Describes an element that holds nothing but elements, by their names; `''` for any other. */
function formOf({ name, attribs, children }: Element): string {
  if (children.length < 2 || children.length > 2 * MAX_FIELDS) return ''
  let form = `${name}.${attribs['class'] ?? ''}`
  for (const child of children)
    if (isElement(child)) form += ` ${child.name}.${child.attribs['class'] ?? ''}`
    else if (isText(child) && child.data.trim() !== '') return ''
  return form
}

function siblingOf(element: Element, side: 'prev' | 'next'): Element | undefined {
  const beside = element[side]
  const other = beside !== null && isText(beside) && beside.data.trim() === '' ? beside[side] : beside
  return other !== null && isElement(other) ? other : undefined
}

/** True for a mark or link of which nothing says that it is more than a part of a word. */
const isBareMark = ({ name, attribs }: Element): boolean =>
  attribs['class'] === undefined && (MARKS.has(name) || name === 'a')

/** True for an element that its style or its name separates, and for an item of a list that browsers read out as one. */
const isStyledApart = ({ attribs }: Element): boolean =>
  attribs['role'] === 'listitem' ||
  (attribs['style'] !== undefined && STYLED_APART.test(attribs['style'])) ||
  (attribs['class'] !== undefined && GAP_AROUND.test(attribs['class']))

function isBetween(parent: Element['parent']): boolean {
  if (parent === null || !isElement(parent)) return false
  const { class: names, style } = parent.attribs
  return (names !== undefined && GAP_BETWEEN.test(names)) || (style !== undefined && STYLED_BETWEEN.test(style))
}

/** True if the second text cannot continue a word. A name in two colours is one word: `<b>Java</b><i>Script</i>`. */
function beginsAnew(left: string, right: string): boolean {
  if (left.length < 3 || right.length < 3) return false
  if (/[\p{Ll}\p{N}]$/u.test(left) && /^\p{Lu}/u.test(right)) return /\s|\p{N}$/u.test(left) || /^\S+\s+\S/.test(right)
  return /[.!?)]$/.test(left) && /^\p{Lu}\p{Ll}/u.test(right)
}

/** True for one of three or more elements of a kind, with nothing else beside them. */
function isRow({ name, attribs, parent }: Element): boolean {
  const kind = attribs['class']
  // Elements of a component, as `x-tag`, need no class.
  if ((kind === undefined && !name.includes('-')) || parent === null || parent.children.length < 3) return false
  // The first few are enough: a row may have thousands.
  return parent.children
    .slice(0, 5)
    .every(
      (node) =>
        isElement(node) && node.name === name && node.attribs['class'] === kind && textAtEnd(node, 'first').length > 2,
    )
}

/** Returns the text node at one end of an element, as text; `''` if there is white space or no text. */
function textAtEnd(element: Element, end: 'first' | 'last'): string {
  let at: ChildNode | undefined = element
  while (at !== undefined && isElement(at)) at = end === 'first' ? at.children[0] : at.children.at(-1)
  if (at === undefined || !isText(at)) return ''
  const { data } = at
  return /\s/.test((end === 'first' ? data[0] : data.at(-1)) ?? ' ') ? '' : data.trim()
}
