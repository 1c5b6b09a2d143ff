import type { core } from 'zod'
import type { OptionSchemas, SchemaBuilder } from '../../../content/convert/format.js'
import { wholeNumber } from './basic-schemas.js'

/**
 * Conditions under which a crawl with a `goal` ends, although URLs are queued. One of `answers` and `gain` is enough.
 *
 * @see docs/guides/goal.md#end-when-enough-is-known
 */
export interface UntilOptions {
  /** Number of pages that answer the goal: those with a relevance of at least 0.5, from 1. @default no limit */
  answers?: number | undefined
  /** Expected gain of the next page, above 0 and below 1, below which the crawl ends. @default 0.02 */
  gain?: number | undefined
  /** Number of pages that are read before the crawl may end, from 1. @default 10 */
  pages?: number | undefined
}

/** Defaults of {@link UntilOptions}. @internal */
export const untilDefaults = { gain: 0.02, pages: 10 } as const

/** Creates the schema of {@link UntilOptions}. @internal */
export const untilSchema = (z: SchemaBuilder) =>
  z.strictObject({
    answers: wholeNumber(z, 'pages', 1).optional(),
    gain: z.number().gt(0).lt(1).optional(),
    pages: wholeNumber(z, 'pages', 1).optional(),
  } satisfies OptionSchemas<UntilOptions>)

/** Refuses options that only a crawl with a `goal` has. @internal */
export function refuseWithoutGoal(
  { until, siteSearch, goal }: { until?: unknown; siteSearch?: unknown; goal?: unknown },
  context: core.$RefinementCtx,
): void {
  if (goal !== undefined) return
  for (const [name, value] of Object.entries({ until, siteSearch })) {
    if (value !== undefined) context.addIssue({ code: 'custom', path: [name], message: 'needs a `goal`, in words' })
  }
}
