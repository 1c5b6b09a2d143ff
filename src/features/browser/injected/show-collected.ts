import { builtInsOf, pageDocument } from './built-ins-of.js'
import type { PageFunctions } from './page-functions.js'
import { collectRows, growthState, hasGrowthState, keyOfRow, type GrowthState } from './growth-state.js'
import { readContainers, readRows } from './list-rows.js'
import { findAll } from './shadow-tree.js'

/** Calls a function while the copies of rows and panels are in the tree, if there are any. For an isolated world. */
export function withCollected<Result>(run: () => Result): Result {
  if (!hasGrowthState()) return run()
  showCollected()
  try {
    return run()
  } finally {
    hideCollected()
  }
}

/**
 * Puts the copies of rows and panels that are no longer in the tree into their places, and shows the panels that were
 * opened, so that the page is read with them. For an isolated world.
 */
export const showCollected: PageFunctions['showCollected'] = () => {
  const state = growthState()
  showRows(state)
  for (const panel of state.openedPanels) unhide(state, panel)
  const texts = new Set(findAll('[role="tabpanel"]').map((panel) => builtInsOf(panel).textContent.trim()))
  for (const { at, copy, text } of state.panels) {
    const { parentElement } = builtInsOf(at)
    if (texts.has(text) || !parentElement) continue
    show(state, copy, parentElement, at)
  }
}

/** Removes what {@link showCollected} has put into the tree. */
export const hideCollected: PageFunctions['hideCollected'] = () => {
  const state = growthState()
  for (const restore of state.restore.reverse()) restore()
  state.restore = []
}

/** Shows a panel that was closed again when the next one was opened. */
function unhide(state: GrowthState, panel: HTMLElement): void {
  const { display } = builtInsOf(panel).style
  const hidden = builtInsOf(panel).getAttribute('hidden')
  if (hidden !== null) {
    builtInsOf(panel).removeAttribute('hidden')
    state.restore.push(() => builtInsOf(panel).setAttribute('hidden', hidden))
  }
  if (display !== 'none') return
  builtInsOf(panel).style.display = ''
  state.restore.push(() => builtInsOf(panel).style.setProperty('display', display))
}

function show(state: GrowthState, copy: Element, parent: ParentNode & Node, before: Element | null): Element {
  const element = pageDocument.importNode(copy, true)
  builtInsOf(parent).insertBefore(element, before)
  state.restore.push(() => builtInsOf(element).remove())
  return element
}

function showRows(state: GrowthState): void {
  const { pattern, order, copies } = state
  collectRows(state)
  if (!pattern || state.gone <= 0) return
  const rows = readRows(pattern)
  const container = readContainers(pattern).at(-1)
  if (!container) return
  const inTree = new Map(rows.map((row) => [keyOfRow(row, state), row]))
  const isOrdered = isInOrder(order.flatMap((key) => inTree.get(key) ?? []))
  // A list that uses its elements again leaves them in any order, and does not show those that it needs no more.
  for (const [key, row] of inTree) {
    if (!copies.has(key) || (isOrdered && getComputedStyle(row).display !== 'none')) continue
    inTree.delete(key)
    if (row instanceof HTMLElement) hide(state, row)
  }
  let before: Element | null = null
  for (const key of [...order].reverse()) {
    const copy = copies.get(key)
    const row: Element | undefined = inTree.get(key)
    if (row) before = row
    else if (copy) before = show(state, copy, (before && builtInsOf(before).parentNode) ?? container, before)
  }
}

/** Tests whether elements follow each other in the tree. */
const isInOrder = (elements: readonly Element[]): boolean =>
  elements.every((element, at) => {
    const next = elements[at + 1]
    return !next || (builtInsOf(element).compareDocumentPosition(next) & Node.DOCUMENT_POSITION_FOLLOWING) > 0
  })

function hide(state: GrowthState, row: HTMLElement): void {
  const { display } = builtInsOf(row).style
  builtInsOf(row).style.display = 'none'
  state.restore.push(() => builtInsOf(row).style.setProperty('display', display))
}
