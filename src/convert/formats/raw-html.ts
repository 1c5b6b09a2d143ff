import type { Format } from '../format.js'

export interface RawHtmlFields {
  /** The page as it came, after charset decoding. */
  rawHtml: string
}

/** The page as it came. @see docs/compatibility.md#formats */
export const rawHtml: Format<{ type: 'rawHtml' }, RawHtmlFields> = {
  type: 'rawHtml',
  convert: ({ page }) => ({ rawHtml: page.text }),
}
