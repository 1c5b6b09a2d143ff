import type { Capture } from '../capture.js'
import { takePicture } from '../browser-page/take-picture.js'

/** A picture of the page, after all actions. @see docs/compatibility.md#formats */
export const screenshot: Capture<'screenshot'> = {
  name: 'screenshot',
  take: takePicture,
}
