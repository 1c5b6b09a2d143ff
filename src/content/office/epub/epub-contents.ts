import { type Element, collapse, findElement, hasText, isElement, textOf } from '../../html/tree.js'
import { child, childrenNamed, descendants, elements, type XmlElement, xmlText } from '../package/xml.js'

/** Entry of a book's table of contents. */
export interface ContentsEntry {
  readonly label: string
  /** Target as written: a path with an optional fragment. */
  readonly target: string
  /** Outline level, from 1. */
  readonly level: number
}

const MAX_LEVEL = 6

/**
 * Lists the entries of a table of contents: of the `nav` element in XHTML, or of `navMap` in NCX.
 *
 * @see https://www.w3.org/TR/epub-33/#sec-nav
 */
export function readContents(root: XmlElement): ContentsEntry[] {
  const map = descendants(root, 'ncx:navMap', 'navMap')[0]
  if (map !== undefined) return readPoints(map, 1)
  const nav = descendants(root, 'nav').find(({ attributes }) => Object.values(attributes).includes('toc'))
  return readItems(child(nav, 'ol'), 1)
}

function readItems(list: XmlElement | undefined, level: number): ContentsEntry[] {
  return childrenNamed(list, 'li').flatMap((item) => {
    const link = descendants(item, 'a', 'ol').find(({ name }) => name === 'a')
    const own = link === undefined ? [] : [entryOf(xmlText(link), link.attributes['href'], level)]
    return [...own, ...(level < MAX_LEVEL ? readItems(child(item, 'ol'), level + 1) : [])]
  })
}

const isPoint = ({ name }: XmlElement): boolean => /^(?:ncx:)?navPoint$/.test(name)

function readPoints(parent: XmlElement, level: number): ContentsEntry[] {
  return elements(parent)
    .filter(isPoint)
    .flatMap((point) => {
      const label = elements(point).find(({ name }) => name.endsWith('navLabel'))
      const content = elements(point).find(({ name }) => name.endsWith('content'))
      const own = entryOf(xmlText(label), content?.attributes['src'], level)
      return [own, ...(level < MAX_LEVEL ? readPoints(point, level + 1) : [])]
    })
}

const entryOf = (label: string, target: string | undefined, level: number): ContentsEntry => ({
  label: collapse(label),
  target: target ?? '',
  level,
})

const PARAGRAPHS = new Set(['p', 'div'])

/**
 * Turns paragraphs that the table of contents refers to into headings, if the chapter has no headings. Some programs
 * write headings as paragraphs in large type.
 */
export function nameHeadings(chapter: Element, entries: readonly ContentsEntry[]): void {
  if (findElement(chapter, ({ name }) => /^h[1-6]$/.test(name)) !== undefined) return
  for (const { label, target, level } of entries) {
    if (label === '') continue
    const fragment = target.split('#')[1]
    const place = fragment === undefined ? chapter : findElement(chapter, ({ attribs }) => attribs['id'] === fragment)
    const paragraph = place && firstParagraph(place)
    if (paragraph !== undefined && collapse(textOf(paragraph)).toLowerCase() === label.toLowerCase())
      paragraph.name = `h${Math.min(level, MAX_LEVEL)}`
  }
}

/** Returns the first block with text in an element, or the element itself. */
function firstParagraph(place: Element): Element | undefined {
  const isOwn = (element: Element): boolean =>
    PARAGRAPHS.has(element.name) &&
    hasText(element) &&
    element.children.every((node) => !isElement(node) || !PARAGRAPHS.has(node.name))
  return isOwn(place) ? place : findElement(place, (element) => hasText(element) && isOwn(element))
}
