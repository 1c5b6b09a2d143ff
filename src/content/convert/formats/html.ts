import type { Format } from '../format.js'
import { writeHtml } from '../write/write-html.js'

interface HtmlFields {
  /**
   * The content as cleaned HTML: without scripts, styles, head, event handlers, `srcdoc` and unsafe URLs such as
   * `javascript:` or `file:`, and with absolute URLs. It is not sanitized: use a sanitizer before you show it to
   * others.
   */
  html: string
}

/** The content as HTML; a file that was not parsed, in base64. @see docs/compatibility/documents.md#content */
export const html: Format<{ type: 'html' }, HtmlFields, 'html'> = {
  type: 'html',
  showsContent: true,
  dropsRepeats: true,
  isForPrompt: true,
  versionOne: { html: {} },
  // Letters are not encoded as entities: only characters that HTML would parse as markup are escaped.
  convert({ tree, page, limits }, _, __, warn) {
    if (page.base64 !== undefined) return { html: page.base64 }
    return { html: writeHtml(tree, limits, { format: 'html', warn }) }
  },
}
