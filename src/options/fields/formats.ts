import type { ZodType } from 'zod'
import type { ConvertFormat } from '../../convert/convert.js'
import type { SchemaBuilder } from '../../convert/format.js'
import * as convertFormats from '../../convert/formats/index.js'
import type { EnrichFormat } from '../../enrich/format.js'
import * as enrichFormats from '../../enrich/formats/index.js'
import { describeChoice } from '../issues/describe-issue.js'
import { itemType } from './item-type.js'
import { describeSelectorFault } from './selectors.js'

type EnrichRegistry = typeof enrichFormats

/** Item of `formats`, as an object, that `src/enrich/` makes: it needs more than the page. */
export type EnrichItem = EnrichRegistry[keyof EnrichRegistry] extends infer F
  ? F extends EnrichFormat<infer Item, object>
    ? Item
    : never
  : never

/** Item of `formats`, as an object. */
export type FormatObject = ConvertFormat | EnrichItem

/** Name of a format, if the format has no required options. */
type Shorthand<Item> = Item extends { type: infer Type } ? ({ type: Type } extends Item ? Type : never) : never

/**
 * Item of `formats`: an object, or its `type` alone, which is short for `{ type }`.
 *
 * @see docs/compatibility.md#formats
 */
export type FormatItem = FormatObject | Shorthand<FormatObject>

const registered = [...Object.values(convertFormats), ...Object.values(enrichFormats)]

/**
 * Creates the schema of `formats` from the two registries.
 *
 * @see docs/compatibility.md#formats
 * @internal
 */
export function formatsSchema(z: SchemaBuilder): ZodType<readonly FormatItem[]> {
  const objects = registered.map(({ type, options }) => z.strictObject({ type: z.literal(type), ...options?.(z) }))
  const types = registered.map(({ type }) => type)
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
    for (const { path, message } of [...findConflicts(given), ...findBadSelectors(given)]) {
      context.addIssue({ code: 'custom', path, message })
    }
  }) as unknown as ZodType<readonly FormatItem[]>
}

type Problem = { path: (string | number)[]; message: string }

/** Finds formats that exclude each other, that are given twice, or that lack a format that they need. */
function findConflicts(items: readonly FormatItem[]): Problem[] {
  const types = items.map(itemType<FormatObject['type']>)
  const found: Problem[] = []
  const report = (type: FormatObject['type'], message: string): void => {
    const index = types.indexOf(type)
    if (index !== -1) found.push({ path: [index], message })
  }
  for (const [index, type] of types.entries()) {
    const first = types.indexOf(type)
    const isRepetition = isPlain(items[index]) && isPlain(items[first])
    if (first < index && (!isRepetition || type === 'screenshot')) {
      found.push({ path: [index], message: `\`${type}\` is given twice, and a document has only one` })
    }
  }
  if (types.includes('json')) report('deterministicJson', 'cannot be combined with `json`: both fill the same field')
  if (types.some((type) => type !== 'rawBase64')) report('rawBase64', '`rawBase64` must be the only format')
  if (!types.includes('markdown'))
    report('changeTracking', '`changeTracking` compares Markdown: ask for `markdown` as well')
  return found
}

/** Finds invalid selectors of format `attributes`, with which every page would fail. */
const findBadSelectors = (items: readonly FormatItem[]): Problem[] =>
  items.flatMap((item, index) =>
    typeof item !== 'object' || item.type !== 'attributes'
      ? []
      : item.selectors.flatMap(({ selector }, at) => {
          const message = describeSelectorFault(selector)
          return message === undefined ? [] : { path: [index, 'selectors', at, 'selector'], message }
        }),
  )

/** Tests for an item without options. */
const isPlain = (item: FormatItem | undefined): boolean => typeof item !== 'object' || Object.keys(item).length === 1
