import {
  DIALOG,
  HAS_HIDDEN,
  HAS_STYLE,
  listNodes,
  MAY_BE_UNSHOWN,
  NOSCRIPT,
  type PageNodes,
  TEXT,
} from '../../html/page-nodes.js'
import { type Element, isElement, parentElement, type ParentNode, walk } from '../../html/tree.js'
import { isLazyImage } from '../../html/image-source.js'
import { isNeverShown } from '../../html/never-shown.js'
import { MAX_WEIGHT } from '../../html/text-weight.js'
import { findDisclosed, type HiddenParts } from './find-disclosed.js'
import { findShownByScript } from './find-shown-by-script.js'

/** Class names of parts that a click shows: the other tabs, and the collapsed parts of an accordion. */
const REVEALED_BY_CLICK =
  /tab-?_?pane|tab-?_?content|accordion|collapsib|expander|(?:^|[\s_-])(?:faq|toggle-?_?content)/i

/**
 * True for an element that its own markup hides from every reader.
 *
 * `aria-hidden` alone does not count: it hides from screen readers, and pages set it on their whole content while a
 * dialog is open. Parts that a click shows count as visible, and so do images that a script shows once they are near.
 */
export function isHidden(element: Element): boolean {
  const { name, attribs } = element
  const { hidden, style } = attribs
  const isMarked =
    (hidden !== undefined && hidden.toLowerCase() !== 'until-found') ||
    (name === 'dialog' && attribs['open'] === undefined) ||
    (style !== undefined && HIDING_STYLE.test(style) && isHiding(style))
  // Tested last: hardly any element has the attributes, and nearly every one has a class. A lazy image is hidden only until it is there.
  return (
    isMarked &&
    !REVEALED_BY_CLICK.test(`${attribs['role'] ?? ''} ${attribs['class'] ?? ''}`) &&
    !((name === 'img' || name === 'picture') && isLazyImage(element))
  )
}

/** Tests whether a style that names a way of hiding has it as its last word: a later declaration of the same property counts. */
function isHiding(style: string): boolean {
  const said = new Map<string, { readonly value: string; readonly isImportant: boolean }>()
  for (const declaration of style.toLowerCase().replace(NO_DECLARATIONS, ' ').split(';')) {
    const [name = '', values = ''] = declaration.split(':', 2).map((part) => part.trim())
    if (name !== 'display' && name !== 'visibility') continue
    const [value = '', important] = values.split('!', 2).map((part) => part.trim())
    const isImportant = important === 'important'
    // A browser ignores a declaration whose value it does not know.
    const known = name === 'display' ? DISPLAY : VISIBILITY
    if (known.test(value) && (isImportant || said.get(name)?.isImportant !== true))
      said.set(name, { value, isImportant })
  }
  return said.get('display')?.value === 'none' || said.get('visibility')?.value === 'hidden'
}

/** Comments, strings and brackets, in which a semicolon ends no declaration. What is not closed goes to the end. */
const NO_DECLARATIONS = /\/\*[^]*?(?:\*\/|$)|"[^"]*(?:"|$)|'[^']*(?:'|$)|\([^()]*(?:\)|$)/g

const DISPLAY =
  /^(?:inherit|initial|unset|revert|revert-layer|var|none|contents|math|(?:block|inline|run-in|flow|flow-root|flex|grid|table|ruby|list-item)(?: (?:flow|flow-root|flex|grid|table|ruby|list-item)){0,2}|inline-(?:block|flex|grid|table)|table-[a-z-]{3,15}|ruby-[a-z-]{4,15}|-webkit-(?:inline-)?(?:box|flex))$/
const VISIBILITY = /^(?:inherit|initial|unset|revert|revert-layer|var|visible|hidden|collapse)$/

const HIDING_STYLE = /display\s*:\s*none|visibility\s*:\s*hidden/i

/**
 * Finds the elements that are not visible. There are two exceptions, for pages that only their scripts make visible:
 * hidden elements with most of the page's text count as visible, and so does a `noscript` with more text than the rest
 * of the page: see `findShownByScript`.
 *
 * @param nodes nodes of the page. @default they are listed
 * @param unseen elements that the page's style sheets hide. @default none
 */
export function findVisibility(
  body: Element,
  nodes: PageNodes = listNodes(body),
  unseen: UnseenElements = NOTHING_UNSEEN,
): Visibility {
  const whole = parentElement(body) ?? body
  const shown = new Set<Element>()
  let facts = readVisibility(whole, body, nodes, { shown, unseen })
  for (let layer = 0; layer < MAX_LAYERS && facts.withheld * MAX_WEIGHT > facts.seen; layer += 1) {
    const found = findShownByScript(nodes, whole, facts.outermost)
    if (found.length === 0) break
    for (const element of found) shown.add(element)
    facts = readVisibility(whole, body, nodes, { shown, unseen })
  }
  const { neverShown, noscripts, marked, outermost } = facts
  if (isHidden(whole)) marked.add(whole)
  const parts = outermost.every(({ name }) => name === 'noscript') ? NONE : findDisclosed(body, marked)
  const invisible = neverShown
  for (const noscript of noscripts) invisible.add(noscript)
  for (const element of marked) if (!parts.disclosed.has(element)) invisible.add(element)
  if (unseen.size === 0) return { ...parts, invisible }
  // What a control shows that only a style sheet hides is part of the page, and no panel for itself.
  const disclosed = new Set([...parts.disclosed].filter((element) => !unseen.has(element) || isHidden(element)))
  return { ...parts, disclosed, invisible }
}

/** Elements that style sheets hide; `mayOpen` is true for one that a control or a script may show, as one that is marked as hidden. */
type UnseenElements = ReadonlyMap<Element, { readonly mayOpen: boolean }>

const NOTHING_UNSEEN: UnseenElements = new Map()

/** Maximum number of hidden elements inside each other that are shown. */
const MAX_LAYERS = 3

/** Returns the elements that are never shown, for a page without a body. */
export function findNeverShown(root: ParentNode): ReadonlySet<Element> {
  const found = new Set<Element>()
  walk(root, (node) => {
    if (isElement(node) && isNeverShown(node)) found.add(node)
  })
  return found
}

/** Visibility of the elements of a page. */
export interface Visibility extends HiddenParts {
  /**
   * Hidden elements but those that a control opens, which count as visible. It is a set and no test, because several
   * walks ask for every element.
   */
  readonly invisible: ReadonlySet<Element>
}

const NONE: HiddenParts = { disclosed: new Set(), findWithheld: () => [] }

interface VisibilityFacts {
  readonly neverShown: Set<Element>
  readonly noscripts: Element[]
  /** Elements that their own markup hides, also those inside of others. */
  readonly marked: Set<Element>
  /** The outermost of both with text. */
  readonly outermost: Element[]
  /** Characters of text that is shown, and of text that is not. */
  seen: number
  withheld: number
}

interface KnownVisibility {
  /** Elements that count as visible, although their markup hides them. */
  readonly shown: ReadonlySet<Element>
  readonly unseen: UnseenElements
}

/** Collects the elements that are not visible, and measures the text in and outside of them. */
function readVisibility(
  whole: Element,
  body: Element,
  list: PageNodes,
  { shown, unseen }: KnownVisibility,
): VisibilityFacts {
  const { nodes, kinds, ends, trimmedLengths } = list
  const facts: VisibilityFacts = {
    neverShown: new Set(),
    noscripts: [],
    marked: new Set(),
    outermost: [],
    seen: 0,
    withheld: 0,
  }
  /** Ends of the outermost open element that is never shown, and of the outermost one that is hidden or a `noscript`. */
  let unreadEnd = 0
  let withinEnd = 0
  let within: Element | undefined
  const end = list.endOf(whole)
  for (let at = list.indexOf(whole) + 1; at < end; at += 1) {
    const kind = kinds[at] ?? 0
    if ((kind & TEXT) !== 0) {
      const length = at < unreadEnd ? 0 : (trimmedLengths[at] ?? 0)
      if (at >= withinEnd) facts.seen += length
      else {
        facts.withheld += length
        if (within !== undefined && length > 0 && facts.outermost.at(-1) !== within) facts.outermost.push(within)
      }
      continue
    }
    if ((kind & MAY_HIDE) === 0 && unseen.size === 0) continue
    const node = nodes[at]
    if (node === undefined || !isElement(node) || shown.has(node)) continue
    const isNoscript = (kind & NOSCRIPT) !== 0
    const style = unseen.size === 0 ? undefined : unseen.get(node)
    const isMarked = !isNoscript && (style?.mayOpen === true || isHidden(node))
    if (isNoscript) facts.noscripts.push(node)
    else if (isMarked) facts.marked.add(node)
    if (style?.mayOpen === false || ((kind & MAY_BE_UNSHOWN) !== 0 && isNeverShown(node))) {
      facts.neverShown.add(node)
      if (at >= unreadEnd) unreadEnd = ends[at] ?? 0
    } else if ((isNoscript || isMarked) && at >= unreadEnd && at >= withinEnd && node !== body) {
      within = node
      withinEnd = ends[at] ?? 0
    }
  }
  return facts
}

const MAY_HIDE = NOSCRIPT | DIALOG | MAY_BE_UNSHOWN | HAS_HIDDEN | HAS_STYLE
