import type { Capture } from '../capture.js'
import { takeScreenshot } from '../browser-page/take-screenshot.js'

/** Takes a screenshot of the page, after all actions. @see docs/compatibility.md#formats */
export const screenshot: Capture<'screenshot'> = {
  name: 'screenshot',
  take: takeScreenshot,
}
