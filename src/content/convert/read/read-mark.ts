import { hasText } from '../../html/tree.js'
import type { ElementReader } from '../ast/element-reader.js'
import type { MarkKind } from '../markdown-view.js'

/** Styles by which the text of a mark looks as that around it: Google Docs puts a whole text into such a `b`. */
const PLAIN_STYLES: { readonly [kind in MarkKind]?: { readonly declared: RegExp; readonly plain: RegExp } } = {
  strong: { declared: /(?:^|;)\s*font-weight\s*:\s*(\w+)/gi, plain: /^(?:normal|400)$/i },
  emphasis: { declared: /(?:^|;)\s*font-style\s*:\s*(\w+)/gi, plain: /^normal$/i },
}

/** Returns a reader of marked text. */
export const readMark =
  (kind: MarkKind): ElementReader =>
  (element, context) =>
    // Icons are `i` elements, and an image cannot be bold.
    hasText(element) && !looksPlain(kind, element.attribs['style'])
      ? context.readMarked(kind, element)
      : context.readChildren(element)

/** True for a style whose last declaration takes the look of the mark away. */
function looksPlain(kind: MarkKind, style: string | undefined): boolean {
  const styles = PLAIN_STYLES[kind]
  if (styles === undefined || style === undefined) return false
  const [, value] = [...style.matchAll(styles.declared)].at(-1) ?? []
  return value !== undefined && styles.plain.test(value)
}
