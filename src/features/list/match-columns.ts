import { ownValue } from '../../base/collections/own-value.js'
import type { ListField, ListValue } from '../../content/extract/list/page-list.js'
import { fitValue } from './fit-value.js'
import type { SampledColumn } from './sampled-column.js'
import { compareNames, type NameWords, readName, SURE_SCORE } from './name-words.js'
import type { RowProperty } from './row-property.js'

/** A column for a property of a schema. */
interface MatchedColumn {
  readonly property: RowProperty
  readonly column: SampledColumn
  readonly matchedBy: NonNullable<ListField['matchedBy']>
}

/** A property of a schema, and the column of a list that it is read from. */
export interface ColumnMatch extends MatchedColumn {
  /** True if a model need not be asked about it. */
  readonly isSure: boolean
}

/** Minimum share of the sampled values that must be convertible to the type of the property. */
const MIN_FITTING = 0.5

interface NamedProperty {
  readonly property: RowProperty
  readonly name: NameWords
  readonly description: NameWords
}

interface Candidate extends MatchedColumn {
  readonly score: number
}

/**
 * Matches the properties of a schema with the columns of a list: by their names, then by values that only one column has,
 * then by a type that only one property and one column have. A column is given to one property.
 */
export function matchColumns(properties: readonly RowProperty[], columns: readonly SampledColumn[]): ColumnMatch[] {
  const named = properties.map((property) => ({
    property,
    name: readName(property.name),
    description: readName(property.description),
  }))
  const matches = new Map<RowProperty, ColumnMatch>()
  const taken = new Set<SampledColumn>()
  const accept = ({ score, ...match }: Candidate): void => {
    if (matches.has(match.property) || taken.has(match.column)) return
    matches.set(match.property, { ...match, isSure: score >= SURE_SCORE })
    taken.add(match.column)
  }
  const openOf = () => ({
    properties: named.filter(({ property }) => !matches.has(property)),
    columns: columns.filter((column) => !taken.has(column)),
  })
  for (const candidate of rankByName(named, columns)) accept(candidate)
  for (const pass of [matchByValues, matchByType, matchTitle]) {
    const { properties: open, columns: free } = openOf()
    for (const candidate of pass(open, free)) accept(candidate)
  }
  return properties.flatMap((property) => matches.get(property) ?? [])
}

/** Ranks all pairs whose names have something in common, the best first. */
function rankByName(properties: readonly NamedProperty[], columns: readonly SampledColumn[]): Candidate[] {
  const candidates = properties.flatMap(({ property, name, description }) =>
    columns.flatMap((column): Candidate[] => {
      const score = Math.max(compareNames(name, column.name), describes(description, column.name) ? DESCRIBED : 0)
      return score > 0 && mayHold(property, column) ? [{ property, column, score, matchedBy: 'name' }] : []
    }),
  )
  // Equal names: the column that more rows have.
  return candidates.sort(
    (one, other) => other.score - one.score || Math.round((other.column.field.share - one.column.field.share) * 10),
  )
}

/** Score of a column whose name is in the description of the property. */
const DESCRIBED = 2

const describes = (description: NameWords, { words }: NameWords): boolean =>
  words.length > 0 && words.join('').length > 3 && words.every((word) => description.words.includes(word))

/** Tests whether the values of a column can be converted to a property. */
export function mayHold(property: RowProperty, { field, name, samples, isImage }: SampledColumn): boolean {
  const { types, format } = property
  if (samples.length === 0) return false
  // A price before a sale is not the one to pay.
  if (name.bare.startsWith('oldprice') && kindOf(property) === 'price') return false
  const isText = types.length > 0 && types.every((type) => type === 'string') && property.options === undefined
  const kind = isText ? kindOf(property) : undefined
  // An address is a text as well, but hardly the one that a name asks for.
  if (isText && field.type === 'url' && kind !== 'url' && kind !== 'image') return false
  if (isText && kind === 'image' && field.type !== 'url' && !isImage) return false
  if ((format === 'uri' || format === 'url') && field.type !== 'url') return false
  if ((format === 'date' || format === 'date-time') && field.type !== 'date') return false
  if (format === 'email' && !samples.every((value) => /\S@\S/u.test(String(value)))) return false
  return samples.filter((value) => fits(value, property)).length >= samples.length * MIN_FITTING
}

/** Maximum length of a value that is compared with a pattern. Characters. */
const MAX_TESTED = 1000

function fits(value: ListValue, property: RowProperty): boolean {
  const made = fitValue(value, property)
  if (made === undefined) return false
  return property.pattern === undefined || typeof made !== 'string' || property.pattern.test(made.slice(0, MAX_TESTED))
}

/** Kinds of values that a name or a format asks for. */
type Kind = 'url' | 'image' | 'date' | 'price'

const KIND_NAMES: readonly (readonly [Kind, NameWords])[] = [
  ['image', readName('image')],
  ['url', readName('url')],
  ['price', readName('price')],
  ['date', readName('date')],
]
const LAST_WORDS: Readonly<Record<string, Kind>> = { url: 'url', link: 'url', href: 'url', uri: 'url' }

function kindOf({ name, format }: RowProperty): Kind | undefined {
  const words = readName(name)
  const named = KIND_NAMES.find(([, kind]) => [...words.meanings].some((meaning) => kind.meanings.has(meaning)))?.[0]
  if (named === 'image') return named
  if (format === 'uri' || format === 'url') return 'url'
  if (format === 'date' || format === 'date-time') return 'date'
  const last = words.words.at(-1) ?? ''
  return named ?? ownValue(LAST_WORDS, last)
}

/** Matches properties whose options, pattern or format only one column has. */
function matchByValues(properties: readonly NamedProperty[], columns: readonly SampledColumn[]): Candidate[] {
  return properties.flatMap(({ property }): Candidate[] => {
    const { options, pattern, format } = property
    const isTelling = (options?.values.size ?? 0) > 1 || pattern !== undefined || format === 'email'
    const [column, ...others] = isTelling ? columns.filter((one) => holdsOnly(property, one)) : []
    // All columns have a value for a pattern such as `.+`.
    if (column === undefined || others.length > 0) return []
    return [{ property, column, score: options ? SURE_SCORE : 1, matchedBy: 'values' }]
  })
}

const holdsOnly = (property: RowProperty, column: SampledColumn): boolean =>
  mayHold(property, column) && column.samples.every((value) => fits(value, property))

/** Matches the only property of a kind with the only column of the kind. */
function matchByType(properties: readonly NamedProperty[], columns: readonly SampledColumn[]): Candidate[] {
  return (['image', 'url', 'price', 'date', 'number', 'boolean'] as const).flatMap((kind): Candidate[] => {
    const [own, ...otherProperties] = properties.filter(({ property }) => asksFor(property, kind))
    const [column, ...otherColumns] = columns.filter((one) => isOfKind(one, kind))
    if (!own || !column || otherProperties.length > 0 || !mayHold(own.property, column)) return []
    // Of several addresses and dates, the first is the one that a reader sees first.
    if (otherColumns.length > 0 && (kind === 'number' || kind === 'boolean')) return []
    return [{ property: own.property, column, score: 1, matchedBy: 'type' }]
  })
}

function asksFor(property: RowProperty, kind: Kind | 'number' | 'boolean'): boolean {
  const { types } = property
  if (kind === 'boolean') return types.length === 1 && types[0] === 'boolean'
  const isNumber = types.length > 0 && types.every((type) => type === 'number' || type === 'integer')
  if (kind === 'number') return isNumber && kindOf(property) === undefined
  return kindOf(property) === kind && (types.includes('string') || types.length === 0 || (kind === 'price' && isNumber))
}

function isOfKind({ field: { type }, isMoney, isImage }: SampledColumn, kind: Kind | 'number' | 'boolean'): boolean {
  if (kind === 'image') return isImage
  if (kind === 'url') return type === 'url' && !isImage
  return kind === 'price' ? type === 'number' && isMoney : type === kind
}

const TITLE = readName('title')

/** Matches a property that is called like a title with the first text that differs in each row. */
function matchTitle(properties: readonly NamedProperty[], columns: readonly SampledColumn[]): Candidate[] {
  const [own] = properties.filter(({ name }) => [...name.meanings].some((meaning) => TITLE.meanings.has(meaning)))
  const column = own && columns.find((one) => one.isDistinct && mayHold(own.property, one))
  return own && column ? [{ property: own.property, column, score: 1, matchedBy: 'type' }] : []
}
