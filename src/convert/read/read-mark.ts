import { hasText } from '../../html/tree.js'
import type { ElementReader } from '../ast/element-reader.js'
import type { MarkKind } from '../markdown-view.js'

/** Styles by which the text of a mark looks as that around it: Google Docs puts a whole text into such a `b`. */
const PLAIN_STYLES: { readonly [kind in MarkKind]?: RegExp } = {
  strong: /(?:^|[;\s])font-weight\s*:\s*(?:normal|400)\b/i,
  emphasis: /(?:^|[;\s])font-style\s*:\s*normal\b/i,
}

/** Returns a reader of marked text. */
export const readMark =
  (kind: MarkKind): ElementReader =>
  (element, context) =>
    // Icons are `i` elements, and an image cannot be bold.
    hasText(element) && PLAIN_STYLES[kind]?.test(element.attribs['style'] ?? '') !== true
      ? context.readMarked(kind, element)
      : context.readChildren(element)
