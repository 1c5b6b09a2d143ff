import { collapse, type Element, findElement, isElement, isText, type ParentNode, walk } from '../../html/tree.js'

/** A hidden element, and the control that opens it. */
type ControlledPanel = readonly [control: Element, panel: Element]

/** Labels and names of controls that open the rest of a text. */
const MORE_LABEL =
  /\b(?:more|expand|show|full|all|rest|mehr|weiter|alles?|plus|suite|lire|más|todo|continuar|leer|mais|tudo|altro|tutto|leggi|meer|lees|mer|läs|les|lue|więcej|czytaj)\b|ещё|еще|далее|читать|показать|もっと|続き|全文|更多|展开|展開|더 ?보기|المزيد|עוד/iu
const MORE_NAME = /more|expand|toggle|reveal|unfold|truncat|excerpt|collaps/i

/** Maximum length of the label of a control. Characters. */
const MAX_LABEL = 40

/** Minimum text before the rest of a text. Characters. */
const MIN_TEXT_BEFORE = 40

/** Maximum nodes and siblings that are examined for each element, which bounds the time of a hostile page. */
const MAX_NODES = 200
const MAX_SIBLINGS = 8
const MAX_PANELS = 30

/** Maximum elements around a list of labels that contain nothing else. */
const MAX_WRAPPERS = 2

/**
 * Finds hidden elements whose control refers to them by its place alone, without ids or ARIA attributes: the rest of a
 * text before or after "Read more", and the panels of tabs, one for each label of a list above them.
 *
 * @param hidden elements that their own markup hides
 */
export function findPanelsByPlace(hidden: ReadonlySet<Element>): ControlledPanel[] {
  const tabs = new Map<ParentNode, ReadonlyMap<Element, Element> | undefined>()
  const found: ControlledPanel[] = []
  for (const panel of hidden) {
    const { parent } = panel
    if (parent === null) continue
    if (isElement(parent) && !tabs.has(parent)) tabs.set(parent, findTabs(parent))
    const control = tabs.get(parent)?.get(panel) ?? findMoreControl(panel)
    if (control !== undefined) found.push([control, panel])
  }
  return found
}

/** Finds the control right after or before a hidden element that continues the text before it. */
function findMoreControl(panel: Element): Element | undefined {
  for (const beside of [nextElement(panel) ?? elementAfterParent(panel), previousElement(panel)]) {
    const control = beside === undefined ? undefined : moreControlIn(beside)
    if (control !== undefined) return hasTextBefore(panel) ? control : undefined
  }
  return undefined
}

/** Returns the control if an element consists of one that opens more. */
function moreControlIn(element: Element): Element | undefined {
  const label = labelOf(element)
  if (label === undefined) return undefined
  const control = isButtonLike(element) ? element : findElement(element, isButtonLike)
  if (control === undefined) return undefined
  const { class: names = '', id = '' } = control.attribs
  return MORE_LABEL.test(label) || MORE_NAME.test(`${names} ${id}`.slice(0, 200)) ? control : undefined
}

/** True for an element that acts when clicked, and leads to no page. */
function isButtonLike({ name, attribs }: Element): boolean {
  if (name === 'button' || attribs['role'] === 'button' || attribs['onclick'] !== undefined) return true
  if (name !== 'a' && name !== 'span') return false
  const href = attribs['href']
  return name === 'a'
    ? href === undefined || /^(?:$|#|javascript:)/i.test(href.trim())
    : MORE_NAME.test(attribs['class'] ?? '')
}

/** Returns the text of an element, or undefined if it has none or is longer than a label. */
function labelOf(element: Element): string | undefined {
  let text = ''
  let nodes = 0
  walk(element, (node) => {
    nodes += 1
    if (isText(node)) text += node.data.slice(0, 2 * MAX_LABEL)
    return nodes > MAX_NODES || text.length > 4 * MAX_LABEL ? 'stop' : true
  })
  const label = collapse(text)
  return label === '' || label.length > MAX_LABEL || nodes > MAX_NODES ? undefined : label
}

function hasTextBefore(panel: Element): boolean {
  let length = 0
  let at = panel.prev
  for (let step = 0; at !== null && step < MAX_SIBLINGS && length < MIN_TEXT_BEFORE; step += 1, at = at.prev) {
    if (isText(at)) length += collapse(at.data).length
    else if (isElement(at)) length += lengthWithin(at)
  }
  return length >= MIN_TEXT_BEFORE
}

function lengthWithin(element: Element): number {
  let length = 0
  let nodes = 0
  walk(element, (node) => {
    nodes += 1
    if (isText(node)) length += collapse(node.data.slice(0, 2 * MIN_TEXT_BEFORE)).length
    return nodes > MAX_NODES || length >= MIN_TEXT_BEFORE ? 'stop' : true
  })
  return length
}

/** Returns the label of each panel in an element that consists of panels, with a list of as many labels before them. */
function findTabs(around: Element): ReadonlyMap<Element, Element> | undefined {
  const children = around.children.slice(0, 4 * MAX_PANELS).filter(isElement)
  const last = children.at(-1)
  const panels = children.filter((child) => child.name === last?.name && child.name !== 'script')
  const [first] = panels
  if (first === undefined || panels.length < 2 || panels.length > MAX_PANELS) return undefined
  // Besides the panels there is at most the list of labels.
  if (children.length > panels.length + 1) return undefined
  const list = previousElement(first) ?? (children[0] === first ? previousElement(around) : undefined)
  const labels = list === undefined ? [] : labelsOf(list)
  return labels.length === panels.length ? new Map(panels.map((panel, at) => [panel, labels[at] ?? panel])) : undefined
}

/** Returns the items of a list if each is a label that leads to no page. */
function labelsOf(list: Element, depth = 0): readonly Element[] {
  const items = list.children.slice(0, 4 * MAX_PANELS).filter(isElement)
  const [only] = items
  if (list.name === 'head') return []
  if (items.length === 1 && only !== undefined && depth < MAX_WRAPPERS) return labelsOf(only, depth + 1)
  return items.length <= MAX_PANELS && items.every(isLabel) ? items : []
}

function isLabel(item: Element): boolean {
  if (labelOf(item) === undefined) return false
  let leadsAway = false
  for (const link of [item, ...item.children.filter(isElement)]) leadsAway ||= link.name === 'a' && !isButtonLike(link)
  return !leadsAway
}

const nextElement = (element: Element): Element | undefined => siblingOf(element, 'next')
const previousElement = (element: Element): Element | undefined => siblingOf(element, 'prev')

function siblingOf(element: Element, side: 'next' | 'prev'): Element | undefined {
  let at = element[side]
  for (let step = 0; at !== null && step < MAX_SIBLINGS; step += 1, at = at[side]) if (isElement(at)) return at
  return undefined
}

/** Returns the element after the parent of a paragraph's last element. */
const elementAfterParent = ({ parent }: Element): Element | undefined =>
  parent !== null && isElement(parent) && parent.name !== 'body' ? nextElement(parent) : undefined
