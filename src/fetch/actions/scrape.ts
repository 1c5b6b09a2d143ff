import type { ActionKind } from '../action.js'
import type { ScrapeAction } from '../action-options.js'

/** Keeps the page as it stands. @see behaviour 1.5 */
export const scrape: ActionKind<ScrapeAction> = {
  type: 'scrape',
  async run({ page, readHtml, results }) {
    const html = await readHtml()
    results.scrapes.push({ url: page.url(), html })
  },
}
