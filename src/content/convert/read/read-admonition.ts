import { type Element, collapse, findElement, isElement, textOf } from '../../html/tree.js'
import type { ReadingContext } from '../ast/element-reader.js'

/** Class names of boxes, and of those whose name has the kind as well: `alert-warning`, `callout callout--note`. */
const BOX =
  /(?:^|[\s_-])(?:admonition(?:block)?|callout|alert|hint(?=[_-])|notice|custom-block|notecard|information-macro|aside)(?=$|[\s_-])/i
/** Kinds of boxes, as class names of generators of documentation and of style libraries have them. */
const KIND =
  /(?:^|\s)(?:[a-z-]{0,40}?(?:--?|is-|type-))?(note|tip|hint|info|information|important|warning|warn|caution|danger|error|attention|deprecated)(?=$|\s)/i
/** The box itself, of which the kind stands beside it: `hint hint-warning`. */
const BARE_HINT = /(?:^|\s)hint(?=\s|$)/i
/** Names that say as much without a box. Others, such as `note`, are those of small print too. */
const ALONE = /(?:^|\s)(warning|caution|danger|attention)(?=$|\s)/i

/** Maximum length of the text of a box. A longer one is a part of the page in a coloured frame. Characters. */
const MAX_TEXT = 2000
/** A text that begins with its kind, or with some words and a colon. */
const LABELLED =
  /^[^\p{L}]*(?:note|tip|hint|info|information|important|warning|warn|caution|danger|error|attention|deprecated|[\p{L} ]{2,20}[:：!])(?!\p{L})/iu
const TITLE = /title|heading|header|label/i

/**
 * Returns the kind of a box that only its style or its icon tells readers, such as `Warning`; undefined for other
 * elements, and for boxes whose text says it.
 */
export function unsaidKind(element: Element): string | undefined {
  const names = element.attribs['class']
  if (names === undefined) return undefined
  const kind =
    BOX.test(names) || element.name === 'aside' ? KIND.exec(names.replace(BARE_HINT, ' '))?.[1] : ALONE.exec(names)?.[1]
  if (kind === undefined) return undefined
  const text = collapse(textOf(element))
  if (text === '' || text.length > MAX_TEXT || LABELLED.test(text)) return undefined
  // A title of one word is the kind, in whatever language.
  const title = titleOf(element)
  if (title !== undefined && !/\S\s\S/.test(title)) return undefined
  const word = (LONG_FORMS.get(kind.toLowerCase()) ?? kind).toLowerCase()
  return word.charAt(0).toUpperCase() + word.slice(1)
}

const LONG_FORMS: ReadonlyMap<string, string> = new Map([
  ['warn', 'warning'],
  ['information', 'info'],
])

/** Returns the text of the title that a box begins with. */
function titleOf(element: Element): string | undefined {
  const title = findElement(
    element,
    ({ name, attribs }) => /^(?:summary|h[1-6]|dt)$/.test(name) || TITLE.test(attribs['class'] ?? ''),
  )
  const text = title && collapse(textOf(title))
  return text && collapse(textOf(element)).startsWith(text) ? text : undefined
}

/** Reads a box with its kind before its text: in the line of a text that is one, or else on a line of its own. */
export function readAdmonition(kind: string, element: Element, context: ReadingContext): void {
  const { view } = context
  view.endLine()
  const isQuote = element.name === 'blockquote' && !view.inCell
  const quote = isQuote ? view.openBlock('quote') : undefined
  const isLine = !element.children.some((child) => isElement(child) && IN_LINES.test(child.name))
  const mark = view.openMark('strong')
  view.text(isLine ? `${kind}:` : kind)
  view.closeMark(mark)
  if (isLine) view.text(' ')
  else view.endLine()
  context.readChildren(element)
  if (quote) view.closeBlock(quote)
  view.endLine()
}

const IN_LINES = /^(?:p|div|section|ul|ol|dl|table|pre|blockquote|figure|h[1-6]|details|aside|header)$/
