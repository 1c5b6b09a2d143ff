import { resolve } from 'node:path'
import {
  anyFunction,
  checkArgument,
  checkOptions,
  nonEmptyString,
  notInMemory,
  oneOf,
} from '../../../base/runtime/check-options.js'
import type { MirrorUnit } from '../mirror-change.js'
import type { MirrorTarget } from '../mirror-target.js'
import { createTable, type EmbedTexts, openTable, quoteTable } from '../tables/open-table.js'
import { openSqliteDatabase } from '../tables/sqlite-database.js'

/** Settings of {@link sqliteTable}. */
export interface SqliteTableOptions {
  /** Name of the table, which is made where it is missing. @default 'pages', or 'chunks' for chunks */
  table?: string
  /** `chunk` for a row for each chunk of a page. @default 'page' */
  unit?: MirrorUnit
  /** Makes vectors of the texts of chunks, for a column `embedding`: bytes of 32-bit floats, little-endian. @default none */
  embed?: EmbedTexts
}

/**
 * Mirrors a site as a table of an SQLite file, which may have others. Each row is committed together with its acknowledgement, which is in
 * tables of its own (`trawl_mirrors`, `trawl_mirror_entries`). Needs Node 22.13 or later, or the package `libsql`.
 *
 * A page has `key` (its URL), `title`, `description`, `language`, `markdown`; a chunk `key`, `url`, `link`, `path` (headings as JSON),
 * `markdown`, `tokens`, and `embedding` with `embed`. A URL of more than 2000 characters is cut, and ends with `#` and its hash; U+0000 is
 * written as U+FFFD.
 *
 * @param file path of the file, which is made where it is missing
 * @throws TypeError for invalid options
 */
export function sqliteTable(file: string, options: SqliteTableOptions = {}): MirrorTarget {
  checkArgument('sqliteTable(file)', file, nonEmptyString("the path of a file, such as 'pages.db'"))
  checkArgument('sqliteTable(file)', file, notInMemory('a mirror outlives the process'))
  checkOptions('sqliteTable', options, {
    table: nonEmptyString('the name of a table'),
    unit: oneOf('page', 'chunk'),
    embed: anyFunction,
  })
  const { unit = 'page', table: given = unit === 'page' ? 'pages' : 'chunks', embed } = options
  const table = quoteTable(given)
  const name = `sqlite ${given}`
  return {
    name: `${name} in ${resolve(file)}`,
    unit,
    needs: unit === 'page' ? 'markdown' : 'chunks',
    async open() {
      const database = openSqliteDatabase(file, [createTable(table, unit, embed && 'BLOB')])
      const toVector = (vector: readonly number[]): Uint8Array => new Uint8Array(Float32Array.from(vector).buffer)
      return openTable(database, { name, table, unit, embed, toVector })
    },
  }
}
