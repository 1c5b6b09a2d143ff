import { z } from 'zod'
import { batchDefinitions } from '../../kernel/options/batch-options.js'
import { crawlRequestDefinitions, crawlOptionDefinitions } from '../../kernel/options/crawl-options.js'
import { engineDefinitions } from '../../kernel/options/engine-config.js'
import {
  type AnyDefinitions,
  type FeatureOptions,
  NO_FEATURE_OPTIONS,
  withFeatures,
} from '../../kernel/options/option-definition.js'
import { jobDefinitions } from '../../kernel/options/job-options.js'
import { scrapeDefinitions } from '../../kernel/options/scrape-options.js'

/** Type of an option's value, for parsing it from the text of a flag. */
export interface ValueType {
  /** Kinds of values; several for options that take a string or an object. */
  readonly kinds: readonly ValueKind[]
  /** Allowed names, for an option that takes no others; for a list of objects, their types as well. */
  readonly choices: readonly string[]
  /** Type of the items of a list. */
  readonly item?: ValueType
}

/** Kind of a value. A `record` is an object of strings whose keys the caller chooses; `off` is `false` alone. */
type ValueKind = 'boolean' | 'off' | 'number' | 'string' | 'object' | 'record' | 'list'

/** Option that has a flag of the command line. */
export interface FlagOption {
  readonly name: string
  /** Name of the option whose value contains this one, such as `proxies`; absent at the top level. */
  readonly within?: string
  /** Name of its flag. @default its name in kebab-case */
  readonly flag?: string
  readonly valueType: ValueType
  readonly help: string
  readonly default?: unknown
}

/** Lists the page options that have a flag. */
export const listScrapeOptions = (more: FeatureOptions = NO_FEATURE_OPTIONS): FlagOption[] =>
  listOptions({ ...scrapeDefinitions, ...more.page }, more)

/** Lists the options of a batch that have a flag, without those of its pages. */
export const listBatchOptions = (more: FeatureOptions = NO_FEATURE_OPTIONS): FlagOption[] =>
  listOptions({ ...jobDefinitions, ...more.job, ...batchDefinitions }, more)

/** Lists the options of a crawl that have a flag, without those of its pages. */
export const listCrawlOptions = (more: FeatureOptions = NO_FEATURE_OPTIONS): FlagOption[] =>
  listOptions(
    { ...jobDefinitions, ...more.job, ...crawlOptionDefinitions, ...crawlRequestDefinitions, ...more.crawl },
    more,
  )

/** Lists the settings of an engine that have a flag. */
export const listEngineSettings = (more: FeatureOptions = NO_FEATURE_OPTIONS): FlagOption[] =>
  listOptions(withFeatures(engineDefinitions, more.engine), more)

/** Lists the options with these definitions that have a flag. */
export const listOptions = (definitions: AnyDefinitions, more?: FeatureOptions): FlagOption[] =>
  Object.entries(definitions).flatMap(([name, { schema, help, flag, default: value, nested }]): FlagOption[] => {
    if (nested) return listOptions(nested, more).map((option) => ({ ...option, within: name }))
    if (help === false) return []
    return [{ name, valueType: readValueType(schema(z, more)), help, default: value, flag }]
  })

/** Reads from its schema which values an option takes. */
function readValueType(schema: z.core.$ZodType): ValueType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return readValueType(schema.unwrap())
  if (schema instanceof z.ZodUnion) return mergeTypes(schema.options.map(readValueType))
  if (schema instanceof z.ZodArray) return { kinds: ['list'], choices: [], item: readValueType(schema.element) }
  if (schema instanceof z.ZodEnum) return { kinds: ['string'], choices: schema.options.map(String) }
  if (schema instanceof z.ZodObject) return { kinds: ['object'], choices: readTypes(schema.shape['type']) }
  if (schema instanceof z.ZodRecord) {
    return { kinds: [schema.valueType instanceof z.ZodString ? 'record' : 'object'], choices: [] }
  }
  if (schema instanceof z.ZodBoolean) return { kinds: ['boolean'], choices: [] }
  if (schema instanceof z.ZodLiteral && schema.values.has(false)) return { kinds: ['off'], choices: [] }
  if (schema instanceof z.ZodNumber) return { kinds: ['number'], choices: [] }
  return { kinds: ['string'], choices: [] }
}

const readTypes = (schema: unknown): string[] => (schema instanceof z.ZodLiteral ? [...schema.values].map(String) : [])

const mergeTypes = (types: readonly ValueType[]): ValueType => ({
  kinds: [...new Set(types.flatMap(({ kinds }) => kinds))],
  choices: [...new Set(types.flatMap(({ choices }) => choices))],
})
