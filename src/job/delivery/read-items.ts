import { createHash } from 'node:crypto'
import { RecentIntSet } from '../../collections/recent-int-set.js'
import { yieldIfHeld } from '../../concurrency/yield-turn.js'
import type { List } from '../../enrich/row-list.js'
import type { ListField, ListRow } from '../../extract/list/page-list.js'
import { serializeNext } from './document-stream.js'

/** Rows that an iterator remembers at least, in order to return each once. It takes 16 bytes for each, up to 32 MiB. */
const REMEMBERED_ROWS = 1_000_000

/**
 * Reads the rows of documents, each once.
 *
 * @param documents an iterator, which is closed with the returned one
 */
export function readItems(
  documents: AsyncIterator<{ readonly list?: List | undefined }>,
): AsyncIterableIterator<ListRow> {
  const known = new RecentIntSet(REMEMBERED_ROWS, Float64Array)
  let rows: Iterator<{ row: ListRow; identity: string }> = [].values()
  let isClosed = false

  const take = async (): Promise<IteratorResult<ListRow>> => {
    for (;;) {
      // A page may have 10,000 rows that are all known.
      await yieldIfHeld()
      if (isClosed) return { done: true, value: undefined }
      const next = rows.next()
      if (next.done !== true) {
        const { row, identity } = next.value
        if (known.add(hashIdentity(identity))) continue
        return { done: false, value: row }
      }
      const page = await documents.next()
      if (page.done === true) return { done: true, value: undefined }
      rows = page.value.list ? identifyRows(page.value.list) : [].values()
    }
  }

  return serializeNext<ListRow>(take, () => {
    isClosed = true
    rows = [].values()
    void documents.return?.()
    return { done: true, value: undefined }
  })
}

/** Minimum share of rows with a URL of their own, if that is to identify them. */
const DISTINCT_SHARE = 0.95

/** Identifies the rows of a list, by their URLs or by all of their values. */
function* identifyRows({ items, fields }: List): Generator<{ row: ListRow; identity: string }, undefined> {
  const links = fields.filter(({ name, column = name, type }) => type === 'url' && /url/iu.test(column))
  const candidates = [...links.filter(({ name, column = name }) => column === 'url'), ...links]
  const field = candidates.find((link) => countDistinct(items, link) >= items.length * DISTINCT_SHARE)
  const counts = new Map<string, number>()
  for (const row of items) {
    const identity = (field && valueOf(row, field)) ?? printRow(row)
    const count = counts.get(identity) ?? 0
    counts.set(identity, count + 1)
    // Rows of one list differ, even if they share a URL.
    yield { row, identity: count === 0 ? identity : `${identity} ${count}` }
  }
  return undefined
}

const countDistinct = (items: readonly ListRow[], field: ListField): number => {
  const values = new Set(items.map((row) => valueOf(row, field)))
  values.delete(undefined)
  return values.size
}

/** Returns the value of a field, which the page may call `constructor`. */
const valueOf = (row: ListRow, { name }: ListField): string | undefined =>
  Object.hasOwn(row, name) ? String(row[name]) : undefined

/** Prints the values of a row, in the order of the fields' names. */
const printRow = (row: ListRow): string =>
  JSON.stringify(Object.entries(row).toSorted(([one], [other]) => (one < other ? -1 : 1)))

/** Hashes a text to 53 bits. Cryptographic, so that a site cannot make two of its rows collide on purpose. */
function hashIdentity(text: string): number {
  const digest = createHash('sha256').update(text).digest()
  return digest.readUIntBE(0, 6) * 32 + (digest.readUInt8(6) >>> 3)
}
