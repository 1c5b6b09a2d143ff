import type { ParsedPage } from '../../parse/parser.js'
import { type ChildNode, type Element, findElement, isElement, isText, type ParentNode, walk } from '../../html/tree.js'
import { boilerplateByTag } from '../rules/boilerplate.js'
import { findGenerator } from './find-generator.js'
import { findPrevNextLinks } from './find-prev-next-links.js'
import { type MeasureOf, createMeasureOf } from '../rules/measure.js'
import { wordsOf } from '../blocks/name-words.js'

/** The names of what these generators put around their text. A list of what a chapter holds is none of it: it is the text. */
const AROUND: ReadonlySet<string> = new Set(
  (
    'nav navbar navigation navheader navfooter navpath docnav breadcrumb breadcrumbs pagination pager skip skiplink sidebar ' +
    'sidenav banner header footer'
  ).split(' '),
)

/** What a page of documentation consists of. */
export interface Documentation {
  /** In document order, none inside another. */
  readonly roots: readonly Element[]
  readonly isDropped: (node: ChildNode) => boolean
  /** Why a part is not in it, in words. */
  readonly whyDropped: (node: ChildNode) => string
}

/** By which part of a page, and by what in it, a generator's own mark-up says what is the text and what is not. */
interface Dialect {
  /** The parts that are the text, all the rest being around it. */
  readonly isPart: (element: Element) => boolean
  /** What lies in them and is none of it, by its class. */
  readonly apart?: ReadonlySet<string>
}

const hasId =
  (id: string) =>
  ({ attribs }: Element): boolean =>
    attribs['id'] === id
const isMain = ({ name, attribs }: Element): boolean => name === 'main' || attribs['role'] === 'main'

/** Of those whose main part has no role. */
const DIALECTS: ReadonlyMap<string, Dialect> = new Map<string, Dialect>([
  [
    'doxygen',
    {
      isPart: ({ attribs }) => /(?:^|\s)(?:headertitle|contents)(?:\s|$)/.test(attribs['class'] ?? ''),
      // The groups above a class, a letter for its kind, the pointer's tooltips, the choice of how much is unfolded.
      apart: new Set(['ingroups', 'icona', 'ttc', 'levels']),
    },
  ],
  // The Apache projects' own, in which the other languages of a page stand above and below its text.
  ['xml source', { isPart: hasId('page-content'), apart: new Set(['toplang', 'bottomlang', 'lang-toggle']) }],
  ['gi-docgen', { isPart: hasId('main') }],
  ['haddock', { isPart: hasId('content') }],
  // What a pointer shows of the type that a function gives back, in the midst of its code.
  ['rustdoc', { isPart: isMain, apart: new Set(['notable-traits']) }],
])

/** What is the text, whatever its names say: headings, code, cells, words in a line. */
const IN_TEXT: ReadonlySet<string> = new Set('h1 h2 h3 h4 h5 h6 dt tr td th pre code span em strong b i p a'.split(' '))

/** As much as a line of a footer may have. Characters. */
const LITTLE_PROSE = 200

/** A list of links has at least this share of its text in them. */
const MANY_LINKS = 0.5

/**
 * Reads a page that a generator of documentation has written. Such a page consists of its text and of the ways to other pages, and
 * its mark-up says which is which: with the ways taken away, all is text, and a reader misses whatever is left out of it - a
 * list of what the chapter holds, a "see also", a table of names that are all links.
 *
 * @returns undefined when nothing says that a generator wrote it, or when its main part holds nothing
 */
export function readDocumentation(
  page: ParsedPage,
  body: Element,
  isCleared: (element: Element) => boolean,
): Documentation | undefined {
  const generator = findGenerator(page)
  if (generator === undefined) return undefined
  const { isPart, apart } = DIALECTS.get(generator) ?? { isPart: isMain }
  const whole = createMeasureOf(body, isCleared)
  const holders = findHolders(body, isPart)
  const dropped = new Set<Element>(findPrevNextLinks(body, isCleared, whole))
  walk(body, (node) => {
    if (!isElement(node) || isCleared(node) || dropped.has(node)) return false
    const isApart =
      apart !== undefined && (node.attribs['class']?.split(/\s+/, 9).some((name) => apart.has(name)) ?? false)
    if (!isApart && (holders.has(node) || !isAround(node, body, whole))) return true
    dropped.add(node)
    return false
  })
  const isDropped = (element: Element): boolean => dropped.has(element) || isCleared(element)
  const rest = createMeasureOf(body, isDropped)
  const roots = findParts(body, isDropped, rest, isPart)
  const text = roots.reduce((sum, root) => sum + rest(root).text, 0)
  if (text === 0) return undefined
  return {
    roots,
    isDropped: (node) => (isElement(node) ? isDropped(node) : !isText(node)),
    whyDropped: () => `is around the text, by the mark-up of its generator (${generator})`,
  }
}

/** Whether an element is around the text by its tag and role, or by its names if what it holds does not speak against them. */
function isAround(element: Element, body: Element, held: MeasureOf): boolean {
  if (element.children.some(isBoxTitle)) return false
  const isNamed = boilerplateByTag(element) !== undefined
  const words = isNamed || IN_TEXT.has(element.name) ? [] : namesOf(element).filter((word) => AROUND.has(word))
  if (!isNamed && words.length === 0) return false
  const isHeader = element.name === 'header' || (!isNamed && words.every((word) => word === 'header'))
  if (isHeader && findElement(element, isHeading) !== undefined) return false
  if (isNamed) return true
  const { prose, text, link } = held(element)
  // Books have texts in a box, which they call a sidebar, and a header may be a line of the text.
  if (words.every((word) => word === 'sidebar' || word === 'header') && link < MANY_LINKS * text) return false
  return prose <= LITTLE_PROSE || prose <= 0.5 * held(body).prose
}

const isHeading = ({ name }: Element): boolean => /^h[1-6]$/.test(name)

/** The title that docutils gives a box in the text, an `aside` for one. */
const isBoxTitle = (node: ChildNode): boolean =>
  isElement(node) && /(?:^|\s)sidebar-title(?:\s|$)/.test(node.attribs['class'] ?? '')

/** What an element is called. The id of a section is its subject: it has a heading that says the same. */
function namesOf({ name, attribs, children }: Element): readonly string[] {
  const isSection = children.some((child) => isElement(child) && isHeading(child))
  return wordsOf({ name, attribs: isSection ? { class: attribs['class'] ?? '' } : attribs })
}

/** The parts of the text, and all that they lie in. */
function findHolders(body: Element, isPart: (element: Element) => boolean): ReadonlySet<ParentNode> {
  const holders = new Set<ParentNode>()
  walk(body, (node) => {
    if (!isElement(node) || !isPart(node)) return
    for (let at: ParentNode | null = node; at !== null && !holders.has(at); at = at.parent) holders.add(at)
  })
  return holders
}

/** The outermost elements that are the main part, however little they hold: there are pages of one line. Or else the body. */
function findParts(
  body: Element,
  isDropped: (element: Element) => boolean,
  rest: MeasureOf,
  isPart: (element: Element) => boolean,
): Element[] {
  const parts: Element[] = []
  walk(body, (node) => {
    if (!isElement(node) || isDropped(node)) return false
    if (!isPart(node)) return true
    parts.push(node)
    return false
  })
  const text = parts.reduce((sum, part) => sum + rest(part).text, 0)
  return text > 0 ? parts : [body]
}
