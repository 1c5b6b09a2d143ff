import type { Format } from '../format.js'

export interface HtmlFields {
  /**
   * The content as HTML, cleaned: no scripts, styles or head, no event handlers, `srcdoc` and addresses such as
   * `javascript:` or `file:`, absolute addresses. It is no sanitizer: show it to others through one.
   */
  html: string
}

/** The content as HTML; a file that was not read, in base64. @see docs/compatibility.md#content */
export const html: Format<{ type: 'html' }, HtmlFields> = {
  type: 'html',
  // Letters stay letters: only what HTML would read as mark-up is escaped.
  convert: ({ $, page }) => ({ html: page.base64 ?? $.html({ xml: { xmlMode: false, encodeEntities: 'utf8' } }) }),
}
