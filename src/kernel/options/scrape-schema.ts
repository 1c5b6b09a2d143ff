import type { z } from 'zod'
import type { SchemaBuilder } from '../../content/convert/format.js'
import type { WaitAction } from '../fetch/action-options.js'
import { createShape, type FeatureOptions, NO_FEATURE_OPTIONS, type ShapeOf } from './option-definition.js'
import { type FeaturePageShape } from './feature-options.js'
import type { FormatSet } from './format-set.js'
import { itemType } from './fields/formats.js'
import { optionalBoolean } from './fields/basic-schemas.js'
import { areValid } from '../../base/issues/are-valid.js'
import { scrapeDefaults, scrapeDefinitions, type ScrapeOptions } from './scrape-options.js'
import { refuseRetention, retentionOptions } from './zero-retention.js'

/** Maximum time that a page may be told to wait, by `waitFor` and its actions together. */
const MAX_WAIT_MS = 60_000

/** Time that waiting for an element counts as. */
const SELECTOR_WAIT_MS = 1000

/** Page options of either version, as far as the rules read them. */
interface RuledOptions extends Pick<
  ScrapeOptions,
  'waitFor' | 'timeout' | 'actions' | 'expand' | 'fastMode' | 'profile'
> {
  formats?: readonly (string | { readonly type: string })[]
}

/** Creates the schema of each field of {@link ScrapeOptions}. @internal */
export const scrapeShape = (z: SchemaBuilder, more: FeatureOptions = NO_FEATURE_OPTIONS) =>
  createShape({ ...more.page, ...scrapeDefinitions }, z, undefined, more) as ShapeOf<typeof scrapeDefinitions> &
    FeaturePageShape

/** Creates the rules across the fields of page options. A rule runs if the fields that it reads are valid. @internal */
export function scrapeRules(
  z: SchemaBuilder,
  { formats }: FeatureOptions = NO_FEATURE_OPTIONS,
): z.core.$ZodCheck<RuledOptions>[] {
  return [
    z.superRefine(refuseWaitOverTimeout, { when: areValid('waitFor', 'timeout') }),
    z.superRefine(refuseLongTotalWait, { when: areValid('waitFor', 'actions') }),
    z.superRefine(refuseBrowserNeeds(formats), {
      when: areValid('fastMode', 'waitFor', 'actions', 'expand', 'formats', 'profile'),
    }),
    z.superRefine(refuseContradictions(formats), { when: areValid('formats') }),
  ]
}

/** Creates the schema of {@link ScrapeOptions}. @internal */
export const scrapeSchema = (z: SchemaBuilder, more?: FeatureOptions) =>
  z.strictObject(scrapeShape(z, more)).check(...scrapeRules(z, more))

/** Creates the schema of {@link ScrapeCallOptions}. @internal */
export const scrapeCallSchema = (z: SchemaBuilder, more?: FeatureOptions) =>
  z
    .strictObject({ ...scrapeShape(z, more), zeroDataRetention: optionalBoolean(z) })
    .check(...scrapeRules(z, more), ...topLevelRules(z, more))

/** Creates the rules of requests of either version that have page options beside `zeroDataRetention`. @internal */
export const topLevelRules = (z: SchemaBuilder, more: FeatureOptions = NO_FEATURE_OPTIONS) => [
  z.superRefine(refuseRetention('top level', more), {
    when: areValid(...retentionOptions(more), 'formats', 'storeInCache', 'profile', 'actions'),
  }),
]

/** Refuses a `waitFor` that leaves less than half of the `timeout` for the page. */
function refuseWaitOverTimeout({ waitFor, timeout }: RuledOptions, context: z.core.$RefinementCtx): void {
  if (waitFor === undefined || timeout === undefined || waitFor <= timeout / 2) return
  const message = `${waitFor} is more than half of \`timeout\`, which is ${timeout}`
  context.addIssue({ code: 'custom', path: ['waitFor'], message })
}

/** Refuses actions that wait too long together with `waitFor`. */
function refuseLongTotalWait(
  { waitFor = scrapeDefaults.waitFor, actions = [] }: RuledOptions,
  context: z.core.$RefinementCtx,
): void {
  const waits = actions.flatMap((action) => (action.type === 'wait' ? [countWaitMs(action)] : []))
  const totalMs = waits.reduce((sum, waitMs) => sum + waitMs, waitFor)
  if (waits.length === 0 || totalMs <= MAX_WAIT_MS) return
  const message = `waits of ${totalMs} milliseconds, \`waitFor\` included, are too long: at most ${MAX_WAIT_MS} together`
  context.addIssue({ code: 'custom', path: ['actions'], message })
}

/** Counts the time of a wait; one for an element and a time counts both. */
const countWaitMs = ({ milliseconds = 0, selector }: WaitAction): number =>
  milliseconds + (selector === undefined ? 0 : SELECTOR_WAIT_MS)

/** Refuses options of a format that contradict each other. */
const refuseContradictions =
  (known: FormatSet) =>
  ({ formats = [] }: RuledOptions, context: z.core.$RefinementCtx): void => {
    for (const [index, item] of formats.entries()) {
      const facts = known.factsOf(itemType(item))
      if (typeof item === 'string' && !facts?.hasOpenOptions) continue
      for (const { name = [], message } of facts?.findFaults?.(typeof item === 'string' ? { type: item } : item) ?? [])
        context.addIssue({ code: 'custom', path: ['formats', index, name].flat(), message })
    }
  }

/** Refuses `fastMode` with options that need a browser. */
const refuseBrowserNeeds =
  (known: FormatSet) =>
  (
    {
      fastMode = scrapeDefaults.fastMode,
      waitFor = scrapeDefaults.waitFor,
      actions = [],
      expand = scrapeDefaults.expand,
      formats = [],
      profile,
    }: RuledOptions,
    context: z.core.$RefinementCtx,
  ): void => {
    if (!fastMode) return
    const needs = [
      ...(waitFor > 0 ? ['`waitFor`'] : []),
      ...(actions.length > 0 ? ['`actions`'] : []),
      ...(expand ? ['`expand`'] : []),
      ...(profile ? ['`profile`'] : []),
      ...formats
        .map(itemType)
        .filter((type) => known.captures.has(type))
        .map((type) => `format \`${type}\``),
    ]
    if (needs.length === 0) return
    const message = `leaves the browser out, which ${needs.join(', ')} ${needs.length > 1 ? 'need' : 'needs'}: they cannot be combined`
    context.addIssue({ code: 'custom', path: ['fastMode'], message })
  }
