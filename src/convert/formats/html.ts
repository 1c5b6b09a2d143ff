import { type DocumentLimits, limitWarning } from '../../html/document-limits.js'
import { copyTree, isElement, walk } from '../../html/tree.js'
import type { HtmlTree } from '../../parse/parser.js'
import type { Format } from '../format.js'

export interface HtmlFields {
  /**
   * The content as cleaned HTML: without scripts, styles, head, event handlers, `srcdoc` and unsafe URLs such as
   * `javascript:` or `file:`, and with absolute URLs. It is not sanitized: use a sanitizer before you show it to
   * others.
   */
  html: string
}

/** The content as HTML; a file that was not parsed, in base64. @see docs/compatibility.md#content */
export const html: Format<{ type: 'html' }, HtmlFields> = {
  type: 'html',
  // Letters are not encoded as entities: only characters that HTML would parse as markup are escaped.
  convert({ tree, page, limits }, _, __, warn) {
    if (page.base64 !== undefined) return { html: page.base64 }
    const written = serialize(tree)
    if (written.length <= limits.part) return { html: written }
    return { html: shorten(tree, limits, (warning) => warn?.(warning)) }
  },
}

const serialize = (tree: HtmlTree): string => tree.$.html({ xml: { xmlMode: false, encodeEntities: 'utf8' } })

/** Writes HTML that is too long: the last elements without their attributes, and if that is not enough, without its end. */
function shorten(tree: HtmlTree, { part }: DocumentLimits, warn: (warning: string) => void): string {
  const root = copyTree(tree.root)
  let left = part / 2
  let emptied = 0
  walk(root, (node) => {
    if (!isElement(node)) return
    for (const [name, value] of Object.entries(node.attribs)) left -= name.length + value.length
    if (left >= 0 || Object.keys(node.attribs).length === 0) return
    node.attribs = {}
    emptied += 1
  })
  const written = serialize(tree.withRoot(root))
  if (emptied > 0) warn(limitWarning(emptied, 'elements of `html` are without their attributes', part))
  if (written.length <= part) return written
  const end = written.lastIndexOf('<', part)
  warn(limitWarning(written.length - end, 'characters at the end of `html` were left out', part))
  return written.slice(0, end)
}
