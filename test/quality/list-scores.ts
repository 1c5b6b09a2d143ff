import type { CheerioAPI } from 'cheerio'
import { imageSource } from '../../src/content/html/image-source.js'
import type { ListRow, ListValue, PageList } from '../../src/content/extract/list/page-list.js'
import { isElement } from '../../src/content/html/tree.js'
import { readAmount } from '../../src/base/text/read-amount.js'
import { readDate } from '../../src/base/text/read-date.js'

/** Positions of the entries of a page. */
export interface EntryPositions {
  readonly rows: string
  readonly fields: Readonly<Record<string, string>>
}

/** Cells that are right, cells that were read, and cells of the page. */
export interface CellCounts {
  right: number
  read: number
  wanted: number
}

/** Kinds of fields that are counted apart. */
export type CellCountsByKind = Record<'title' | 'url' | 'rest', CellCounts>

export const noCounts = (): CellCountsByKind => ({
  title: { right: 0, read: 0, wanted: 0 },
  url: { right: 0, read: 0, wanted: 0 },
  rest: { right: 0, read: 0, wanted: 0 },
})

export const f1 = ({ right, read, wanted }: CellCounts): number => (2 * right) / Math.max(1, read + wanted)

/** Counts the cells of a list against the entries of its page. */
export function countCells(
  list: PageList | undefined,
  { rows, fields }: EntryPositions,
  { $, baseUrl }: { $: CheerioAPI; baseUrl: string },
  counts: CellCountsByKind,
): void {
  const wanted = readWanted($, rows, fields, baseUrl)
  const items = list?.items ?? []
  const names = list?.fields.map(({ name }) => name) ?? []
  const pairs = pairRows(wanted, items)
  for (const field of Object.keys(fields)) {
    const kind = field === 'title' || field === 'url' ? field : 'rest'
    const column = namedColumn(field, names) ?? bestColumn(field, names, pairs)
    counts[kind].right += countRight(field, column, pairs)
    counts[kind].read += items.filter((item) => Object.hasOwn(item, column)).length
    counts[kind].wanted += wanted.filter((row) => row[field] !== undefined).length
  }
}

type WantedRow = Readonly<Record<string, string | undefined>>
type Pair = readonly [WantedRow, ListRow | undefined]

function readWanted($: CheerioAPI, rows: string, fields: EntryPositions['fields'], baseUrl: string): WantedRow[] {
  const absolute = (address: string): string =>
    URL.canParse(address.trim(), baseUrl) ? new URL(address.trim(), baseUrl).href : address
  const seen = new Set<string>()
  return $(rows)
    .toArray()
    .map((entry) =>
      Object.fromEntries(
        Object.entries(fields).map(([field, position]) => {
          const [, next, selector = '', attribute] = /^(\+ )?(.*?)(?:@(\w+))?$/.exec(position) ?? []
          const base = next === undefined ? $(entry) : $(entry).next()
          const element = selector === '' ? base : base.find(selector).first()
          const [node] = element.get()
          if (node === undefined || !isElement(node)) return [field, undefined]
          const value =
            attribute === 'img'
              ? imageSource(node)
              : attribute === undefined || attribute === 'text'
                ? element.text().replace(/\s+/g, ' ').trim()
                : node.attribs[attribute]
          if (value === undefined || value === '' || value.startsWith('data:')) return [field, undefined]
          return [field, attribute === 'img' || attribute === 'href' ? absolute(value) : value]
        }),
      ),
    )
    .filter((row) => {
      const text = JSON.stringify(row)
      if (seen.has(text)) return false
      seen.add(text)
      return true
    })
}

/** Pairs the entries of the page with rows that have the same URL or title. */
function pairRows(wanted: readonly WantedRow[], items: readonly ListRow[]): Pair[] {
  const free = new Set(items)
  return wanted.map((row): Pair => {
    const has = (value: string | undefined, item: ListRow): boolean =>
      value !== undefined && Object.values(item).some((one) => isSame(one, value))
    const score = (item: ListRow): number => (has(row['url'], item) ? 1 : 0) + (has(row['title'], item) ? 1 : 0)
    const best = [...free].reduce<ListRow | undefined>(
      (found, item) => (score(item) > (found === undefined ? 0 : score(found)) ? item : found),
      undefined,
    )
    if (best !== undefined) free.delete(best)
    return [row, best]
  })
}

const namedColumn = (field: string, names: readonly string[]): string | undefined =>
  field === 'title'
    ? names.find((name) => ['title', 'name', 'headline'].includes(name))
    : field === 'url'
      ? names.find((name) => name === 'url')
      : undefined

/** Returns the column that has most of the values of a field. */
const bestColumn = (field: string, names: readonly string[], pairs: readonly Pair[]): string =>
  names.reduce(
    (best, name) => (countRight(field, name, pairs) > countRight(field, best, pairs) ? name : best),
    names[0] ?? '',
  )

const countRight = (field: string, column: string, pairs: readonly Pair[]): number =>
  pairs.filter(([row, item]) => item !== undefined && Object.hasOwn(item, column) && isSame(item[column], row[field]))
    .length

const normalize = (text: string): string => text.replace(/\s+/g, ' ').trim().toLowerCase()

/** True for a value that is a text, a number or a date as the page writes it. */
function isSame(value: ListValue | undefined, text: string | undefined): boolean {
  if (value === undefined || text === undefined) return false
  if (Array.isArray(value))
    return normalize(value.join(' ')) === normalize(text) || value.some((one) => isSame(one, text))
  if (typeof value === 'number')
    return (
      (['.', ','] as const).some((sign) => readAmount(text, sign)?.value === value) ||
      digits(text) === digits(String(value))
    )
  if (normalize(String(value)) === normalize(text)) return true
  const date = readDate(text)
  return date !== undefined && String(value).slice(0, 10) === date.slice(0, 10)
}

const digits = (text: string): string => (/\d[\d.,]*/.exec(text)?.[0] ?? '').replace(/[.,]/g, '')
