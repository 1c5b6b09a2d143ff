import type { ZodType } from 'zod'
import { type ConvertFormat, TEXT_FORMAT } from '../../../content/convert/convert.js'
import type { SchemaBuilder } from '../../../content/convert/format.js'
import type * as convertFormats from '../../../content/convert/formats/index.js'
import type { FeatureFormats } from '../../enrich/format.js'
import { describeChoice } from '../../../base/issues/describe-issue.js'
import type { FormatSet } from '../format-set.js'
import { describeSelectorFault } from './selectors.js'

type ConvertRegistry = typeof convertFormats

/** Item of `formats`, as an object, of a feature: it needs more than the page. */
type EnrichItem = FeatureFormats[keyof FeatureFormats] extends infer F
  ? F extends { readonly takes?: infer Item extends { type: string } }
    ? Item
    : never
  : never

/** Item of `formats`, as an object. */
type FormatObject = ConvertFormat | EnrichItem

/** Name of a format, if the format has no required options. */
type Shorthand<Item> = Item extends { type: infer Type } ? ({ type: Type } extends Item ? Type : never) : never

/**
 * Item of `formats`: an object, or its `type` alone, which is short for `{ type }`.
 *
 * @see docs/compatibility/requests.md#formats
 */
export type FormatItem = FormatObject | Shorthand<FormatObject>

type AnyRegistered = ConvertRegistry[keyof ConvertRegistry] | FeatureFormats[keyof FeatureFormats]

/** Name of a format in version 1. */
export type VersionOneName = AnyRegistered extends infer F
  ? F extends { readonly versionOne?: infer Names }
    ? Extract<keyof Names, string>
    : never
  : never

/** Describes that a format needs the text of the page in the same request; undefined if it does not, or has it. @internal */
export const describeMissingText = (type: string, types: readonly string[], formats: FormatSet): string | undefined =>
  formats.comparesSnapshots(type) && !types.includes(TEXT_FORMAT)
    ? `\`${type}\` compares Markdown: ask for \`${TEXT_FORMAT}\` as well`
    : undefined

/**
 * Creates the schema of `formats`.
 *
 * @see docs/compatibility/requests.md#formats
 * @internal
 */
export function formatsSchema(z: SchemaBuilder, formats: FormatSet): ZodType<readonly FormatItem[]> {
  const objects = formats.all.map(({ type, options, hasOpenOptions }) => {
    const object = z.strictObject({ type: z.literal(type), ...options?.(z) })
    return hasOpenOptions ? object.catchall(z.json().optional()) : object
  })
  const types = formats.all.map(({ type }) => type)
  const withoutOptions = types.filter((type, index) => objects[index]?.safeParse({ type }).success)
  const names = z.enum(withoutOptions, {
    error: ({ input }) =>
      types.some((type) => type === input)
        ? `needs options: give an object, { type: '${String(input)}', … }`
        : describeChoice(input, types),
  })
  const [first, ...rest] = objects
  if (!first) return z.array(z.never())
  const item = z.union([names, z.discriminatedUnion('type', [first, ...rest])])
  return z.array(item).superRefine((items, context) => {
    const given = items as FormatItem[]
    for (const { path, message } of [...findConflicts(given, formats), ...findBadSelectors(given, formats)]) {
      context.addIssue({ code: 'custom', path, message })
    }
  }) as unknown as ZodType<readonly FormatItem[]>
}

type Problem = { path: (string | number)[]; message: string }

/** Finds formats that exclude each other, that are given twice, or that lack a format that they need. */
function findConflicts(items: readonly FormatItem[], formats: FormatSet): Problem[] {
  const types = items.map(itemType<string>)
  const found: Problem[] = []
  for (const [index, type] of types.entries()) {
    const first = types.indexOf(type)
    const isRepetition = isPlain(items[index]) && isPlain(items[first])
    if (first < index && (!isRepetition || formats.hasTrait(type, 'once'))) {
      found.push({ path: [index], message: `\`${type}\` is given twice, and a document has only one` })
    }
  }
  const given = new Set(types)
  for (const type of given) {
    const report = (message: string): void => void found.push({ path: [types.indexOf(type)], message })
    for (const [other, reason] of Object.entries(formats.factsOf(type)?.excludes ?? {})) {
      if (given.has(other)) report(`cannot be combined with \`${other}\`: ${reason}`)
    }
    if (given.size > 1 && formats.hasTrait(type, 'alone')) report(`\`${type}\` must be the only format`)
    const lack = describeMissingText(type, types, formats)
    if (lack !== undefined) report(lack)
  }
  return found
}

/** Finds invalid selectors in options of formats, with which every page would fail. */
const findBadSelectors = (items: readonly FormatItem[], formats: FormatSet): Problem[] =>
  items.flatMap((item, index) =>
    typeof item !== 'object'
      ? []
      : (formats.factsOf(item.type)?.selectorsIn?.(item) ?? []).flatMap(({ path, selector }) => {
          const message = describeSelectorFault(selector)
          return message === undefined ? [] : { path: [index, ...path], message }
        }),
  )

/** Tests for an item without options. */
const isPlain = (item: FormatItem | undefined): boolean => typeof item !== 'object' || Object.keys(item).length === 1

/** Returns the type of an item that is given as a name, or as an object with a `type`. */
export const itemType = <Type extends string>(item: Type | { readonly type: Type }): Type =>
  typeof item === 'string' ? item : item.type
