import { createHash } from 'node:crypto'
import { RecentIntSet } from '../../base/collections/recent-int-set.js'
import type { List } from './row-list.js'
import type { ListField, ListRow } from '../../content/extract/list/page-list.js'

/** Rows that are remembered at least. */
const REMEMBERED_ROWS = 1_000_000

/** Minimum shares of rows with a URL of their own, if that is to identify them. The others may be variants of a product. */
const DISTINCT_SHARES = [0.95, 0.5]

/** Names of the field with the title of a row, the preferred ones first. */
const TITLES = [/^(?:title|name|headline|heading)$/iu, /(?:^|[a-z])(?:title|name|headline|heading)$/iu]

/**
 * Remembers the rows that were returned from the lists of a job, to return each once. A row is known by its URL and title. As
 * soon as one page has several rows with both, such as the variants of a product, they are known by their texts and numbers.
 *
 * It takes 48 bytes for a row, up to 96 MiB.
 */
export class RowMemory {
  /** Hashes of URLs, and of rows without a URL of their own. */
  readonly #identities = new RecentIntSet(REMEMBERED_ROWS, Float64Array)
  /** Hashes of URLs with a title, of rows with their texts and numbers, and of marks. */
  readonly #details = new RecentIntSet(2 * REMEMBERED_ROWS, Float64Array)

  /** Adds a row with a URL. @returns true if it is known */
  #add({ address, title, whole }: Record<'address' | 'title' | 'whole', string>, isVariant: boolean): boolean {
    const hadAddress = this.#identities.add(hash(address))
    const hadWhole = this.#details.add(hash(`row ${whole}`))
    const hadTitle = this.#details.add(hash(`title ${address} ${title}`))
    const variants = hash(`variants ${address} ${title}`)
    const untitled = hash(`untitled ${address}`)
    if (isVariant) this.#details.add(variants)
    if (isVariant || this.#details.has(variants)) return hadWhole
    const isKnown = hadAddress && (title === '' || hadTitle || this.#details.has(untitled))
    if (title === '' && !isKnown) this.#details.add(untitled)
    return isKnown
  }

  /** Iterates over the rows of a list that are not known, and remembers them. Gives undefined for a row that is known. */
  *addList(list: List): Generator<ListRow | undefined, undefined> {
    const { items, fields } = list
    const url = findUrl(list)
    const title = findTitle(fields)
    const titleOf = (row: ListRow): string => (title === undefined ? '' : (valueOf(row, title)?.trim() ?? ''))
    const shared = url && findShared(items.map((row) => `${valueOf(row, url)} ${titleOf(row)}`))
    const counts = new Map<string, number>()
    for (const row of items) {
      const address = url && valueOf(row, url)
      const texts = address === undefined ? printRow(row) : `${address} ${printTexts(row, fields)}`
      const count = counts.get(texts) ?? 0
      counts.set(texts, count + 1)
      // Rows of one list differ, even if all of these values are the same.
      const whole = count === 0 ? texts : `${texts} ${count}`
      if (address === undefined) yield this.#identities.add(hash(whole)) ? undefined : row
      else {
        const named = { address, title: titleOf(row), whole }
        yield this.#add(named, shared?.has(`${address} ${named.title}`) === true) ? undefined : row
      }
    }
    return undefined
  }
}

/** Finds the field whose URL identifies the rows of a list; undefined for none. */
function findUrl({ items, fields }: List): ListField | undefined {
  const links = fields.filter(({ name, column = name, type }) => type === 'url' && /url/iu.test(column))
  const candidates = [...links.filter(({ name, column = name }) => column === 'url'), ...links]
  const counted = candidates.map((link) => ({ link, count: countDistinct(items, link) }))
  return DISTINCT_SHARES.map((share) => counted.find(({ count }) => count >= items.length * share)).find(
    (found) => found !== undefined,
  )?.link
}

/** Finds the field with the title of the rows; undefined for none. */
const findTitle = (fields: readonly ListField[]): ListField | undefined =>
  TITLES.map((pattern) => fields.find(({ name, column = name, type }) => type === 'text' && pattern.test(column))).find(
    (field) => field !== undefined,
  )

const countDistinct = (items: readonly ListRow[], field: ListField): number => {
  const values = new Set(items.map((row) => valueOf(row, field)))
  values.delete(undefined)
  return values.size
}

/** Finds the texts that occur more than once. */
function findShared(texts: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>()
  const shared = new Set<string>()
  for (const text of texts) {
    if (seen.has(text)) shared.add(text)
    seen.add(text)
  }
  return shared
}

/** Returns the value of a field, which the page may call `constructor`. */
const valueOf = (row: ListRow, { name }: ListField): string | undefined =>
  Object.hasOwn(row, name) ? String(row[name]) : undefined

/** Prints all values of a row, in the order of the fields' names. */
const printRow = (row: ListRow): string =>
  JSON.stringify(Object.entries(row).toSorted(([one], [other]) => (one < other ? -1 : 1)))

/** A date in ISO 8601, as precise as the page writes it. A date of another form may be relative, such as `2 hours ago`. */
const ISO_DATE = /^\d{4}(?:-|$)/u

/** Prints the texts, numbers and dates of a row. Addresses have tracking parameters, and relative dates change. */
const printTexts = (row: ListRow, fields: readonly ListField[]): string =>
  JSON.stringify(
    fields
      .filter(({ name, type }) => type !== 'url' && Object.hasOwn(row, name))
      .filter(({ name, type }) => type !== 'date' || ISO_DATE.test(String(row[name])))
      .map(({ name }) => [name, String(row[name])])
      .toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1)),
  )

/** Hashes a text to 53 bits. Cryptographic, so that a site cannot make two of its rows collide on purpose. */
function hash(text: string): number {
  const digest = createHash('sha256').update(text).digest()
  return digest.readUIntBE(0, 6) * 32 + (digest.readUInt8(6) >>> 3)
}
