import type { ZodType } from 'zod'
import type { OptionSchemas, SchemaBuilder } from '../../../content/convert/format.js'
import {
  type Action,
  type ClickAction,
  type FillAction,
  paperFormats,
  type PdfAction,
  type ScrollAction,
  type WaitAction,
} from '../../fetch/action-options.js'
import type { ScreenshotOptions } from '../../fetch/screenshot-options.js'
import { optionalBoolean, wholeNumber } from './basic-schemas.js'
import { secretSchema } from './secret.js'

export type { Action }

/** Maximum number of actions on one page. */
const MAX_ACTIONS = 50

/** Schemas of {@link ScreenshotOptions}, for the action and for formats. @internal */
export function screenshotOptions(z: SchemaBuilder) {
  const whole = (from: number, to: number): ZodType<number> => z.number().multipleOf(1).min(from).max(to)
  return {
    fullPage: z.boolean().optional(),
    quality: whole(1, 100).optional(),
    viewport: z.strictObject({ width: whole(1, 7680), height: whole(1, 4320) }).optional(),
  } satisfies OptionSchemas<ScreenshotOptions>
}

/**
 * Creates the schema of `actions`.
 *
 * @param mayWaitForBoth true if a `wait` may have an element and a time, as in version 1
 * @see docs/compatibility/requests.md#actions
 * @internal
 */
export const actionsSchema = (z: SchemaBuilder, mayWaitForBoth = false) => {
  const isComplete = (hasTime: boolean, hasElement: boolean) =>
    mayWaitForBoth ? hasTime || hasElement : hasTime !== hasElement
  const selector = z.string().min(1)
  const wait = {
    milliseconds: wholeNumber(z, 'milliseconds', 1).optional(),
    selector: selector.optional(),
  }
  const click = { selector, all: optionalBoolean(z) }
  const fill = { selector, text: z.string().optional(), secret: secretSchema(z).optional() }
  const scroll = { direction: z.enum(['up', 'down']).optional(), selector: selector.optional() }
  const pdf = {
    format: z.enum(paperFormats).optional(),
    landscape: optionalBoolean(z),
    scale: z.number().min(0.1).max(10).optional(),
  }
  const action = z.discriminatedUnion('type', [
    z
      .strictObject({ type: z.literal('wait'), ...(wait satisfies OptionSchemas<WaitAction>) })
      .refine(({ milliseconds, selector: element }) => isComplete(milliseconds !== undefined, element !== undefined), {
        error: `${mayWaitForBoth ? 'at least' : 'exactly'} one of \`milliseconds\` and \`selector\` must be given`,
      }),
    z.strictObject({ type: z.literal('click'), ...(click satisfies OptionSchemas<ClickAction>) }),
    z.strictObject({ type: z.literal('screenshot'), ...screenshotOptions(z) }),
    z.strictObject({ type: z.literal('write'), text: z.string() }),
    z
      .strictObject({ type: z.literal('fill'), ...(fill satisfies OptionSchemas<FillAction>) })
      .refine(({ text, secret }) => (text === undefined) !== (secret === undefined), {
        error: 'exactly one of `text` and `secret` must be given',
      }),
    z.strictObject({ type: z.literal('submit'), selector: selector.optional() }),
    z.strictObject({ type: z.literal('press'), key: z.string().min(1) }),
    z.strictObject({ type: z.literal('scroll'), ...(scroll satisfies OptionSchemas<ScrollAction>) }),
    z.strictObject({ type: z.literal('scrape') }),
    z.strictObject({ type: z.literal('executeJavascript'), script: z.string() }),
    z.strictObject({ type: z.literal('pdf'), ...(pdf satisfies OptionSchemas<PdfAction>) }),
  ])
  return z.array(action).max(MAX_ACTIONS)
}
