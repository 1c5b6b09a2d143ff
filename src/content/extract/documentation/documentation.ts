import type { ParsedPage } from '../../parse/parser.js'
import { BLOCK, CONTROL, ELEMENT, HAS_CLASS, HAS_ID, HAS_ROLE, type PageNodes } from '../../html/page-nodes.js'
import { type ChildNode, type Element, findElement, hasText, isElement, isHeading } from '../../html/tree.js'
import { boilerplateByTag } from '../rules/boilerplate.js'
import { findGenerator } from './find-generator.js'
import { type GeneratorMarkup, isTextButton, markupOf } from './generator-markup.js'
import { findPrevNextLinks } from './find-prev-next-links.js'
import { type MeasureOf, createMeasureOf } from '../rules/measure.js'
import { wordsOf } from '../blocks/name-words.js'

/**
 * Names of the navigation that these generators put around their text. A table of contents is not navigation but text.
 */
const NAVIGATION_NAMES: ReadonlySet<string> = new Set(
  (
    'nav navbar navigation navheader navfooter navpath docnav breadcrumb breadcrumbs pagination pager skip skiplink sidebar ' +
    'sidenav banner header footer'
  ).split(' '),
)

/** The content of a documentation page. */
interface Documentation {
  /** In document order, none inside another. */
  readonly roots: readonly Element[]
  readonly dropped: ReadonlySet<ChildNode>
  /** Returns the reason why a part is dropped, for the trace. */
  readonly whyDropped: (node: ChildNode) => string
}

/** Elements that are text, whatever their names: headings, code, cells, inline elements. */
const TEXT_ELEMENTS: ReadonlySet<string> = new Set(
  'h1 h2 h3 h4 h5 h6 dt tr td th pre code span em strong b i p a'.split(' '),
)

/**
 * Maximum prose in an element that only its class names and id declare boilerplate, such as a footer. An element with
 * more is still boilerplate if it has at most half of the page's prose. Characters.
 */
const MAX_BOILERPLATE_PROSE = 200

/** Minimum share of links in the text of an element that is named `sidebar` for it to be navigation. */
const MIN_NAVIGATION_LINKS = 0.5

/** A page as it is read. */
interface DocumentationPage {
  readonly page: ParsedPage
  readonly nodes: PageNodes
  readonly body: Element
  /** Elements that are hidden or match `excludeTags`. */
  readonly cleared: ReadonlySet<Element>
}

/**
 * Selects the content of a page that a documentation generator wrote. The markup of such a page separates its text from
 * navigation. Everything but navigation is kept: a table of contents, a "see also" section or a table of names belongs
 * to the text, even if it consists of links.
 *
 * @returns undefined if no generator is named, if the main element is empty, or if it is not a page of the documentation
 */
export function readDocumentation({ page, nodes, body, cleared }: DocumentationPage): Documentation | undefined {
  const generator = findGenerator(page)
  if (generator === undefined) return undefined
  const markup = markupOf(generator)
  const measureOf = createMeasureOf(body, cleared, nodes)
  const bars = findPrevNextLinks(body, cleared, measureOf, nodes)
  const others = new Set(cleared)
  for (const bar of bars) others.add(bar)
  const { parts, dropped } = findParts({ markup, body, measureOf, dropped: others }, nodes)
  const holdsText = (element: Element): boolean => hasText(element, dropped)
  const isPage = parts.some(holdsText)
  if (!isPage && markup.hasOtherPages === true) return undefined
  const roots = isPage ? parts : [body]
  if (!roots.some(holdsText)) return undefined
  return {
    roots,
    dropped,
    whyDropped: () => `is not part of the text, by the markup of the documentation generator (${generator})`,
  }
}

interface PartSearch {
  readonly markup: GeneratorMarkup
  readonly body: Element
  readonly measureOf: MeasureOf
  readonly dropped: Set<Element>
}

/** Finds the outermost elements that contain the text, and drops what is boilerplate in and around them. */
function findParts(
  { markup, body, measureOf, dropped }: PartSearch,
  list: PageNodes,
): { readonly dropped: ReadonlySet<ChildNode>; readonly parts: readonly Element[] } {
  const { nodes, kinds, ends } = list
  const { isPart, isExcluded = isNone, hasTextButtons = false } = markup
  const isHolder = markHolders(body, isPart, list)
  const isDropped = list.mark(dropped)
  const parts: Element[] = []
  let partEnd = 0
  const end = list.endOf(body)
  for (let at = list.indexOf(body) + 1; at < end; at += 1) {
    const kind = kinds[at] ?? 0
    if ((kind & ELEMENT) === 0) continue
    if (isDropped[at] === 1) {
      at = (ends[at] ?? end) - 1
      continue
    }
    const mark = isHolder[at]
    if (mark === 0 && (kind & MAY_BE_NAMED) === 0) continue
    const node = nodes[at]
    if (node === undefined || !isElement(node)) continue
    const isOther =
      ((kind & HAS_CLASS) !== 0 && isExcluded(node)) ||
      (mark === 0 && !(hasTextButtons && isTextButton(node)) && isBoilerplate(node, kind, body, measureOf))
    if (isOther) {
      dropped.add(node)
      at = (ends[at] ?? end) - 1
    } else if (mark === PART && at >= partEnd) {
      parts.push(node)
      partEnd = ends[at] ?? end
    }
  }
  return { parts, dropped }
}

const isNone = (): boolean => false

const HAS_NAME = HAS_CLASS | HAS_ID

/** Elements with a role or names, and those that are boilerplate or text by their tag: these are blocks, or controls. */
const MAY_BE_NAMED = BLOCK | CONTROL | HAS_ROLE | HAS_NAME

const HOLDER = 1
const PART = 2

/** Marks the elements that contain the text, and all of their ancestors. */
function markHolders(body: Element, isPart: (element: Element) => boolean, list: PageNodes): Uint8Array {
  const { nodes, kinds, parents } = list
  const marks = new Uint8Array(nodes.length)
  const end = list.endOf(body)
  for (let at = list.indexOf(body) + 1; at < end; at += 1) {
    if (((kinds[at] ?? 0) & MAY_BE_NAMED) === 0) continue
    const node = nodes[at]
    if (node === undefined || !isElement(node) || !isPart(node)) continue
    marks[at] = PART
    for (let up = parents[at] ?? -1; up >= 0 && marks[up] === 0; up = parents[up] ?? -1) marks[up] = HOLDER
  }
  return marks
}

/**
 * True for navigation, headers and footers: by tag and role, or by names if the contents do not contradict the name.
 */
function isBoilerplate(element: Element, kind: number, body: Element, measureOf: MeasureOf): boolean {
  const isNamed = boilerplateByTag(element) !== undefined
  if (!isNamed && (kind & HAS_NAME) === 0) return false
  const mayHaveName = !isNamed && !TEXT_ELEMENTS.has(element.name) && mayBeNavigation(element)
  const names = mayHaveName ? namesOf(element) : NO_NAMES
  if (!isNamed && !names.some(isNavigationName)) return false
  if (element.children.some(isBoxTitle)) return false
  const words = names.filter(isNavigationName)
  // A card is a box in the text, with a header and a footer of its own: `sd-card-footer` of Sphinx.
  if (!isNamed && names.includes('card') && words.every(isCardPart)) return false
  const isHeader = element.name === 'header' || (!isNamed && words.every((word) => word === 'header'))
  if (isHeader && findElement(element, isHeading) !== undefined) return false
  if (isNamed) return true
  const { prose, text, link } = measureOf(element)
  // Books call a text in a box a sidebar, and a header may be a line of the text.
  if (words.every((word) => word === 'sidebar' || word === 'header') && link < MIN_NAVIGATION_LINKS * text) return false
  return prose <= MAX_BOILERPLATE_PROSE || prose <= 0.5 * measureOf(body).prose
}

const NO_NAMES: readonly string[] = []

/** A part of each of these names. Hardly any element has one, so that the names of hardly any are divided. */
const PART_OF_NAME = /nav|bread|pag|skip|sidebar|banner|header|footer/i

const mayBeNavigation = ({ attribs }: Element): boolean =>
  (attribs['class'] !== undefined && PART_OF_NAME.test(attribs['class'])) ||
  (attribs['id'] !== undefined && PART_OF_NAME.test(attribs['id']))

const isCardPart = (word: string): boolean => word === 'header' || word === 'footer'

const isNavigationName = (word: string): boolean => NAVIGATION_NAMES.has(word)

/** True for the title of a box in the text as docutils writes it. The box may be an `aside` element. */
const isBoxTitle = (node: ChildNode): boolean =>
  isElement(node) && /(?:^|\s)sidebar-title(?:\s|$)/.test(node.attribs['class'] ?? '')

/** Returns the words of an element's names. The id of a section is its subject, as its heading is, and is left out. */
function namesOf(element: Element): readonly string[] {
  const { name, attribs, children } = element
  const isSection = attribs['id'] !== undefined && children.some((child) => isElement(child) && isHeading(child))
  return wordsOf(isSection ? { name, attribs: { class: attribs['class'] ?? '' } } : element)
}
