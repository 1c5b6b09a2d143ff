import type { ActionKind } from '../action-kind.js'
import type { ScrapeAction } from '../../../kernel/fetch/action-options.js'

/** Records the page's current HTML. @see docs/compatibility/requests.md#actions */
export const scrape: ActionKind<ScrapeAction> = {
  type: 'scrape',
  async run({ page, readHtml, results }) {
    const html = await readHtml()
    results.scrapes.push({ url: page.url(), html })
  },
}
