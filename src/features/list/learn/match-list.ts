import type { List } from '../row-list.js'
import type { FormColumn, ListForm } from '../../../content/extract/list/few-entries.js'
import type { FewRows } from './share-entries.js'

/** Minimum share of the entries' columns that the list has, and of the list's common columns that the entries have. */
const ALIKE_SHARE = 0.8
/** Minimum number of common columns that are evidence enough, also where the entries are a small part of the page. */
const MANY_COLUMNS = 3
/** Minimum share of the main content for entries with fewer columns. */
const MAIN_SHARE = 0.5

/** Finds the entries of a page that have the structure of a list, and gives their fields the names of the list. */
export function matchList(
  few: readonly FewRows[],
  formOf: (path: string) => ListForm | undefined,
): FewRows | undefined {
  for (const rows of few) {
    for (const path of rows.paths) {
      const form = formOf(path)
      const names = form && alignNames(rows, form)
      if (names) return rows.isShaped ? rows : { ...rows, list: rename(rows.list, names) }
    }
  }
  return undefined
}

/** Returns the names of the list for the fields of entries; undefined if they are not like those of the list. */
function alignNames({ columns, share }: FewRows, form: ListForm): ReadonlyMap<string, string> | undefined {
  const byPlace = new Map(form.columns.flatMap((column) => column.places.map((place) => [place, column] as const)))
  const known = new Map<FormColumn, string>()
  for (const { name, places } of columns) {
    const column = places.map((place) => byPlace.get(place)).find((one) => one !== undefined)
    if (column && !known.has(column)) known.set(column, name)
  }
  const common = form.columns.filter(({ isCommon }) => isCommon)
  const shared = common.filter((column) => known.has(column))
  if (known.size < 2 || known.size < columns.length * ALIKE_SHARE) return undefined
  if (shared.length < common.length * ALIKE_SHARE) return undefined
  if (shared.length < MANY_COLUMNS && share < MAIN_SHARE) return undefined
  return new Map([...known].map(([{ name }, own]) => [own, name]))
}

const CURRENCY = /Currency$/u

/** Renames the fields of a list, each of which keeps its own name where another one has the new one. */
function rename(list: List, names: ReadonlyMap<string, string>): List {
  const taken = new Set<string>()
  const renamed = new Map<string, string>()
  for (const { name } of list.fields) {
    const amount = name.replace(CURRENCY, '')
    const wanted = names.get(name) ?? (names.has(amount) ? `${names.get(amount) ?? amount}Currency` : name)
    const free = taken.has(wanted) ? name : wanted
    taken.add(free)
    renamed.set(name, free)
  }
  const nameOf = (name: string): string => renamed.get(name) ?? name
  return {
    ...list,
    items: list.items.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [nameOf(name), value])),
    ),
    fields: list.fields.map((field) => ({ ...field, name: nameOf(field.name) })),
  }
}
