import {
  type ChildNode,
  collapse,
  type Element,
  hasText,
  isElement,
  isText,
  type ParentNode,
  walk,
} from '../../html/tree.js'
import { findPanelsByPlace } from './find-panels-by-place.js'

/**
 * Finds the hidden elements that a control in the text of the page opens: answers of an accordion, panels of tabs, the
 * rest of a text behind "Read more". They are content, like the contents of a `details` element.
 *
 * A control refers to its panel (`aria-controls`, `data-bs-target`, `href="#id"`), the panel refers to it
 * (`aria-labelledby`), or the panel follows it (`aria-expanded`, a check box before a label, or several headings or
 * questions with a panel each), or the place of both says so: see `findPanelsByPlace`.
 * Elements that open over the page or belong to its frame (header, footer, navigation) stay hidden: dialogs, menus,
 * forms, cookie notices. So do copies of visible text.
 *
 * @param marked elements that their own markup hides
 */
export function findDisclosed(body: Element, marked: ReadonlySet<Element>): HiddenParts {
  const page = readPage(body, marked)
  const disclosed = new Set<Element>()
  const isOpen = (control: Element): boolean => {
    for (let at = control.parent; at !== null && isElement(at); at = at.parent)
      if (page.hidden.has(at) && !disclosed.has(at)) return false
    return true
  }
  // Computed once per panel: any number of controls may refer to one large panel.
  const verdicts = new Map<Element, boolean>()
  const holdsContent = (panel: Element): boolean => {
    const known = verdicts.get(panel) ?? isContent(panel, page.seenTexts)
    verdicts.set(panel, known)
    return known
  }
  const disclose = (control: Element, panel: Element | undefined): void => {
    if (panel === undefined || disclosed.has(panel) || !page.hidden.has(panel)) return
    if (isOpen(control) && holdsContent(panel)) disclosed.add(panel)
  }
  // In document order, so that a control inside a panel comes after the control that opens the panel.
  for (const control of page.controls) {
    if (belongsToFrame(control)) continue
    for (const id of targetsOf(control)) disclose(control, page.byId.get(id))
    if (control.attribs['aria-expanded'] !== undefined || isLabelOfToggle(control, page.byId))
      disclose(control, findNextElement(control))
    for (const panel of page.byLabel.get(control.attribs['id'] ?? '') ?? []) disclose(control, panel)
  }
  for (const [control, panel] of [...page.pairs, ...findPanelsByPlace(page.hidden)])
    if (!belongsToFrame(control)) disclose(control, panel)
  const findWithheld = (): readonly Element[] => {
    const withheld: Element[] = []
    walk(body, (node) => {
      if (!isElement(node) || WITHOUT_TEXT.has(node.name)) return false
      if (!page.hidden.has(node) || disclosed.has(node)) return true
      if (holdsContent(node)) withheld.push(node)
      return false
    })
    return withheld
  }
  return { disclosed, findWithheld }
}

/** Hidden elements with text of their own. */
export interface HiddenParts {
  /** Elements that a control on the page opens. */
  readonly disclosed: ReadonlySet<Element>
  /** Returns the outermost of the others that may be content: no menus, dialogs, forms or copies of visible text. */
  readonly findWithheld: () => readonly Element[]
}

/** True for the label of a check box or radio button, which style sheets use as a switch. */
function isLabelOfToggle({ name, attribs }: Element, byId: ReadonlyMap<string, Element>): boolean {
  const type = name === 'label' ? byId.get(attribs['for'] ?? '')?.attribs['type'] : undefined
  return type === 'checkbox' || type === 'radio'
}

interface DisclosurePage {
  readonly controls: readonly Element[]
  /** Elements that their own markup hides. */
  readonly hidden: ReadonlySet<Element>
  readonly byId: ReadonlyMap<string, Element>
  /** Hidden elements by the ids in their `aria-labelledby`. */
  readonly byLabel: ReadonlyMap<string, readonly Element[]>
  /**
   * Headings, terms and questions with the element after each, if there are at least two such pairs of the same markup.
   */
  readonly pairs: readonly (readonly [heading: Element, panel: Element])[]
  /** Visible pieces of text of at least {@link MIN_COPY_LENGTH} characters. */
  readonly seenTexts: ReadonlySet<string>
}

/** Maximum controls per page, which bounds the time of a hostile page. */
const MAX_CONTROLS = 20_000

function readPage(body: Element, marked: ReadonlySet<Element>): DisclosurePage {
  const reader = new DisclosureReader(marked)
  walk(body, enterNode, leaveElement, reader)
  return reader
}

const enterNode = (node: ChildNode, reader: DisclosureReader): boolean => reader.enter(node)
const leaveElement = (element: Element, reader: DisclosureReader): void => reader.leave(element)

class DisclosureReader implements DisclosurePage {
  readonly controls: Element[] = []
  readonly hidden = new Set<Element>()
  readonly byId = new Map<string, Element>()
  readonly byLabel = new Map<string, Element[]>()
  readonly seenTexts = new Set<string>()
  readonly #pairs = new Map<string, (readonly [Element, Element])[]>()
  readonly #marked: ReadonlySet<Element>
  /** The outermost hidden element that is open. */
  #within: Element | undefined

  constructor(marked: ReadonlySet<Element>) {
    this.#marked = marked
  }

  get pairs(): DisclosurePage['pairs'] {
    return [...this.#pairs.values()].filter(({ length }) => length > 1).flat()
  }

  enter(node: ChildNode): boolean {
    if (isText(node)) {
      if (this.#within === undefined && node.data.length >= MIN_COPY_LENGTH) this.seenTexts.add(collapse(node.data))
      return false
    }
    if (!isElement(node) || WITHOUT_TEXT.has(node.name)) return false
    const { id } = node.attribs
    if (id !== undefined && !this.byId.has(id)) this.byId.set(id, node)
    if (isControl(node) && this.controls.length < MAX_CONTROLS) this.controls.push(node)
    const title = titleBefore(node)
    if (title !== undefined) this.#addPair(title, node)
    if (this.#marked.has(node)) this.#addHidden(node)
    return true
  }

  leave(element: Element): void {
    if (this.#within === element) this.#within = undefined
  }

  #addPair(title: Element, element: Element): void {
    const key = `${markOf(title)}>${markOf(element)}`
    const alike = this.#pairs.get(key)
    if (alike === undefined) this.#pairs.set(key, [[title, element]])
    else alike.push([title, element])
  }

  #addHidden(element: Element): void {
    this.hidden.add(element)
    this.#within ??= element
    for (const label of (element.attribs['aria-labelledby'] ?? '').split(/\s+/, MAX_TARGETS)) {
      if (label === '') continue
      const { byLabel } = this
      byLabel.set(label, [...(byLabel.get(label) ?? []).slice(0, MAX_TARGETS), element])
    }
  }
}

/** Elements whose text no reader sees. */
export const WITHOUT_TEXT: ReadonlySet<string> = new Set(['script', 'style', 'template', 'noscript'])
const BUTTONS = new Set(['button', 'summary', 'label'])

/** True for an element that is made to be clicked. */
function isControl({ name, attribs }: Element): boolean {
  if (BUTTONS.has(name) || attribs['aria-expanded'] !== undefined || attribs['aria-controls'] !== undefined) return true
  if (/^(?:button|tab)$/.test(attribs['role'] ?? '')) return true
  if (
    attribs['onclick'] !== undefined ||
    attribs['data-toggle'] !== undefined ||
    attribs['data-bs-toggle'] !== undefined
  )
    return true
  return name === 'a' && (attribs['href'] ?? '').length > 1 && attribs['href']?.startsWith('#') === true
}

/** Maximum elements that a control refers to. */
const MAX_TARGETS = 10

/** Returns the ids of the elements that a control refers to. */
function targetsOf({ name, attribs }: Element): string[] {
  const asked = attribs['data-bs-toggle'] ?? attribs['data-toggle']
  // The other values open over the page: `modal`, `dropdown`, `popover`.
  if (asked !== undefined && !/^(?:collapse|tab|pill|list|toggle|accordion)$/i.test(asked)) return []
  const places = [attribs['data-bs-target'], attribs['data-target'], name === 'a' ? attribs['href'] : undefined]
  return [
    ...(attribs['aria-controls'] ?? '').split(/\s+/, MAX_TARGETS),
    // Any word of a script may be an id: `toggle('more')`, `more.hidden = false`.
    ...(attribs['onclick']?.slice(0, 300).match(/[\w-]+/g) ?? []).slice(0, MAX_TARGETS),
    ...(name === 'label' ? [attribs['for'] ?? ''] : []),
    ...places.flatMap((place) => (place?.startsWith('#') === true ? [place.slice(1)] : [])),
  ].filter((id) => id !== '')
}

/** Maximum elements around a control that contain nothing else, such as a heading. */
const MAX_WRAPPERS = 3

/** Returns the element after a control, or after the elements that contain nothing else. */
function findNextElement(control: Element): Element | undefined {
  let at = control
  for (let step = 0; step <= MAX_WRAPPERS; step += 1) {
    const next = beside(at, 'next')
    if (next !== undefined) return next
    const { parent } = at
    if (parent === null || !isElement(parent) || parent.name === 'body') return undefined
    at = parent
  }
  return undefined
}

/** Roles of elements that open over a page, or belong to its header, footer or navigation. */
const FRAME_ROLE =
  /^(?:dialog|alertdialog|alert|menu|menubar|menuitem|listbox|combobox|option|tooltip|search|navigation|banner|contentinfo|status|form)$/

/** Parts of class names and ids of such elements. */
const FRAME_NAME =
  /modal|dialog|pop-?up|popover|overlay|lightbox|drawer|off-?canvas|dropdown|drop-down|megamenu|submenu|menu|navbar|(?:^|[\s_-])nav(?:igation)?(?:$|[\s_-])|cookie|consent|gdpr|newsletter|subscri|tool-?tip|search|log-?in|sign-?(?:in|up)|share|sharing|social|cart|basket|filter|lang(?:uage)?-|toast|snackbar|hamburger|honeypot|print|debug|error|success|loading|spinner|comment-?form|respond/i

const isFramed = ({ name, attribs }: Element): boolean =>
  name === 'nav' ||
  name === 'dialog' ||
  attribs['aria-modal'] === 'true' ||
  FRAME_ROLE.test(attribs['role'] ?? '') ||
  FRAME_NAME.test(`${attribs['id'] ?? ''} ${attribs['class'] ?? ''}`)

/** Maximum ancestors of a control or panel that are examined. `main` and `article` end the search. */
const MAX_AROUND = 6

/** True for a control that opens menus or dialogs, or that belongs to the frame of the page. */
function belongsToFrame(control: Element): boolean {
  const popup = control.attribs['aria-haspopup']
  return (popup !== undefined && popup !== 'false') || isFramed(control) || isInsideFrame(control)
}

function isInsideFrame(element: Element): boolean {
  let at: ParentNode | null = element.parent
  for (let step = 0; at !== null && isElement(at); step += 1) {
    if (at.name === 'main' || at.name === 'article') return false
    if (at.name === 'nav' || at.name === 'footer' || at.name === 'header' || at.name === 'dialog') return true
    if (step < MAX_AROUND && at.name !== 'body' && isFramed(at)) return true
    at = at.parent
  }
  return false
}

/**
 * Minimum length of a text that counts as a copy if it is also visible elsewhere. Shorter ones may be equal by chance.
 */
const MIN_COPY_LENGTH = 25

const FIELDS = new Set(['input', 'select', 'textarea'])

/** True for a hidden element that is a form or belongs to the frame of the page: no control opens content there. */
export const isApartFromContent = (panel: Element): boolean =>
  panel.name === 'form' || isFramed(panel) || isInsideFrame(panel)

/** True for a hidden element that has text of its own and is neither a part of the frame nor a list of links. */
function isContent(panel: Element, seenTexts: ReadonlySet<string>): boolean {
  if (isApartFromContent(panel) || !hasText(panel)) return false
  let fields = 0
  let own = 0
  let copied = 0
  let linked = 0
  let link: Element | undefined
  walk(
    panel,
    (node) => {
      if (isElement(node)) {
        if (FIELDS.has(node.name) && node.attribs['type'] !== 'hidden') fields += 1
        if (node.name === 'a') link ??= node
        // Words of a diagram do not count as text.
        return !WITHOUT_TEXT.has(node.name) && node.name !== 'svg'
      }
      if (!isText(node)) return true
      const text = collapse(node.data)
      if (link !== undefined) linked += text.length
      if (text.length >= MIN_COPY_LENGTH && seenTexts.has(text)) copied += text.length
      else own += text.length
      return true
    },
    (element) => {
      if (link === element) link = undefined
    },
  )
  const isOwn = own > copied && own >= fields * MIN_TEXT_PER_FIELD
  return isOwn && linked <= (own + copied) * MAX_LINKED_SHARE
}

/** Minimum characters for each field; with fewer, the element is a form. */
const MIN_TEXT_PER_FIELD = 200
/** Maximum share of links in the text; with more, the element is navigation. */
const MAX_LINKED_SHARE = 0.5

const TITLES = new Set(['h2', 'h3', 'h4', 'h5', 'h6', 'dt', 'button'])
const TITLE_NAME = /(?:^|[\s_-])(?:question|answer|accordion|toggle|expand|collaps|trigger)/i

/** Returns the previous sibling if it may be the title that opens the element: by its tag or name, or since it acts when clicked. */
function titleBefore(element: Element): Element | undefined {
  const before = beside(element, 'prev')
  if (before === undefined) return undefined
  const around = element.parent !== null && isElement(element.parent) ? classOf(element.parent) : ''
  const isTitle =
    TITLES.has(before.name) ||
    before.attribs['onclick'] !== undefined ||
    before.attribs['role'] === 'button' ||
    TITLE_NAME.test(`${classOf(before)} ${classOf(element)} ${around}`)
  return isTitle ? before : undefined
}

const classOf = ({ attribs }: Element): string => (attribs['class'] ?? '').slice(0, 200)

/** Class names that differ between an open and a closed panel. */
const STATE =
  /(?:^|\s)(?:is-|ui-state-)?(?:active|open|opened|closed|collapsed|expanded|current|selected|show|shown|hidden|hide|first|last)(?=\s|$)/gi

/** Identifies the markup of an element, whether it is open or closed. */
const markOf = (element: Element): string => `${element.name} ${classOf(element).replace(STATE, '').trim()}`

/** Returns the sibling of an element if there is no text between. */
function beside(element: Element, side: 'next' | 'prev'): Element | undefined {
  for (let at = element[side]; at !== null; at = at[side]) {
    if (isElement(at)) return at
    if (isText(at) && at.data.trim() !== '') return undefined
  }
  return undefined
}
