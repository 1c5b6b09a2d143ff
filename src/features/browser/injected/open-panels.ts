import { builtInsOf } from './built-ins-of.js'
import { isShown } from './find-more.js'
import type { PageFunctions } from './page-functions.js'
import { findAll, isInside, type TreeRoot } from './shadow-tree.js'
import { growthState, type GrowthState } from './growth-state.js'
import { FRAME } from './list-rows.js'

const controls =
  'summary, [role="tab"], [aria-expanded="false"], [data-toggle="collapse"], [data-toggle="tab"], [data-bs-toggle="collapse"], [data-bs-toggle="tab"]'
/** The `tablist` itself belongs to no frame of the page. */
const frame = FRAME.replace(', [role="tablist"]', '')
const MAX_CONTROLS = 2000
/** Maximum number of panels that are kept. */
const MAX_PANELS = 200

/**
 * Operates the next control of the content that shows a part of it: a tab, the heading of an accordion, the summary of
 * `details`. Keeps the panels that are shown before. Returns false if there is none left. For an isolated world.
 */
export const openNextPanel: PageFunctions['openNextPanel'] = () => {
  const state = growthState()
  keepPanels(state)
  for (const control of findAll(controls).slice(0, MAX_CONTROLS)) {
    if (state.opened.has(control) || !isClosed(control)) continue
    state.opened.add(control)
    for (const panel of panelsOf(control)) state.openedPanels.add(panel)
    builtInsOf(control).click()
    return true
  }
  return false
}

/** Tests for a control in the content whose panel is closed, and that leads to no other page. */
function isClosed(control: HTMLElement): boolean {
  if (isInside(control, frame) || !isShown(control)) return false
  const popup = builtInsOf(control).getAttribute('aria-haspopup')
  if (popup !== null && popup !== 'false') return false
  const link = builtInsOf(control).closest('a[href]')
  if (link && !link.getAttribute('href')?.startsWith('#')) return false
  const { localName, parentElement, role, ariaSelected, ariaExpanded } = builtInsOf(control)
  const details = localName === 'summary' ? parentElement : undefined
  if (details) return !(details as HTMLDetailsElement).open
  if (role === 'tab') return ariaSelected !== 'true'
  return ariaExpanded !== 'true'
}

/** Maximum panels of one control. */
const MAX_TARGETS = 10

/** Lists the panels that a control names. */
function panelsOf(control: HTMLElement): HTMLElement[] {
  const { dataset } = builtInsOf(control)
  const ids = (builtInsOf(control).getAttribute('aria-controls') ?? '').split(/\s+/, MAX_TARGETS)
  const places = [dataset['bsTarget'], dataset['target'], builtInsOf(control).getAttribute('href')]
  for (const place of places) if (place?.startsWith('#') === true) ids.push(place.slice(1))
  const root = builtInsOf(control).getRootNode() as TreeRoot
  return ids.map((id) => builtInsOf(root).getElementById(id)).filter((panel) => panel !== null)
}

/** Keeps the panels of the tabs, whose content may be replaced by that of the next tab. */
function keepPanels(state: GrowthState): void {
  for (const panel of findAll('[role="tabpanel"]')) {
    const text = builtInsOf(panel).textContent.trim()
    if (text === '' || state.panels.length >= MAX_PANELS) continue
    if (state.panels.some((known) => known.text === text)) continue
    state.panels.push({ at: panel, copy: state.store.importNode(panel, true), text })
  }
}
