import type { ZodType } from 'zod'
import type { OptionSchemas, SchemaBuilder } from '../../convert/format.js'
import type { ScreenshotOptions } from '../../fetch/screenshot-options.js'
import type { EnrichFormat } from '../format.js'

/** A picture of the page, taken after all actions. */
export interface ScreenshotFormat extends ScreenshotOptions {
  type: 'screenshot'
}

/** What `screenshot` fills. */
export interface ScreenshotFields {
  /** The picture: the URL that the engine's `media` sink gave for it, a `data:` URI without one. */
  screenshot: string
}

/** The schemas of {@link ScreenshotOptions}: for the format and for the action of the same name. @internal */
export function screenshotOptions(z: SchemaBuilder) {
  const whole = (from: number, to: number): ZodType<number> => z.number().multipleOf(1).min(from).max(to)
  return {
    fullPage: z.boolean().optional(),
    quality: whole(1, 100).optional(),
    viewport: z.strictObject({ width: whole(1, 7680), height: whole(1, 4320) }).optional(),
  } satisfies OptionSchemas<ScreenshotOptions>
}

/** @see docs/compatibility.md#formats */
export const screenshot: EnrichFormat<ScreenshotFormat, ScreenshotFields> = {
  type: 'screenshot',
  options: screenshotOptions,
  async make({ captures, url: pageUrl }, _options, tools) {
    const picture = captures?.screenshot
    if (!picture) return { fields: {}, warnings: ['There is no `screenshot`: what answered is no page to be seen.'] }
    const { mediaType, bytes } = picture
    const { url, warning } = await tools.publish({ kind: 'screenshot', mediaType, bytes, pageUrl })
    return { fields: { screenshot: url }, warnings: [picture.warning, warning] }
  },
}
