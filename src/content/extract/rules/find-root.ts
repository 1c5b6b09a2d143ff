import { type Element, findElement, isElement, walk } from '../../html/tree.js'
import type { MeasureOf, Measure } from './measure.js'
import type { ContentKind } from '../blocks/page-kind.js'

/**
 * Minimum share of the prose in the part that is descended into. An article may have a box beside it; a thread has many
 * posts.
 */
const MIN_ARTICLE_SHARE = 0.7
const MIN_THREAD_SHARE = 0.97

/** Minimum prose below a root for its distribution to be significant. Characters. */
const MIN_PROSE = 300

/**
 * Minimum shares of the page in a `main` that is its root: of the prose, and of the text. The text may be less on a page that
 * consists of prose, whose share of the text is at least `PROSE_PAGE`.
 */
const MIN_MAIN_PROSE = 0.7
const MIN_MAIN_TEXT = 0.4
const MIN_MAIN_TEXT_OF_PROSE_PAGE = 0.2
const PROSE_PAGE = 0.3

/** Maximum length of a part of the header, and maximum share of links in it. */
const MAX_HEADER_TEXT = 1500
const MAX_HEADER_LINKS = 0.5

/**
 * Finds the element that contains the main content: `main` if it contains most of the page and, on a page that is one
 * text, the smallest part of it that contains most of the text.
 */
export function findRoot(body: Element, measureOf: MeasureOf, kind: ContentKind): Element {
  let main = body
  walk(body, (node) => {
    if (!isElement(node) || (node.name !== 'main' && node.attribs['role'] !== 'main')) return
    if (holdsMost(measureOf(node), measureOf(body))) main = node
  })
  if (kind === 'discussion') return descend(main, measureOf, MIN_THREAD_SHARE)
  return kind === 'article' || isProse(measureOf(main)) ? descend(main, measureOf, MIN_ARTICLE_SHARE) : main
}

const holdsMost = (part: Measure, whole: Measure): boolean =>
  part.prose >= MIN_MAIN_PROSE * whole.prose &&
  part.text >= (whole.prose > PROSE_PAGE * whole.text ? MIN_MAIN_TEXT_OF_PROSE_PAGE : MIN_MAIN_TEXT) * whole.text

/** True for a root of which the smallest part with most of its text is the content: 60 % prose, and 600 characters of it. */
const isProse = ({ prose, text }: Measure): boolean => prose > 0.6 * text && prose > 600

/** True for an element that is an article whatever the page declares: 75 % prose, and 1,000 characters of it. */
export const isMostlyProse = ({ prose, text }: Measure): boolean => prose > 0.75 * text && prose > 1000

function descend(root: Element, measureOf: MeasureOf, share: number): Element {
  const { prose } = measureOf(root)
  if (prose < MIN_PROSE) return root
  for (let at = root; ;) {
    const parts = at.children.filter(isElement)
    const next = parts.find((child) => measureOf(child).prose >= share * prose)
    if (
      next === undefined ||
      TEXT_PARTS.has(next.name) ||
      parts.some((part) => isParallel(part, next) && measureOf(part).prose > 0)
    )
      return at
    at = next
  }
}

/** Elements that may contain most of a text but never all of it: a list has a heading above it, and words before it. */
const TEXT_PARTS: ReadonlySet<string> = new Set(['p', 'ol', 'ul', 'pre'])

/** True for two parts of one kind, such as the sections of a chapter, neither of which is the whole. */
const isParallel = (part: Element, other: Element): boolean =>
  part !== other && part.name === other.name && part.attribs['class'] === other.attribs['class']

/** Finds the title of the page if it stands before the root, and the blocks between: subtitle, author, date. */
export function findHeader(root: Element, body: Element, measureOf: MeasureOf): Element[] {
  if (findElement(root, isTitle) !== undefined) return []
  const path: Element[] = []
  for (let at = root; at !== body && at.parent !== null && isElement(at.parent); at = at.parent) path.unshift(at)
  // The innermost element around the text that has a title before it.
  for (const [depth, at] of [...path.entries()].reverse()) {
    const before = siblingsBefore(at)
    const titled = before.findLastIndex((element) => measureOf(element).text > 0 && holdsTitle(element))
    if (titled === -1) continue
    const between = path.slice(depth + 1).flatMap(siblingsBefore)
    const parts = [...before.slice(titled), ...between].filter((element) => isHeaderPart(measureOf(element)))
    const [holder] = before.slice(titled)
    if (holder === undefined || parts.includes(holder)) return parts
    const title = findElement(holder, isTitle)
    return title === undefined ? parts : [title, ...parts]
  }
  return []
}

const isTitle = ({ name }: Element): boolean => name === 'h1'

const holdsTitle = (element: Element): boolean => isTitle(element) || findElement(element, isTitle) !== undefined

function siblingsBefore(element: Element): Element[] {
  const siblings = element.parent?.children.filter(isElement) ?? []
  return siblings.slice(0, siblings.indexOf(element))
}

const isHeaderPart = ({ text, link }: Measure): boolean =>
  text > 0 && text < MAX_HEADER_TEXT && link <= MAX_HEADER_LINKS * text
