import type { Capture } from '../capture.js'
import { takePicture } from '../browser-page/take-picture.js'

/** A picture of the page, after all actions. @see behaviour 1.4 */
export const screenshot: Capture<'screenshot'> = {
  name: 'screenshot',
  take: takePicture,
}
