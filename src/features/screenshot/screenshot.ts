import { screenshotOptions } from '../../kernel/options/fields/actions.js'
import type { Capture } from '../../kernel/fetch/capture.js'
import type { ScreenshotImage, ScreenshotOptions } from '../../kernel/fetch/screenshot-options.js'
import type { EnrichFormat } from '../../kernel/enrich/format.js'

/** An image of the page, taken after all actions. */
export interface ScreenshotFormat extends ScreenshotOptions {
  type: 'screenshot'
}

/** Fields that `screenshot` fills. */
interface ScreenshotFields {
  /** The image: the URL that the engine's `media` sink returned, a `data:` URI without a sink. */
  screenshot: string
}

/** Takes a screenshot of the page. Its options are normalised, so that one in the cache can be compared. */
const capture: Capture<ScreenshotFormat, ScreenshotOptions, ScreenshotImage> = {
  plan: ({ fullPage = false, quality, viewport }) => ({
    fullPage,
    ...(quality === undefined ? {} : { quality }),
    ...(viewport ? { viewport: { ...viewport } } : {}),
  }),
  take: (context, options) => context.takeScreenshot(options),
}

/** @see docs/compatibility/requests.md#formats */
export const screenshot: EnrichFormat<ScreenshotFormat, ScreenshotFields, 'screenshot' | 'screenshot@fullPage'> = {
  type: 'screenshot',
  traits: ['file', 'once'],
  versionOne: { screenshot: {}, 'screenshot@fullPage': { fullPage: true } },
  capture,
  options: screenshotOptions,
  async produce({ captures, url: pageUrl }, _options, tools) {
    const image = captures?.screenshot
    if (!image)
      return { fields: {}, warnings: ['There is no `screenshot`: the response is not a page that a browser renders.'] }
    const { mediaType, bytes } = image
    const { url, warning } = await tools.publish({ kind: 'screenshot', mediaType, bytes, pageUrl })
    return { fields: { screenshot: url }, warnings: [image.warning, warning] }
  },
}
