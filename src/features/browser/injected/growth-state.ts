import { builtInsOf, pageDocument } from './built-ins-of.js'
import { copyDrawn, findInside } from './shadow-tree.js'
import { type RowPattern, readRows, rowText } from './list-rows.js'

/** Rows of the list that grows, in the order of the list: those in the tree, and copies of those that are gone. */
export interface GrowthState {
  /** Finds the rows in the tree; undefined where the page has no list. */
  pattern: RowPattern | undefined
  /** Copies by key. They belong to a document of their own, so that they load nothing. A row that cannot be copied has none. */
  copies: Map<string, Element>
  /** Text of each row by its key, to find rows that differ in their text only. */
  texts: Map<string, string>
  order: string[]
  /** Keys that are the link of the row. */
  links: Set<string>
  /** False once two rows had the same link and different texts: then the text is a part of the key. */
  isByLink: boolean
  /** True if a view of the list shared no row with the views before it. */
  hasGap: boolean
  /** Number of known rows that are not in the tree now. */
  gone: number
  /** Characters of the HTML of all rows. */
  length: number
  /** Height of the list at the beginning, in CSS pixels. */
  height: number
  /** True if a button was clicked to load more. */
  hasClicked: boolean
  /** True if the page offered to try again before it was asked for more: that is about something else. */
  hasOwnRetry: boolean
  /** Controls that were operated. */
  readonly opened: WeakSet<Element>
  /** Panels as they were shown, with the place in the tree of each. */
  readonly panels: { readonly at: Element; readonly copy: Element; readonly text: string }[]
  /** Panels of the controls that were operated. */
  readonly openedPanels: Set<HTMLElement>
  /** Functions that undo the changes of the tree for the time in which the page is read. */
  restore: (() => void)[]
  /** The document that owns the copies. */
  readonly store: Document
}

/** Only the isolated world can reach its own global object. */
const world = window as { listGrowth?: GrowthState }

/** Returns the state of the growth of this document. For the isolated world. */
export function growthState(): GrowthState {
  if (!hasGrowthState()) world.listGrowth = createState()
  return world.listGrowth as GrowthState
}

const createState = (): GrowthState => ({
  pattern: undefined,
  copies: new Map(),
  texts: new Map(),
  order: [],
  links: new Set(),
  isByLink: true,
  hasGap: false,
  gone: 0,
  length: 0,
  height: 0,
  hasClicked: false,
  hasOwnRetry: false,
  opened: new WeakSet(),
  panels: [],
  openedPanels: new Set(),
  restore: [],
  store: pageDocument.implementation.createHTMLDocument(''),
})

/** Tests whether {@link growthState} was used in this document. An element of that name is no property of its own. */
export const hasGrowthState = (): boolean => Object.hasOwn(world, 'listGrowth')

/** Returns the key of a row: its link, its number or id, or its text. */
export const keyOfRow = (row: Element, { isByLink, pattern }: GrowthState): string => {
  const isDeep = pattern?.isDeep === true
  return keyOf(row, textOf(row, isDeep), { isByLink, isDeep })
}

const keyOf = (row: Element, text: string, { isByLink, isDeep }: { isByLink: boolean; isDeep: boolean }): string => {
  const href = linkOf(row, isDeep)
  if (href !== undefined) return isByLink ? href : withText(href, text)
  for (const name of ['aria-rowindex', 'aria-posinset', 'data-index', 'data-item-index', 'data-id', 'data-key', 'id']) {
    const value = builtInsOf(row).getAttribute(name)
    if (value !== null && value !== '') return `${name} ${value}`
  }
  return text
}

const withText = (href: string, text: string): string => `${href} ${text}`

const linkOf = (row: Element, isDeep: boolean): string | undefined => {
  const link = builtInsOf(row).matches('a[href]') ? row : findLink(row, isDeep)
  const href = link?.getAttribute('href')
  return typeof href === 'string' && href !== '' ? href : undefined
}

const LINK = 'a[href]:not([href^="#"])'

const findLink = (row: Element, isDeep: boolean): Element | undefined =>
  builtInsOf(row).querySelector(LINK) ?? (isDeep ? findInside(row, LINK) : undefined)

/** Maximum length of the text of a row that is compared. Characters. */
const MAX_TEXT = 300

/** Reads the text of a row with single spaces, up to {@link MAX_TEXT} characters. */
const textOf = (row: Element, isDeep: boolean): string =>
  rowText(row, isDeep)
    .slice(0, MAX_TEXT * 4)
    .trim()
    .replace(/\s+/g, ' ')
    .slice(0, MAX_TEXT)

/** Adds the rows that are in the tree now. Returns the number of new ones. */
export function collectRows(state: GrowthState): number {
  const { pattern } = state
  if (!pattern) return 0
  const rows = readRows(pattern)
  let known = addRows(state, rows)
  if (known === undefined) {
    // Two rows have one link and different texts, so that the rows so far get new keys.
    addTextsToKeys(state)
    known = addRows(state, rows)
  }
  return known ?? 0
}

/** Adds the texts that the rows had to the keys that are links. The text of a copy differs: it has that of shadow roots. */
function addTextsToKeys(state: GrowthState): void {
  const { copies, texts, links } = state
  const keys = new Map(state.order.map((key) => [key, links.has(key) ? withText(key, texts.get(key) ?? '') : key]))
  const rename = <Value>(map: Map<string, Value>): Map<string, Value> =>
    new Map([...map].map(([key, value]) => [keys.get(key) ?? key, value]))
  state.isByLink = false
  state.copies = rename(copies)
  state.texts = rename(texts)
  state.order = [...keys.values()]
  state.links = new Set()
}

function addRows(state: GrowthState, rows: readonly Element[]): number | undefined {
  const { copies, texts, order, links, isByLink } = state
  const isDeep = state.pattern?.isDeep === true
  const view: string[] = []
  const seen = new Set<string>()
  const fresh = new Map<string, { row: Element; text: string }>()
  for (const row of rows) {
    const text = textOf(row, isDeep)
    const key = keyOf(row, text, { isByLink, isDeep })
    const other = fresh.get(key)?.text ?? (seen.has(key) ? texts.get(key) : undefined)
    if (isByLink && other !== undefined && other !== text) return undefined
    const known = texts.get(key)
    // Some virtual lists hide a row until they have measured it. Some fill a row in after it was shown.
    if (known === undefined && !fresh.has(key) && getComputedStyle(row).visibility === 'hidden') continue
    if (known === undefined || text.length > known.length) fresh.set(key, { row, text })
    if (!seen.has(key)) view.push(key)
    seen.add(key)
  }
  const added = view.filter((key) => !texts.has(key))
  if (order.length > 0 && added.length > 0 && added.length === view.length) state.hasGap = true
  for (const [key, { row }] of fresh) {
    const copy = copyRow(row, state)
    if (copy) copies.set(key, copy)
    if (isByLink && linkOf(row, isDeep) === key) links.add(key)
    if (!texts.has(key)) state.length += copy?.innerHTML.length ?? 0
  }
  if (added.length > 0) insertKeys(order, view, texts)
  for (const [key, { text }] of fresh) texts.set(key, text)
  state.gone = order.length - seen.size
  return added.length
}

/** Inserts the new keys of a view into the order: after the one before, or before the known one that follows. */
function insertKeys(order: string[], view: readonly string[], known: ReadonlyMap<string, unknown>): void {
  const first = view.find((key) => known.has(key))
  // A view that shares no row with those before it is further down.
  let at = first === undefined ? order.length : order.indexOf(first)
  for (const key of view) {
    if (known.has(key)) at = key === order[at] ? at : order.lastIndexOf(key)
    else order.splice(at, 0, key)
    at += 1
  }
}

/** Copies a row; undefined for one with a name that the browser takes from the parser only. */
function copyRow(row: Element, { pattern, store }: GrowthState): Element | undefined {
  try {
    return pattern?.isDeep === true ? copyDrawn(row, store) : store.importNode(row, true)
  } catch {
    return undefined
  }
}
