import type { ActionKind } from '../action-kind.js'
import type { ScreenshotAction } from '../../../kernel/fetch/action-options.js'

/** Takes a screenshot of the page. @see docs/compatibility/requests.md#actions */
export const screenshot: ActionKind<ScreenshotAction> = {
  type: 'screenshot',
  async run(context, options) {
    context.results.screenshots.push(await context.takeScreenshot(options))
  },
}
