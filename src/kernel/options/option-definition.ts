import type { ZodType } from 'zod'
import type { SchemaBuilder } from '../../content/convert/format.js'
import { FormatSet } from './format-set.js'

/** Definition of an option: its schema, its default, and its flag of the command line. Its docstring is its documentation. */
interface OptionDefinition<Value = unknown> {
  /** Creates the schema, `optional()` included. @param more options that features add to the requests within it */
  readonly schema: (z: SchemaBuilder, more?: FeatureOptions) => ZodType<Value>
  /** Value of an option that is not given; absent where it is computed, or where the option has no effect unless given. */
  readonly default?: Value
  /** Text of the flag in the command line's help, with unit and range; the default is appended. False without a flag. */
  readonly help: string | false
  /** Name of the flag. @default the name of the option in kebab-case */
  readonly flag?: string
  /** Definitions of the fields of an object whose fields have flags of their own. */
  readonly nested?: AnyDefinitions
  /** Option that an option of a feature follows, where options are listed. @default the last one */
  readonly follows?: string
  /** Slice of the plan that receives the value, or its default, under the option's name. @default none: `src/kernel/plan/` reads the option */
  readonly slice?: SliceName
  /** Set if by it a site gives another page, so that it has no effect on a page that the caller supplies. */
  readonly isForSite?: true
  /** Option without which it is refused, with this text. */
  readonly needs?: { readonly option: string; readonly message: string }
  /**
   * Set if its value is a receiver of reports, or the URL of one: a URL object becomes a string, and an address of a private network is
   * refused unless the engine may connect to it.
   */
  readonly isReceiver?: true
  /** Set if the site is asked for it: pages that are read from the cache alone are refused with it. For options of crawls. */
  readonly asksSite?: true
  /** Set if a language model is asked for its text: an engine without one refuses it, as do pages that are read from the cache alone. */
  readonly asksModel?: true
  /** Says that it stores pages, unless it is false or absent: `zeroDataRetention` then refuses it, with this text. */
  readonly stores?: string
}

/** Slices of a plan that options are passed on to. The types of the slices are in the folders that read them. */
export type SliceName = 'extract' | 'convert' | 'browser' | 'scope' | 'crawl' | 'job'

/** A definition for each option of a request, no more and no fewer. */
export type OptionDefinitions<Options> = { readonly [Name in keyof Options]-?: OptionDefinition<Options[Name]> }

/** Definitions of the options of any object. */
export type AnyDefinitions = Readonly<Record<string, OptionDefinition>>

/** Request of a call that a feature adds, for messages about options that do not belong there. */
export interface OwnRequest {
  /** Names of its options, without those of others that it does not have. */
  readonly names: readonly string[]
  /** The call that takes it: `engine.map()`. */
  readonly call: string
  /** Places of the options of a page, and of a crawl, in it: "belongs in …". @default nowhere: other calls take them */
  readonly places?: { readonly page: string; readonly crawl: string }
  /** Explanations of names that go before that, as the end of "which …". */
  readonly hints?: Readonly<Record<string, string>>
}

/** Options that the features of an engine add to requests. @internal */
export interface FeatureOptions {
  /** Definitions of their page options, in the order of the features. */
  readonly page: AnyDefinitions
  /** Definitions of their options of jobs. */
  readonly job: AnyDefinitions
  /** Definitions of their options of crawls. */
  readonly crawl: AnyDefinitions
  /** Definitions of their settings of the engine. */
  readonly engine: AnyDefinitions
  /** Definitions of the options of their own calls, by the name of the call. */
  readonly calls: Readonly<Record<string, AnyDefinitions>>
  /** Requests of their own calls. */
  readonly requests: readonly OwnRequest[]
  /** Functions that make ledgers of features which outlive the process, for messages. */
  readonly ledgers: readonly string[]
  /** The formats that requests may ask for. */
  readonly formats: FormatSet
}

/** Options of an engine without features. @internal */
export const NO_FEATURE_OPTIONS: FeatureOptions = {
  page: {},
  job: {},
  crawl: {},
  engine: {},
  calls: {},
  requests: [],
  ledgers: [],
  formats: new FormatSet(),
}

/** Names the ledgers that outlive the process, for messages. @internal */
export const nameDurableLedgers = ({ ledgers }: FeatureOptions = NO_FEATURE_OPTIONS): string =>
  ['sqlite', ...ledgers].map((name) => `\`${name}(…)\``).join(' or ')

/** Adds the definitions of features to those of a request, in the order of the reference. */
export const withFeatures = (definitions: AnyDefinitions, more: AnyDefinitions): AnyDefinitions => {
  const added = Object.entries(more)
  return Object.fromEntries([
    ...Object.entries(definitions).flatMap((one) => [one, ...added.filter(([, { follows }]) => follows === one[0])]),
    ...added.filter(([, { follows = '' }]) => !Object.hasOwn(definitions, follows)),
  ])
}

/** Schema of each option, by its name. */
export type ShapeOf<Definitions extends AnyDefinitions> = {
  -readonly [Name in keyof Definitions]: ReturnType<Definitions[Name]['schema']>
}

/** Default of each option that has one, by its name. */
export type DefaultsOf<Definitions> = {
  readonly [
    Name in keyof Definitions as Definitions[Name] extends { readonly default: unknown } ? Name : never
  ]: Definitions[Name] extends { readonly default: infer Default } ? Default : never
}

/** Creates the schema of each option, in the order of the definitions. @param isWanted leaves out options. @default all */
export const createShape = <Definitions extends AnyDefinitions>(
  definitions: Definitions,
  z: SchemaBuilder,
  isWanted: (name: string) => boolean = () => true,
  more?: FeatureOptions,
): ShapeOf<Definitions> =>
  Object.fromEntries(
    Object.entries(definitions).flatMap(([name, { schema }]) => (isWanted(name) ? [[name, schema(z, more)]] : [])),
  ) as ShapeOf<Definitions>

/** Collects the defaults of the options that have one. */
export const collectDefaults = <Definitions extends AnyDefinitions>(
  definitions: Definitions,
): DefaultsOf<Definitions> =>
  Object.fromEntries(
    Object.entries(definitions).flatMap(([name, definition]) =>
      definition.default === undefined ? [] : [[name, definition.default]],
    ),
  ) as DefaultsOf<Definitions>

/** Defines an option whose value is an object of options. */
export const nestDefinitions = <Definitions extends AnyDefinitions>(definitions: Definitions) => ({
  schema: (z: SchemaBuilder) => z.strictObject(createShape(definitions, z)).optional(),
  default: collectDefaults(definitions),
  help: false as const,
  nested: definitions,
})
