import { MAX_EMBED_TEXTS } from '../../../base/llm/embedder.js'
import { createHash } from 'node:crypto'
import { parseJson } from '../../../base/text/parse-json.js'
import type { MirrorStep } from '../find-changes.js'
import type { MirrorChange, MirroredChunk, MirrorUnit } from '../mirror-change.js'
import type { MirrorEntry, RecordChange } from '../mirror-record.js'
import type { MirrorFault, OpenTarget } from '../mirror-target.js'
import { chunkKeyOf, digestChunk, toStorable } from '../page-digest.js'
import type { LinkedChunk } from '../../../content/convert/formats/chunks.js'
import type { Document } from '../../../kernel/page/document.js'
import { shortenKey, sql, type SqlDatabase, type SqlStatement } from './sql-database.js'
import { sqlRecord } from './sql-record.js'

/** Makes vectors of texts, one for each, in their order: finite numbers, all vectors of one length. At most 64 texts a call. */
export type EmbedTexts = (texts: readonly string[]) => Promise<readonly (readonly number[])[]>

/** A table that a mirror fills. */
interface TableOptions {
  readonly name: string
  /** Its quoted name. */
  readonly table: string
  readonly unit: MirrorUnit
  readonly embed?: EmbedTexts | undefined
  /** Writes a vector as a value of its column. */
  readonly toVector: (vector: readonly number[]) => string | Uint8Array
}

/** Columns of the table, besides its `key`. */
const COLUMNS = {
  page: ['title', 'description', 'language', 'markdown'],
  chunk: ['url', 'link', 'path', 'markdown', 'tokens'],
} as const

/** Characters of the key of a row. */
const KEY_CHARACTERS = 2000

const rowKeyOf = (key: string): string => shortenKey(key, KEY_CHARACTERS)

/** The statement that makes the table. @param vector type of the column of vectors; none without one */
export function createTable(table: string, unit: MirrorUnit, vector?: string): string {
  const types = unit === 'page' ? 'title TEXT, description TEXT, language TEXT, markdown TEXT NOT NULL' : CHUNK_TYPES
  return `CREATE TABLE IF NOT EXISTS ${table} (key TEXT PRIMARY KEY, ${types}${vector === undefined ? '' : `, embedding ${vector}`})`
}
const CHUNK_TYPES =
  'url TEXT NOT NULL, link TEXT NOT NULL, path TEXT NOT NULL, markdown TEXT NOT NULL, tokens INTEGER NOT NULL'

/** Quotes a name, with a dot between a schema and its table. */
export const quoteTable = (name: string): string =>
  name
    .split('.')
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join('.')

/** Opens a table as a target: each change of a row is one transaction with its acknowledgement. */
export function openTable(database: SqlDatabase, options: TableOptions): OpenTarget {
  const { name, table, unit, embed, toVector } = options
  const record = sqlRecord(database, name)
  const embedOne = embed && embedderOf(embed)
  return {
    record,
    async write({ change, saved, following }: MirrorStep) {
      const vector = embedOne && needsVector(change) ? await embedOne(change.chunk, following) : undefined
      const statements = writeChange(table, change, vector && toVector(vector))
      const whole = 'page' in change ? withSum(saved, sumOfPage(pageValues(change.page))) : saved
      await database.transact([...record.statementsOf(whole), ...statements])
      return whole
    },
    async check(entries, signal) {
      const faults = await checkTable(database, { table, unit }, entries)
      signal?.throwIfAborted()
      return faults
    },
    close: () => database.close(),
  }
}

/** Tests for a chunk with a new text. One that has moved keeps its vector. */
const needsVector = (change: MirrorChange): change is MirrorChange & { readonly chunk: MirroredChunk } =>
  change.op === 'put' && 'chunk' in change

/** The text that is embedded: the headings above a chunk give it its meaning. */
const textToEmbed = ({ path, markdown }: LinkedChunk): string => `${path.join(' > ')}\n\n${markdown}`.trim()

/**
 * Returns a function that makes the vector of a chunk, and in the same call those of the chunks that follow on its page: a call for each
 * would take as many round trips. Each is acknowledged with its vector before the next one is written. The function throws for a vector
 * that no search would find: acknowledged, it would never be made again.
 */
export function embedderOf(
  embed: EmbedTexts,
): (chunk: LinkedChunk, following?: readonly LinkedChunk[]) => Promise<readonly number[]> {
  let size: number | undefined
  let ready = new Map<string, readonly number[]>()
  const check = (vector: readonly number[]): void => {
    if (vector.length === 0) throw new Error('`embed` gave a vector without numbers')
    const wrong = vector.find((value) => !Number.isFinite(value))
    if (wrong !== undefined)
      throw new Error(`\`embed\` gave a vector with ${wrong}: each value must be a finite number`)
    size ??= vector.length
    if (vector.length !== size)
      throw new Error(`\`embed\` gave vectors of ${size} and of ${vector.length} numbers: all must be of one length`)
  }
  return async (chunk, following = []) => {
    const text = textToEmbed(chunk)
    const made = ready.get(text)
    ready.delete(text)
    if (made) return made
    const texts = [...new Set([text, ...following.map(textToEmbed)])].slice(0, MAX_EMBED_TEXTS)
    const vectors = await embed(texts)
    if (vectors.length !== texts.length)
      throw new Error(
        `\`embed\` gave ${vectors.length} vectors for ${texts.length} texts: it gives one for each, in their order`,
      )
    vectors.forEach(check)
    const [own = [], ...others] = vectors
    ready = new Map(others.map((vector, at) => [texts[at + 1] ?? '', vector]))
    return own
  }
}

function writeChange(table: string, change: MirrorChange, vector: string | Uint8Array | undefined): SqlStatement[] {
  if (change.op === 'delete') return [sql(`DELETE FROM ${table} WHERE key = ?`, rowKeyOf(change.key))]
  const isChunk = 'chunk' in change
  const columns: readonly string[] = ['key', ...COLUMNS[isChunk ? 'chunk' : 'page']]
  const values = [rowKeyOf(change.key), ...(isChunk ? chunkValues(change.chunk) : pageValues(change.page))]
  if (isChunk && change.op === 'move') {
    const assigned = columns.map((column) => `${column} = ?`).join(', ')
    return [sql(`UPDATE ${table} SET ${assigned} WHERE key = ?`, ...values, change.previous.key)]
  }
  const all = vector === undefined ? columns : [...columns, 'embedding']
  const updates = all.slice(1).map((column) => `${column} = excluded.${column}`)
  const text =
    `INSERT INTO ${table} (${all.join(', ')}) VALUES (${all.map(() => '?').join(', ')}) ` +
    `ON CONFLICT (key) DO UPDATE SET ${updates.join(', ')}`
  const put = sql(text, ...values, ...(vector === undefined ? [] : [vector]))
  return change.op === 'move' ? [sql(`DELETE FROM ${table} WHERE key = ?`, rowKeyOf(change.previous.key)), put] : [put]
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? toStorable(value) : null)

const pageValues = ({ markdown = '', metadata }: Document): (string | null)[] => [
  textOrNull(metadata.title),
  textOrNull(metadata.description),
  textOrNull(metadata.language),
  toStorable(markdown),
]

const chunkValues = ({ url, link, path, markdown, tokens }: MirroredChunk): (string | number)[] => [
  url,
  link,
  JSON.stringify(path),
  toStorable(markdown),
  tokens,
]

/** Hashes the row of a page. */
const sumOfPage = (values: readonly unknown[]): string =>
  createHash('sha256')
    .update(JSON.stringify(values.map((value) => value ?? null)))
    .digest('hex')
    .slice(0, 32)

const withSum = (saved: RecordChange, sum: string): RecordChange => ({
  ...saved,
  put: (saved.put ?? []).map((entry) => ({ ...entry, sum })),
})

/** Compares a table with what is acknowledged. */
async function checkTable(
  database: SqlDatabase,
  { table, unit }: Pick<TableOptions, 'table' | 'unit'>,
  entries: Iterable<MirrorEntry>,
): Promise<readonly MirrorFault[]> {
  const expected = new Map<string, { key: string; sum: string | undefined }>()
  for (const { key: page, sum, chunks = [] } of entries)
    if (unit === 'page') expected.set(rowKeyOf(page), { key: page, sum })
    else
      for (const digest of chunks) {
        const key = chunkKeyOf(page, digest)
        expected.set(key, { key, sum: digest })
      }
  const faults: MirrorFault[] = []
  for (const row of await database.all(sql(`SELECT key, ${COLUMNS[unit].join(', ')} FROM ${table}`))) {
    const rowKey = String(row['key'])
    const wanted = expected.get(rowKey)
    expected.delete(rowKey)
    if (!wanted) {
      const message = `${table} has a row that no page of the mirror accounts for`
      faults.push({ key: rowKey, kind: 'foreign', message })
    } else if (wanted.sum !== undefined && sumOfRow(row, unit, wanted.sum) !== wanted.sum)
      faults.push({ key: wanted.key, kind: 'changed', message: `${table} has a row that is not as it was written` })
  }
  for (const { key } of expected.values()) faults.push({ key, kind: 'missing', message: `${table} has no row of it` })
  return faults
}

/** @param wanted the hash of a chunk may have a number, which its row does not tell */
function sumOfRow(row: Readonly<Record<string, unknown>>, unit: MirrorUnit, wanted: string): string {
  if (unit === 'page') return sumOfPage(COLUMNS.page.map((column) => row[column]))
  const digest = digestChunk({ path: toPath(row['path']), markdown: String(row['markdown']) })
  return wanted.startsWith(`${digest}-`) ? wanted : digest
}

function toPath(text: unknown): string[] {
  try {
    return parseJson(String(text)) as string[]
  } catch {
    return []
  }
}
