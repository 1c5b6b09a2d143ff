import type { Element } from '../../html/tree.js'
import type { ElementReader } from '../ast/element-reader.js'

const NAMED =
  /(?:^|[\s_])(?:wp-caption-text|(?:image|img|photo|picture|figure|thumb|media)[-_]?caption|caption[-_]?text|figcaption|caption)(?=$|\s)/i

/** Whether an element is called a caption. What is one is told by what stands above it: a picture and nothing else. */
export const isCaption = ({ name, attribs }: Element): boolean =>
  name === 'figcaption' || (attribs['class'] !== undefined && NAMED.test(attribs['class']))

/** A caption: it begins on the line below its picture. */
export const readCaption: ElementReader = (element, { view, readChildren }) => {
  const isWithin = view.inCaption
  view.endLine()
  view.inCaption = true
  readChildren(element)
  view.endLine()
  view.inCaption = isWithin
}
