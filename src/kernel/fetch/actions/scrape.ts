import type { ActionKind } from '../action.js'
import type { ScrapeAction } from '../action-options.js'

/** Records the page's current HTML. @see docs/compatibility.md#actions */
export const scrape: ActionKind<ScrapeAction> = {
  type: 'scrape',
  async run({ page, readHtml, results }) {
    const html = await readHtml()
    results.scrapes.push({ url: page.url(), html })
  },
}
