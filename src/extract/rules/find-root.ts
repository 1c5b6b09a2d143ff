import { type Element, findElement, isElement, walk } from '../../html/tree.js'
import type { Holding, Measure } from './measure.js'
import type { PageKind } from '../blocks/page-kind.js'

/** The part that is gone into must hold this share of the prose: an article may have a box beside it, a thread has many posts. */
const ARTICLE_SHARE = 0.7
const THREAD_SHARE = 0.97

/** Where there is less prose than this, its place says nothing. Characters. */
const MIN_PROSE = 300

/**
 * The element that holds the main content: `main` where it holds most of the page, and in it, when the page is one text, the
 * smallest part that holds most of that.
 */
export function findRoot(body: Element, held: Holding, kind: PageKind): Element {
  const main = findLast(body, (element) => isMain(element) && holdsMost(held(element), held(body))) ?? body
  if (kind === 'discussion') return descend(main, held, THREAD_SHARE)
  return kind === 'article' || isProse(held(main)) ? descend(main, held, ARTICLE_SHARE) : main
}

const isMain = ({ name, attribs }: Element): boolean => name === 'main' || attribs['role'] === 'main'

const holdsMost = (part: Measure, whole: Measure): boolean =>
  part.prose >= 0.7 * whole.prose && part.text >= (whole.prose > 0.3 * whole.text ? 0.2 : 0.4) * whole.text

const isProse = ({ prose, text }: Measure): boolean => prose > 0.6 * text && prose > 600

/** Whether it is a text, whatever the page says that it is. */
export const isMostlyProse = ({ prose, text }: Measure): boolean => prose > 0.75 * text && prose > 1000

function findLast(body: Element, passes: (element: Element) => boolean): Element | undefined {
  let found: Element | undefined
  walk(body, (node) => {
    if (isElement(node) && passes(node)) found = node
  })
  return found
}

function descend(root: Element, held: Holding, share: number): Element {
  const { prose } = held(root)
  if (prose < MIN_PROSE) return root
  for (let at = root; ;) {
    const parts = at.children.filter(isElement)
    const next = parts.find((child) => held(child).prose >= share * prose)
    if (
      next === undefined ||
      PARTS.has(next.name) ||
      parts.some((part) => isParallel(part, next) && held(part).prose > 0)
    )
      return at
    at = next
  }
}

/** What may hold most of a text, and is never the whole of it: a list has a heading above it, and words before it. */
const PARTS: ReadonlySet<string> = new Set(['p', 'ol', 'ul', 'pre'])

/** Whether two parts are of one kind, as the sections of a chapter are: neither is the whole. */
const isParallel = (part: Element, other: Element): boolean =>
  part !== other && part.name === other.name && part.attribs['class'] === other.attribs['class']

/** The title of the page, when it stands before the part that was found, and what lies between: subtitle, author, date. */
export function findHeader(root: Element, body: Element, held: Holding): Element[] {
  if (findElement(root, isTitle) !== undefined) return []
  const path: Element[] = []
  for (let at = root; at !== body && at.parent !== null && isElement(at.parent); at = at.parent) path.unshift(at)
  // The innermost part around the text that has a title before it.
  for (const [depth, at] of [...path.entries()].reverse()) {
    const before = siblingsBefore(at)
    const titled = before.findLastIndex((element) => held(element).text > 0 && holdsTitle(element))
    if (titled === -1) continue
    const between = path.slice(depth + 1).flatMap(siblingsBefore)
    const parts = [...before.slice(titled), ...between].filter((element) => isHeaderPart(held(element)))
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

const isHeaderPart = ({ text, link }: Measure): boolean => text > 0 && text < 1500 && link <= 0.5 * text
