import type { ListField } from '../../content/extract/list/page-list.js'
import type { AnswerForm } from '../../base/json-schema/answer-form.js'
import { openForm } from '../../base/json-schema/answer-form.js'
import type { HeldSchema } from '../../base/json-schema/answer-schema.js'
import { describeColumns, type SampledColumn, type SourceRows } from './sampled-column.js'
import { type ColumnMatch, matchColumns } from './match-columns.js'
import { countProperties, readRowProperties, type RowProperty } from './row-property.js'
import type { InvalidRow } from './row-list.js'
import { type ShapedRows, shapeRows } from './shape-rows.js'

/** A list in the shape of a schema. */
interface ShapedList {
  readonly items: readonly unknown[]
  readonly fields: readonly ListField[]
  readonly invalidItems: readonly InvalidRow[]
  readonly warnings: readonly string[]
}

/** Properties and columns that the rules leave open. */
export interface OpenColumns {
  /** Properties without a column, or with one that only their types or values suggest. */
  readonly properties: readonly RowProperty[]
  /** Columns that they may be read from. */
  readonly columns: readonly SampledColumn[]
}

/** Chooses columns for open properties, such as by a language model. */
export type ColumnChooser = (open: OpenColumns, form: AnswerForm) => Promise<ChosenColumns>

/** Answer of a {@link ColumnChooser}. */
export interface ChosenColumns {
  readonly matches: readonly ColumnMatch[]
  readonly warning?: string
}

/** Gives the rows of a list the names and types of a schema. */
export async function shapeList(
  source: SourceRows,
  schema: HeldSchema,
  choose: ColumnChooser | undefined,
): Promise<ShapedList> {
  const form = openForm(schema)
  const properties = await readRowProperties(form)
  const columns = describeColumns(source)
  const { matches, warning } = await complete(matchColumns(properties, columns), { properties, columns }, form, choose)
  const notes = [warning ?? '', warnOfOpen(form, { properties, columns, matches })].filter((text) => text !== '')
  if (matches.length === 0) return { items: [], fields: [], invalidItems: [], warnings: notes }
  const rows = await shapeRows(source.items, { properties, matches, openForm: () => openForm(schema) })
  return {
    items: rows.items,
    fields: describeFields(matches, rows),
    invalidItems: rows.invalidItems,
    warnings: [...notes, ...warnOfRows(rows)],
  }
}

/** Has the open properties matched by a chooser, whose choice takes precedence over a match that is not sure. */
async function complete(
  known: readonly ColumnMatch[],
  { properties, columns }: OpenColumns,
  form: AnswerForm,
  choose: ColumnChooser | undefined,
): Promise<ChosenColumns> {
  const sure = known.filter(({ isSure }) => isSure)
  const open = {
    properties: properties.filter((property) => sure.every((match) => match.property !== property)),
    columns: columns.filter((column) => sure.every((match) => match.column !== column)),
  }
  if (!choose || open.properties.length === 0 || open.columns.length === 0) return { matches: known }
  const chosen = await choose(open, form)
  const isFree = ({ property, column }: ColumnMatch): boolean =>
    chosen.matches.every((match) => match.property !== property && match.column !== column)
  const all = [...chosen.matches, ...known.filter(isFree)]
  return { ...chosen, matches: properties.flatMap((property) => all.find((one) => one.property === property) ?? []) }
}

/** Describes the fields of the rows: those of the schema, with the columns that they are read from. */
function describeFields(matches: readonly ColumnMatch[], { items, invalidItems }: ShapedRows): ListField[] {
  const rows = [...items, ...invalidItems.map(({ item }) => item)].map((row) => Object(row) as object)
  return matches.map(({ property: { name, types }, column: { field }, matchedBy }) => {
    const share = rows.filter((row) => Object.hasOwn(row, name)).length / Math.max(1, rows.length)
    const { source, unit } = field
    const type = typeOf(types, field)
    return {
      name,
      type,
      source,
      share: Math.round(share * 1000) / 1000,
      ...(unit !== undefined && type === 'number' && { unit }),
      column: field.name,
      matchedBy,
    }
  })
}

function typeOf(types: RowProperty['types'], { type }: ListField): ListField['type'] {
  if (types.includes('number') || types.includes('integer')) return types.includes('string') ? type : 'number'
  if (types.includes('boolean')) return 'boolean'
  if (types.includes('array')) return 'texts'
  return types.includes('string') && (type === 'number' || type === 'boolean' || type === 'texts') ? 'text' : type
}

/** Maximum names that a warning lists. */
const MAX_NAMES = 10

/** @param further number of further names, which are not listed */
function listNames(names: readonly string[], further = 0): string {
  const shown = names.slice(0, MAX_NAMES).map((name) => `\`${name.slice(0, 60)}\``)
  const more = names.length - shown.length + further
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ')
}

function warnOfOpen(
  form: AnswerForm,
  { properties, columns, matches }: OpenColumns & { readonly matches: readonly ColumnMatch[] },
): string {
  if (columns.length === 0) return ''
  if (properties.length === 0)
    return 'The rows of `list` have none of the properties of `schema`: it names no properties that can be read.'
  const open = properties.filter((property) => matches.every((match) => match.property !== property))
  const unread = Math.max(0, countProperties(form) - properties.length)
  if (open.length === 0) return ''
  const free = columns.filter((column) => matches.every((match) => match.column !== column))
  const others =
    free.length === 0 ? '' : `; columns without a property: ${listNames(free.map(({ field }) => field.name))}`
  return `No column of the list fits these properties of \`schema\`: ${listNames(
    open.map(({ name }) => name),
    unread,
  )}${others}.`
}

function warnOfRows({ items, invalidItems, dropped }: ShapedRows): string[] {
  const warnings: string[] = []
  if (dropped.size > 0) {
    const values = [...dropped]
      .slice(0, MAX_NAMES)
      .map(([name, { count, example }]) => `${count} of \`${name}\` (${example})`)
    warnings.push(`Values that \`schema\` does not allow were left out of the rows of \`list\`: ${values.join(', ')}.`)
  }
  if (invalidItems.length > 0) {
    const issues = countIssues(invalidItems)
    const all = items.length + invalidItems.length
    warnings.push(
      `${invalidItems.length} of ${all} rows do not conform to \`schema\` and are in \`list.invalidItems\`: ${issues}.`,
    )
  }
  return warnings
}

function countIssues(rows: readonly InvalidRow[]): string {
  const counts = new Map<string, number>()
  for (const { issues } of rows) for (const issue of issues) counts.set(issue, (counts.get(issue) ?? 0) + 1)
  const shown = [...counts].sort(([, one], [, other]) => other - one).slice(0, 3)
  return shown.map(([issue, count]) => `${issue.slice(0, 200)} (${count})`).join('; ')
}
