/** Finds the rows of a list: elements of one name in containers of one kind. */
export interface RowPattern {
  /** Name of the rows' elements. */
  readonly row: string
  /** Selector of the containers. */
  readonly container: string
  /** Kind of the elements around the containers. */
  readonly around: string
}

/** Elements whose lists are not the content of a page. */
export const FRAME =
  'nav, header, footer, aside, dialog, form, svg, select, [role="navigation"], [role="contentinfo"], [role="banner"], [role="dialog"], [role="menu"], [role="tablist"]'

/** Elements that are no rows: parts of a text, and what is not shown. */
const NO_ROW =
  /^(?:p|h[1-6]|br|hr|b|i|em|strong|span|small|sup|sub|code|option|script|style|link|meta|template|source|col|path|button|input|label|dt|dd)$/

/** Rows of which the content is not there yet. */
const PLACEHOLDER = /skeleton|placeholder|loading|shimmer/i

const MAX_CONTAINERS = 20_000
const MIN_ROWS = 3
/** Maximum length of the text of a row that counts when lists are compared. Characters. */
const MAX_ROW_TEXT = 400

/** Returns a key of an element's name and first class. */
const kindOf = ({ localName, classList }: Element): string => `${localName}.${classList[0] ?? ''}`

const hasContent = (element: Element): boolean =>
  element.textContent.trim() !== '' || element.querySelector('img, video') !== null

const isRow = (element: Element, name: string): boolean =>
  element.localName === name &&
  element.ariaBusy !== 'true' &&
  !PLACEHOLDER.test(element.getAttribute('class') ?? '') &&
  hasContent(element)

/**
 * Finds the list with the most text in its rows, outside of the frame of the page. A list has at least three rows with
 * children of their own or a link.
 */
export function findList(): RowPattern | undefined {
  const scores = new Map<string, { pattern: RowPattern; score: number; rows: number }>()
  for (const container of [...document.querySelectorAll('body, body *')].slice(0, MAX_CONTAINERS)) {
    if (container.childElementCount === 0 || container.matches(FRAME)) continue
    const { row, rows } = commonChild(container)
    if (row === undefined || container.closest(FRAME)) continue
    const pattern = describe(container, row)
    const key = JSON.stringify(pattern)
    const known = scores.get(key) ?? { pattern, score: 0, rows: 0 }
    known.rows += rows.length
    known.score += rows.reduce((sum, { textContent }) => sum + Math.min(textContent.trim().length, MAX_ROW_TEXT), 0)
    scores.set(key, known)
  }
  const lists = [...scores.values()].filter(({ rows }) => rows >= MIN_ROWS)
  return lists.sort((one, other) => other.score - one.score)[0]?.pattern
}

/** Finds the children of a container with the most frequent name, if these may be rows. */
function commonChild(container: Element): { row: string | undefined; rows: readonly Element[] } {
  const byName = new Map<string, Element[]>()
  for (const child of container.children) {
    const { localName } = child
    if (NO_ROW.test(localName) || !isRow(child, localName)) continue
    if (child.childElementCount === 0 && localName !== 'li' && localName !== 'a' && localName !== 'div') continue
    const alike = byName.get(localName)
    if (alike) alike.push(child)
    else byName.set(localName, [child])
  }
  const [row, rows = []] = [...byName].sort(([, one], [, other]) => other.length - one.length)[0] ?? []
  return { row, rows }
}

const describe = (container: Element, row: string): RowPattern => {
  const [name] = container.classList
  const selector = `${CSS.escape(container.localName)}${name === undefined ? '' : `.${CSS.escape(name)}`}`
  return { row, container: selector, around: container.parentElement ? kindOf(container.parentElement) : '' }
}

/** Lists the containers of a list that are in the tree. */
export const readContainers = ({ container, around }: RowPattern): Element[] =>
  [...document.querySelectorAll(container)].filter(
    (one) => (one.parentElement ? kindOf(one.parentElement) : '') === around && !one.closest(FRAME),
  )

/** Lists the rows of a list that are in the tree, in the order in which they are seen. */
export function readRows(pattern: RowPattern): Element[] {
  const rows = readContainers(pattern).flatMap((one) => [...one.children].filter((child) => isRow(child, pattern.row)))
  const [first] = rows
  if (!first || getComputedStyle(first).position !== 'absolute') return rows
  // Rows that place themselves may stand in the tree in any order.
  const placed = rows.map((row) => ({ row, box: row.getBoundingClientRect() }))
  return placed.sort((one, other) => one.box.top - other.box.top || one.box.left - other.box.left).map(({ row }) => row)
}
