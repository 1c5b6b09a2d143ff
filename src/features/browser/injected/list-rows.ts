import { builtInsOf } from './built-ins-of.js'
import { findInside, isInside, listRoots, outerOf, textIn } from './shadow-tree.js'

/** Finds the rows of a list: elements of one name in containers of one kind. */
export interface RowPattern {
  /** Name of the rows' elements. */
  readonly row: string
  /** Selector of the containers; empty where the shadow root itself is the container. */
  readonly container: string
  /** Kind of the elements around the containers. */
  readonly around: string
  /** Name of the hosts whose shadow roots have the containers; empty in the document. */
  readonly host: string
  /** Number of elements around the containers, to tell them from elements without a class around or inside of them. */
  readonly depth: number
  /** True if the page has open shadow roots, so that rows may show what is in them. */
  readonly isDeep: boolean
}

/** An element around rows, or the shadow root that has them. */
type RowContainer = Element | ShadowRoot

/** Elements whose lists are not the content of a page. */
export const FRAME =
  'nav, header, footer, aside, dialog, form, svg, select, [role="navigation"], [role="contentinfo"], [role="banner"], [role="dialog"], [role="menu"], [role="tablist"]'

/** Elements that are no rows: parts of a text, and what is not shown. */
const NO_ROW =
  /^(?:p|h[1-6]|br|hr|b|i|em|strong|span|small|sup|sub|code|option|script|style|link|meta|template|source|col|path|button|input|label|dt|dd)$/

/** Rows of which the content is not there yet, by their class or their text. */
const PLACEHOLDER = /skeleton|placeholder|loading|shimmer/i
const LOADING =
  /^(?:loading|please wait|laden|wird geladen|lädt|chargement|cargando|caricamento|carregando|загрузка|読み込み中|加载中)(?: more| mehr)?\s?(?:\.{2,3}|…)?$/i

const MAX_CONTAINERS = 20_000
const MIN_ROWS = 3
/** Maximum length of the text of a place whose row has not come yet, with white space. Characters. */
const MAX_LOADING_TEXT = 80
/** Maximum length of the text of a row that counts when lists are compared. Characters. */
const MAX_ROW_TEXT = 400

/** Returns a key of an element's name and first class. */
function kindOf(element: Element): string {
  const { localName, classList } = builtInsOf(element)
  return `${localName}.${classList[0] ?? ''}`
}

/** Returns the text of a row; of a component, what it shows. */
export const rowText = (row: Element, isDeep: boolean): string => {
  const text = builtInsOf(row).textContent
  return isDeep && text.trim() === '' ? textIn(row) : text
}

const hasContent = (element: Element, isDeep: boolean): boolean =>
  rowText(element, isDeep).trim() !== '' ||
  builtInsOf(element).querySelector('img, video') !== null ||
  (isDeep && findInside(element, 'img, video') !== undefined)

const isRow = (element: Element, name: string, isDeep: boolean): boolean =>
  builtInsOf(element).localName === name && !isPending(element, isDeep) && hasContent(element, isDeep)

/** Tests for the place of a row that has not come yet. */
function isPending(element: Element, isDeep: boolean): boolean {
  if (builtInsOf(element).ariaBusy === 'true') return true
  if (PLACEHOLDER.test(builtInsOf(element).getAttribute('class') ?? '')) return true
  const text = rowText(element, isDeep)
  return text.length <= MAX_LOADING_TEXT && LOADING.test(text.trim())
}

/**
 * Finds the list with the most text in its rows, outside of the frame of the page. A list has at least three rows with
 * children of their own or a link.
 */
export function findList(): RowPattern | undefined {
  const scores = new Map<string, { pattern: RowPattern; score: number; rows: number }>()
  const roots = listRoots()
  const isDeep = roots.length > 1
  for (const container of listContainers(roots)) {
    if (builtInsOf(container).childElementCount === 0 || builtInsOf(elementOf(container)).matches(FRAME)) continue
    const { row, rows } = commonChild(container, isDeep)
    if (row === undefined || isFramed(container)) continue
    const pattern = describe(container, row, isDeep)
    const key = JSON.stringify(pattern)
    const known = scores.get(key) ?? { pattern, score: 0, rows: 0 }
    known.rows += rows.length
    known.score += rows.reduce((sum, one) => sum + Math.min(rowText(one, isDeep).trim().length, MAX_ROW_TEXT), 0)
    scores.set(key, known)
  }
  const lists = [...scores.values()].filter(({ rows }) => rows >= MIN_ROWS)
  return lists.sort((one, other) => other.score - one.score)[0]?.pattern
}

const listContainers = (roots: ReturnType<typeof listRoots>): RowContainer[] =>
  roots
    .flatMap((root): RowContainer[] =>
      root instanceof ShadowRoot
        ? [root, ...root.querySelectorAll('*')]
        : [...builtInsOf(root).querySelectorAll('body, body *')],
    )
    .slice(0, MAX_CONTAINERS)

/** Returns the element that stands for a container in the page. */
export const elementOf = (container: RowContainer): Element =>
  container instanceof ShadowRoot ? container.host : container

const isFramed = (container: RowContainer): boolean => isInside(elementOf(container), FRAME)

/** Finds the children of a container with the most frequent name, if these may be rows. */
function commonChild(container: RowContainer, isDeep: boolean): { row: string | undefined; rows: readonly Element[] } {
  const byName = new Map<string, Element[]>()
  for (const child of builtInsOf(container).children) {
    const { localName, childElementCount, shadowRoot } = builtInsOf(child)
    if (NO_ROW.test(localName) || !isRow(child, localName, isDeep)) continue
    const isFlat = childElementCount === 0 && shadowRoot === null
    if (isFlat && localName !== 'li' && localName !== 'a' && localName !== 'div') continue
    const alike = byName.get(localName)
    if (alike) alike.push(child)
    else byName.set(localName, [child])
  }
  const [row, rows = []] = [...byName].sort(([, one], [, other]) => other.length - one.length)[0] ?? []
  return { row, rows }
}

function describe(container: RowContainer, row: string, isDeep: boolean): RowPattern {
  const root = builtInsOf(container).getRootNode()
  const host = root instanceof ShadowRoot ? builtInsOf(root.host).localName : ''
  const place = { around: aroundOf(container), host, depth: depthOf(container), isDeep }
  if (container instanceof ShadowRoot) return { row, container: '', ...place }
  const { localName, classList } = builtInsOf(container)
  const [name] = classList
  const selector = `${CSS.escape(localName)}${name === undefined ? '' : `.${CSS.escape(name)}`}`
  return { row, container: selector, ...place }
}

function depthOf(container: RowContainer): number {
  let depth = 0
  for (let at = outerOf(elementOf(container)); at; at = outerOf(at)) depth++
  return depth
}

const aroundOf = (container: RowContainer): string => {
  const outer = outerOf(elementOf(container))
  return outer ? kindOf(outer) : ''
}

/** Lists the containers of a list that are in the tree. */
export function readContainers({ container, around, host, depth }: RowPattern): RowContainer[] {
  const isOfHost = (root: Document | ShadowRoot): boolean =>
    (root instanceof ShadowRoot ? builtInsOf(root.host).localName : '') === host
  const roots = host === '' ? [document] : listRoots().filter(isOfHost)
  const found = roots.flatMap((root): RowContainer[] =>
    container === '' && root instanceof ShadowRoot ? [root] : [...builtInsOf(root).querySelectorAll(container)],
  )
  const alike = found.filter((one) => aroundOf(one) === around && !isFramed(one))
  return withoutNested(alike, depth)
}

/**
 * Removes containers around or inside of those at the depth of the list: they match as well if the elements of the page
 * have no classes, and would make the whole list a row.
 */
function withoutNested(containers: readonly RowContainer[], depth: number): RowContainer[] {
  const exact = new Set(containers.filter((one) => depthOf(one) === depth).map(elementOf))
  if (exact.size === 0 || exact.size === containers.length) return [...containers]
  const around = new Set<Element>()
  for (const one of exact) for (let at = outerOf(one); at && !around.has(at); at = outerOf(at)) around.add(at)
  const isInExact = (element: Element): boolean => {
    for (let at = outerOf(element); at; at = outerOf(at)) if (exact.has(at)) return true
    return false
  }
  return containers.filter((one) => {
    const element = elementOf(one)
    return exact.has(element) || (!around.has(element) && !isInExact(element))
  })
}

/** Tests whether the list has places of rows that have not come yet. */
export const hasPendingRows = (pattern: RowPattern): boolean =>
  readContainers(pattern).some((one) =>
    [...builtInsOf(one).children].some(
      (child) => builtInsOf(child).localName === pattern.row && isPending(child, pattern.isDeep),
    ),
  )

/** Lists the rows of a list that are in the tree, in the order in which they are seen. */
export function readRows(pattern: RowPattern): Element[] {
  const rows = readContainers(pattern).flatMap((one) =>
    [...builtInsOf(one).children].filter((child) => isRow(child, pattern.row, pattern.isDeep)),
  )
  const [first] = rows
  if (!first || getComputedStyle(first).position !== 'absolute') return rows
  // Rows that place themselves may stand in the tree in any order.
  const placed = rows.map((row) => ({ row, box: builtInsOf(row).getBoundingClientRect() }))
  return placed.sort((one, other) => one.box.top - other.box.top || one.box.left - other.box.left).map(({ row }) => row)
}
