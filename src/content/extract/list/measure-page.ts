import { type ChildNode, type Element, isElement, isHeading, isText, walk } from '../../html/tree.js'

/** The visible content of an element, descendants included. */
export interface VisibleMeasure {
  /** Number in document order. */
  readonly at: number
  /** Characters of text, without white space. */
  text: number
  /** Characters of text in links to other pages. */
  linkText: number
  /** Characters of text in the page's main content, without navigation and the like. */
  keptText: number
  /** Links to other pages. */
  links: number
  images: number
  headings: number
  /** Elements. */
  elements: number
  /** True in navigation, a header, a footer or another part around the content of the page. */
  readonly isInFrame: boolean
}

/** Tests for the visible parts of a page, and for its main content. */
interface MeasureScope {
  readonly isInvisible: (element: Element) => boolean
  /** Roots of the main content. */
  readonly roots: readonly Element[]
  readonly isDropped: (node: ChildNode) => boolean
}

/** PageMeasures of the visible elements of a page. */
export type PageMeasures = ReadonlyMap<Element, VisibleMeasure>

const FRAME_ELEMENTS: ReadonlySet<string> = new Set(['nav', 'footer', 'dialog', 'select', 'svg', 'math', 'menu'])
const FRAME_ROLES: ReadonlySet<string> = new Set(['navigation', 'contentinfo', 'menu', 'menubar', 'tablist', 'dialog'])

/** PageMeasures the visible elements below `body` in one walk. */
export function measurePage(body: Element, { isInvisible, roots, isDropped }: MeasureScope): PageMeasures {
  const measures = new Map<Element, VisibleMeasure>()
  const whole = new Set(roots)
  const open: OpenElement[] = []
  let at = 0
  const enter = (element: Element): boolean => {
    const outer = open.at(-1)
    if (outer !== undefined && (isInvisible(element) || element.name === 'svg')) return false
    const isKept = (outer?.isKept === true || whole.has(element)) && !isDropped(element)
    const isInFrame = outer?.measure.isInFrame === true || isFrame(element)
    const measure: VisibleMeasure = { ...EMPTY, at: at++, isInFrame }
    measures.set(element, measure)
    open.push({ element, measure, isKept, isLink: outer?.isLink === true || leadsElsewhere(element) })
    if (element.name === 'a' && leadsElsewhere(element)) measure.links += 1
    if (element.name === 'img') measure.images += 1
    if (isHeading(element)) measure.headings += 1
    return true
  }
  const leave = (element: Element): void => {
    const closed = open.at(-1)
    if (closed?.element !== element) return
    open.pop()
    const outer = open.at(-1)
    if (outer !== undefined) include(closed.measure, outer.measure)
  }
  enter(body)
  walk(
    body,
    (node) => {
      if (isElement(node)) return enter(node)
      const inner = open.at(-1)
      if (!isText(node) || inner === undefined) return true
      const length = countCharacters(node.data)
      inner.measure.text += length
      if (inner.isLink) inner.measure.linkText += length
      if (inner.isKept && !inner.measure.isInFrame && !isDropped(node)) inner.measure.keptText += length
      return true
    },
    leave,
  )
  leave(body)
  return measures
}

interface OpenElement {
  readonly element: Element
  readonly measure: VisibleMeasure
  readonly isKept: boolean
  readonly isLink: boolean
}

const EMPTY = { text: 0, linkText: 0, keptText: 0, links: 0, images: 0, headings: 0, elements: 1 }

function include(inner: VisibleMeasure, outer: VisibleMeasure): void {
  outer.text += inner.text
  outer.linkText += inner.linkText
  outer.keptText += inner.keptText
  outer.links += inner.links
  outer.images += inner.images
  outer.headings += inner.headings
  outer.elements += inner.elements
}

const isFrame = ({ name, attribs, parent }: Element): boolean =>
  FRAME_ELEMENTS.has(name) ||
  FRAME_ROLES.has(attribs['role'] ?? '') ||
  (name === 'header' && parent !== null && isElement(parent) && parent.name === 'body')

/** True for a link to another page. */
export function leadsElsewhere({ name, attribs }: Element): boolean {
  if (name !== 'a') return false
  const href = attribs['href']?.trim() ?? ''
  return href !== '' && !href.startsWith('#') && !/^(?:javascript|mailto|tel|sms|data):/i.test(href)
}

function countCharacters(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code > 32 && code !== 0xa0) count += 1
  }
  return count
}
