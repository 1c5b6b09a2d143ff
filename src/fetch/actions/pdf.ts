import type { ActionKind } from '../action.js'
import type { PdfAction } from '../action-options.js'
import { pageFunction } from '../../injected/page-functions.js'

/** What Chromium prints at, at most; what is more is given to the page itself. */
const MAX_SCALE = 2

/** What a browser's own print has; a page's `@page` rule comes before it. */
const margin = { top: '1cm', right: '1cm', bottom: '1cm', left: '1cm' }

/** Prints the page, backgrounds included, as its own style for print has it. @see docs/compatibility.md#actions */
export const pdf: ActionKind<PdfAction> = {
  type: 'pdf',
  async run({ page, results }, { format = 'Letter', landscape = false, scale = 1 }) {
    const print = async (): Promise<void> => {
      const bytes = await page.pdf({
        format,
        landscape,
        scale: Math.min(scale, MAX_SCALE),
        printBackground: true,
        margin,
      })
      results.pdfs.push(new Uint8Array(bytes))
    }
    if (scale <= MAX_SCALE) return await print()
    const before = await page.evaluate(pageFunction('setZoom'), String(scale / MAX_SCALE))
    try {
      await print()
    } finally {
      await page.evaluate(pageFunction('setZoom'), before)
    }
  },
}
