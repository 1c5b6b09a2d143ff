import type { ParsedPage } from '../../parse/parser.js'
import {
  type ChildNode,
  type Element,
  findElement,
  hasText,
  isElement,
  type ParentNode,
  walk,
  isHeading,
} from '../../html/tree.js'
import { boilerplateByTag } from '../rules/boilerplate.js'
import { findGenerator } from './find-generator.js'
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
export interface Documentation {
  /** In document order, none inside another. */
  readonly roots: readonly Element[]
  readonly dropped: ReadonlySet<ChildNode>
  /** Returns the reason why a part is dropped, for the trace. */
  readonly whyDropped: (node: ChildNode) => string
}

/** The markup by which a generator separates its text from navigation. */
interface GeneratorMarkup {
  /** True for the elements that contain the text. */
  readonly isPart: (element: Element) => boolean
  /** Class names of elements inside them that are not text. */
  readonly excluded?: ReadonlySet<string>
}

const hasId =
  (id: string) =>
  ({ attribs }: Element): boolean =>
    attribs['id'] === id
const isMain = ({ name, attribs }: Element): boolean => name === 'main' || attribs['role'] === 'main'

/** Generators whose main element has no role. */
const GENERATORS: ReadonlyMap<string, GeneratorMarkup> = new Map<string, GeneratorMarkup>([
  [
    'doxygen',
    {
      isPart: ({ attribs }) => /(?:^|\s)(?:headertitle|contents)(?:\s|$)/.test(attribs['class'] ?? ''),
      // Links to the groups of a class, letter icons of kinds, tooltips, and buttons to expand levels.
      excluded: new Set(['ingroups', 'icona', 'ttc', 'levels']),
    },
  ],
  // The Apache projects' own generator, which links translations above and below the text.
  ['xml source', { isPart: hasId('page-content'), excluded: new Set(['toplang', 'bottomlang', 'lang-toggle']) }],
  ['gi-docgen', { isPart: hasId('main') }],
  ['haddock', { isPart: hasId('content') }],
  // Tooltips about the type that a function returns, inside its code.
  ['rustdoc', { isPart: isMain, excluded: new Set(['notable-traits']) }],
])

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

/**
 * Selects the content of a page that a documentation generator wrote. The markup of such a page separates its text from
 * navigation. Everything but navigation is kept: a table of contents, a "see also" section or a table of names belongs
 * to the text, even if it consists of links.
 *
 * @returns undefined if no generator is named, or if the main element is empty
 */
export function readDocumentation(
  page: ParsedPage,
  body: Element,
  cleared: ReadonlySet<Element>,
): Documentation | undefined {
  const generator = findGenerator(page)
  if (generator === undefined) return undefined
  const markup = GENERATORS.get(generator) ?? { isPart: isMain }
  const measureOf = createMeasureOf(body, cleared)
  const search: PartSearch = {
    markup,
    body,
    measureOf,
    holders: findAncestors(body, markup.isPart),
    dropped: new Set([...cleared, ...findPrevNextLinks(body, cleared, measureOf)]),
    parts: [],
    around: undefined,
  }
  walk(body, enterNode, leaveElement, search)
  const { parts, dropped } = search
  const holdsText = (element: Element): boolean => hasText(element, dropped)
  const roots = parts.some(holdsText) ? parts : [body]
  if (!roots.some(holdsText)) return undefined
  return {
    roots,
    dropped,
    whyDropped: () => `is not part of the text, by the markup of the documentation generator (${generator})`,
  }
}

/** State of the walk that finds the text of a page. */
interface PartSearch {
  readonly markup: GeneratorMarkup
  readonly body: Element
  readonly measureOf: MeasureOf
  /** The elements that contain the text, and all of their ancestors. */
  readonly holders: ReadonlySet<ParentNode>
  readonly dropped: Set<Element>
  /** The outermost elements that contain the text. */
  readonly parts: Element[]
  /** The one of them that is open. */
  around: Element | undefined
}

function enterNode(node: ChildNode, search: PartSearch): boolean {
  const { markup, dropped } = search
  if (!isElement(node) || dropped.has(node)) return false
  if (isExcluded(node, markup) || (!search.holders.has(node) && isBoilerplate(node, search.body, search.measureOf))) {
    dropped.add(node)
    return false
  }
  if (search.around === undefined && markup.isPart(node)) search.parts.push((search.around = node))
  return true
}

function leaveElement(element: Element, search: PartSearch): void {
  if (search.around === element) search.around = undefined
}

const isExcluded = ({ attribs }: Element, { excluded }: GeneratorMarkup): boolean =>
  excluded !== undefined && (attribs['class']?.split(/\s+/, 9).some((name) => excluded.has(name)) ?? false)

/**
 * True for navigation, headers and footers: by tag and role, or by names if the contents do not contradict the name.
 */
function isBoilerplate(element: Element, body: Element, measureOf: MeasureOf): boolean {
  const isNamed = boilerplateByTag(element) !== undefined
  const names = isNamed || TEXT_ELEMENTS.has(element.name) ? NO_NAMES : namesOf(element)
  if (!isNamed && !names.some(isNavigationName)) return false
  if (element.children.some(isBoxTitle)) return false
  const words = names.filter(isNavigationName)
  const isHeader = element.name === 'header' || (!isNamed && words.every((word) => word === 'header'))
  if (isHeader && findElement(element, isHeading) !== undefined) return false
  if (isNamed) return true
  const { prose, text, link } = measureOf(element)
  // Books call a text in a box a sidebar, and a header may be a line of the text.
  if (words.every((word) => word === 'sidebar' || word === 'header') && link < MIN_NAVIGATION_LINKS * text) return false
  return prose <= MAX_BOILERPLATE_PROSE || prose <= 0.5 * measureOf(body).prose
}

const NO_NAMES: readonly string[] = []

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

/** Returns the elements that contain the text, and all of their ancestors. */
function findAncestors(body: Element, isPart: (element: Element) => boolean): ReadonlySet<ParentNode> {
  const search = { isPart, holders: new Set<ParentNode>() }
  walk(body, addHolders, undefined, search)
  return search.holders
}

interface HolderSearch {
  readonly isPart: (element: Element) => boolean
  readonly holders: Set<ParentNode>
}

function addHolders(node: ChildNode, { isPart, holders }: HolderSearch): void {
  if (!isElement(node) || !isPart(node)) return
  for (let at: ParentNode | null = node; at !== null && !holders.has(at); at = at.parent) holders.add(at)
}
