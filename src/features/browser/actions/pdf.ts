import type { ActionKind } from '../action-kind.js'
import type { PdfAction } from '../../../kernel/fetch/action-options.js'
import { pageFunction } from '../injected/page-functions.js'

/** Maximum scale that Chromium prints at. For a larger one the page is zoomed in addition. */
const MAX_SCALE = 2

/** Default margin of a browser's print dialog; a `@page` rule of the page overrides it. */
const margin = { top: '1cm', right: '1cm', bottom: '1cm', left: '1cm' }

/** Prints the page with its print style sheets and backgrounds. @see docs/compatibility/requests.md#actions */
export const pdf: ActionKind<PdfAction> = {
  type: 'pdf',
  async run({ page, world, results }, { format = 'Letter', landscape = false, scale = 1 }) {
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
    const before = await world.call(pageFunction('setZoom'), String(scale / MAX_SCALE))
    try {
      await print()
    } finally {
      await world.call(pageFunction('setZoom'), before)
    }
  },
}
