import type { ElementReader } from '../ast/element-reader.js'

const MENTION = /white-space/i
const WHITE_SPACE = /(?:^|[;\s])white-space(?:-collapse)?\s*:\s*([a-z-]+)/gi
const KEEPS_LINES = /^(?:pre|pre-wrap|pre-line|break-spaces|preserve|preserve-breaks)$/i
const JOINS_LINES = /^(?:normal|nowrap|collapse|initial)$/i
/** Values that leave it to the elements around, or to a style sheet. */
const FROM_ELSEWHERE = /^(?:inherit|unset|revert|revert-layer|var)$/i

/**
 * Tells if a style shows the line breaks of its element's text; undefined if it does not say so. The last declaration
 * counts, without those that browsers ignore, such as `-moz-pre-wrap`.
 *
 * @see https://www.w3.org/TR/css-text-4/#white-space-property
 */
export function keepsLineBreaks(style: string | undefined): boolean | undefined {
  // Most styles do not mention it.
  if (style === undefined || !MENTION.test(style)) return undefined
  let keeps: boolean | undefined
  for (const [, value = ''] of style.matchAll(WHITE_SPACE)) {
    if (KEEPS_LINES.test(value)) keeps = true
    else if (JOINS_LINES.test(value)) keeps = false
    else if (FROM_ELSEWHERE.test(value)) keeps = undefined
  }
  return keeps
}

/** Returns a reader that keeps the line breaks inside of an element if the style of the element does. */
export const withStyle =
  (read: ElementReader): ElementReader =>
  (element, context) => {
    const { view } = context
    const isWithin = view.keepsLines
    view.keepsLines = keepsLineBreaks(element.attribs['style']) ?? isWithin
    read(element, context)
    view.keepsLines = isWithin
  }
