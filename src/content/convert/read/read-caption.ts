import { BLOCK_ELEMENTS, type Element, isText } from '../../html/tree.js'
import type { ElementReader } from '../ast/element-reader.js'

const CAPTION_NAME =
  /(?:^|[\s_])(?:wp-caption-text|(?:image|img|photo|picture|figure|thumb|media)[-_]?caption|caption[-_]?text|figcaption|caption)(?=$|\s)/i

/** True for an element named as a caption. Only below an image it counts as one. */
export function isCaption(element: Element): boolean {
  const { name, attribs } = element
  if (name === 'figcaption' || attribs['class'] === undefined) return name === 'figcaption'
  return CAPTION_NAME.test(attribs['class']) && (BLOCK_ELEMENTS.has(name) || !isInSentence(element))
}

/** True for an inline element directly beside text. */
const isInSentence = ({ prev, next }: Element): boolean =>
  [prev, next].some((node) => node !== null && isText(node) && node.data.trim() !== '')

/** Reads a caption, which starts on the line below its image. */
export const readCaption: ElementReader = (element, context) => {
  const { view } = context
  const isWithin = view.inCaption
  view.endLine()
  view.inCaption = true
  context.readChildren(element)
  view.endLine()
  view.inCaption = isWithin
}
