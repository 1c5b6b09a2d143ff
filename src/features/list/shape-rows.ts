import { messageOf } from '../../base/errors.js'
import { yieldIfHeld } from '../../base/concurrency/yield-turn.js'
import type { ListRow } from '../../content/extract/list/page-list.js'
import { writeIssue } from '../../base/llm/answers/answer-json.js'
import { dropInvalidValues } from '../../base/json-schema/drop-invalid-values.js'
import type { AnswerForm, CheckedAnswer } from '../../base/json-schema/answer-form.js'
import { namesOf } from '../../base/json-schema/schema-shape.js'
import { fitValue } from './fit-value.js'
import type { ColumnMatch } from './match-columns.js'
import type { InvalidRow } from './row-list.js'
import type { RowProperty } from './row-property.js'

/** Rows in the shape of a schema. */
export interface ShapedRows {
  readonly items: readonly unknown[]
  readonly invalidItems: readonly InvalidRow[]
  /** Values that rows lost because the schema does not allow them, by property, with an example. */
  readonly dropped: ReadonlyMap<string, { count: number; readonly example: string }>
}

/** Properties of the rows of a schema, and the columns that they are read from. */
interface RowShape {
  readonly properties: readonly RowProperty[]
  readonly matches: readonly ColumnMatch[]
  /** Prepares the schema. Each group of rows has the steps of one answer for its checks. */
  openForm(): AnswerForm
}

/** Rows that are checked with the steps of one answer. */
const ROWS_PER_FORM = 50
const MAX_ISSUES = 10
const MAX_EXAMPLE = 60

/** Converts the rows of a list to the names and types of a schema, and checks each of them. */
export async function shapeRows(rows: readonly ListRow[], shape: RowShape): Promise<ShapedRows> {
  const items: unknown[] = []
  const invalidItems: InvalidRow[] = []
  const dropped = new Map<string, { count: number; readonly example: string }>()
  const note = (name: string, value: unknown): void => {
    const known = dropped.get(name)
    if (known) known.count += 1
    else dropped.set(name, { count: 1, example: (JSON.stringify(value) ?? String(value)).slice(0, MAX_EXAMPLE) })
  }
  let form = shape.openForm()
  for (const [at, row] of rows.entries()) {
    await yieldIfHeld()
    if (at > 0 && at % ROWS_PER_FORM === 0) form = shape.openForm()
    const { item, lost } = convertRow(row, shape)
    const checked = await check(form, item)
    if (checked.issues.length === 0) {
      for (const [name, value] of lost) note(name, value)
      items.push(checked.value)
      continue
    }
    const kept = await dropInvalid(form, item, checked)
    if (kept) {
      for (const [name, value] of [...lost, ...kept.lost]) note(name, value)
      items.push(kept.value)
    } else {
      const issues = checked.issues.slice(0, MAX_ISSUES).map(writeIssue)
      // Values that could not be converted are kept as the page has them.
      invalidItems.push({ item: toRecord([...Object.entries(item), ...lost]), issues })
    }
  }
  return { items, invalidItems, dropped }
}

/** Makes a record with own properties, also of one that is called `__proto__`. */
const toRecord = (entries: readonly (readonly [string, unknown])[]): Record<string, unknown> =>
  Object.fromEntries(entries)

type Entries = [name: string, value: unknown][]

function convertRow(row: ListRow, { properties, matches }: RowShape): { item: Record<string, unknown>; lost: Entries } {
  const lost: Entries = []
  const known = new Map<string, unknown>()
  for (const { property, column } of matches) {
    const { name } = column.field
    const value = Object.hasOwn(row, name) ? row[name] : undefined
    if (value === undefined) continue
    const made = fitValue(value, property)
    if (made === undefined) lost.push([property.name, value])
    else known.set(property.name, made)
  }
  for (const { name, preset, isRequired, allowsNull } of properties) {
    if (known.has(name)) continue
    if (preset !== undefined) known.set(name, structuredClone(preset))
    else if (isRequired && allowsNull) known.set(name, null)
  }
  return { item: toRecord([...known]), lost }
}

/** Checks a row. An error that a Standard Schema throws is a fault of the row. */
async function check(form: AnswerForm, item: unknown): Promise<CheckedAnswer> {
  try {
    return await form.check(item)
  } catch (error) {
    return { value: item, issues: [{ path: '', message: `the schema threw: ${messageOf(error)}` }] }
  }
}

/** Leaves out the values that break the schema. Returns undefined if the row is not valid without them. */
async function dropInvalid(
  form: AnswerForm,
  item: Record<string, unknown>,
  { issues }: CheckedAnswer,
): Promise<{ readonly value: unknown; readonly lost: Entries } | undefined> {
  if (issues.some(({ path, isMissing }) => path === '' || isMissing)) return undefined
  const names = new Set(issues.map(({ path }) => namesOf(path)[0] ?? ''))
  const { value, issues: left } = await dropInvalidValues(item, { ...form, check: (one) => check(form, one) })
  if (left.length > 0) return undefined
  return { value, lost: [...names].map((name) => [name, Object.hasOwn(item, name) ? item[name] : undefined]) }
}
