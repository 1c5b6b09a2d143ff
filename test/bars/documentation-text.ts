import { type ChildNode, type Element, isTag, isText } from 'domhandler'

/** Elements that stand in a line of text. All others begin a line of their own. */
const INLINE = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr output q rp rt ruby s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
)

/**
 * The text of an element, in lines.
 *
 * @param isCut elements that end the line before and after them, though they stand in it
 */
export function textOf(node: ChildNode, isCut: (element: Element) => boolean = () => false): string {
  const parts: string[] = []
  const visit = (at: ChildNode): void => {
    if (isText(at)) parts.push(at.data.replace(/\s+/g, ' '))
    if (!isTag(at)) return
    const isBlock = !INLINE.has(at.name) || isCut(at)
    if (isBlock) parts.push('\n')
    at.children.forEach(visit)
    if (isBlock) parts.push('\n')
  }
  visit(node)
  return parts.join('')
}

/** Words and numbers, in lower case. Soft hyphens and the like are not part of them. */
export const readWords = (text: string): string[] =>
  text
    .replace(/[\u00ad\u200b-\u200d\u2060\ufeff]/g, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}_]+/gu) ?? []
