import { codeOf, type PgRow } from '../postgres/pg-driver.js'
import type { PgPool } from '../postgres/pg-pool.js'

/** Longest name of the server. Bytes. */
const MAX_NAME_BYTES = 63

/** Tests for a name that the server does not shorten. */
export const isSqlName = (name: unknown): boolean =>
  typeof name === 'string' && name !== '' && Buffer.byteLength(name) <= MAX_NAME_BYTES && !name.includes('\0')

/**
 * The migrations of a table. Its version, in its comment, is the number of migrations that it has. Entries above 2 KB are kept
 * outside of the row, and the server does not compress what is compressed already (`EXTERNAL`).
 *
 * @param table the quoted name
 */
const listMigrations = (table: string): readonly string[] => [
  `CREATE TABLE ${table} (key bytea PRIMARY KEY, entry bytea NOT NULL, expires_at timestamptz)
     WITH (autovacuum_vacuum_scale_factor = 0.05, toast.autovacuum_vacuum_scale_factor = 0.05);
   ALTER TABLE ${table} ALTER COLUMN entry SET STORAGE EXTERNAL;
   CREATE INDEX ON ${table} (expires_at) WHERE expires_at IS NOT NULL;`,
]

/** The comment of a table of this program. */
const COMMENT = 'trawl store '

/** Codes of a schema or a table that another process has made at the same time. */
const MADE_MEANWHILE = /^(?:42P0[67]|23505)$/

/** Code of a table or a schema that is not there. */
const UNDEFINED_TABLE = '42P01'

/** Attempts to make the table, when other processes make it at the same time. */
const MAX_ATTEMPTS = 5

const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`
const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Quotes code with a tag that is not part of it. */
function quoteCode(code: string): string {
  let tag = '$trawl$'
  for (let n = 0; code.includes(tag); n += 1) tag = `$trawl${n}$`
  return `${tag}${code}${tag}`
}

/** The code of the server, of an error of the pool. */
const causeCodeOf = (error: unknown): string | undefined => codeOf(error instanceof Error ? error.cause : error)

/** A table of entries. It is made at the first use. */
export class StoreTable {
  /** The quoted name. */
  readonly name: string
  readonly #pool: PgPool
  readonly #schema: string
  readonly #table: string
  #ready: Promise<void> | undefined

  constructor(pool: PgPool, schema: string, table: string) {
    this.#pool = pool
    this.#schema = schema
    this.#table = table
    this.name = `${quoteName(schema)}.${quoteName(table)}`
  }

  /** Runs a statement on the table. */
  async run(text: string, values: readonly (string | number | null | Uint8Array)[]): Promise<PgRow[]> {
    this.#ready ??= this.#prepare()
    try {
      await this.#ready
    } catch (error) {
      // The next call tries again.
      this.#ready = undefined
      throw error
    }
    return await this.#pool.run({ text, values }).catch((error: unknown) => {
      // The table was dropped: the next call makes it again.
      if (causeCodeOf(error) === UNDEFINED_TABLE) this.#ready = undefined
      throw error
    })
  }

  async #prepare(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      if ((await this.#readVersion()) === listMigrations(this.name).length) return
      try {
        await this.#pool.run({ text: this.#writeMigration() })
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !MADE_MEANWHILE.test(causeCodeOf(error) ?? '')) throw error
      }
    }
  }

  /** Reads the version of the table; 0 when there is none. @throws Error for a table that this version cannot use */
  async #readVersion(): Promise<number> {
    const text = `SELECT obj_description(pg_class.oid, 'pg_class') AS comment
      FROM pg_class JOIN pg_namespace ON relnamespace = pg_namespace.oid WHERE nspname = $1 AND relname = $2`
    const [row] = await this.#pool.run({ text, values: [this.#schema, this.#table] })
    if (!row) return 0
    const { comment } = row
    const isOwn = typeof comment === 'string' && comment.startsWith(COMMENT)
    const version = isOwn ? Number(comment.slice(COMMENT.length)) : NaN
    const place = `the store ${this.#pool.label}: the table ${this.name}`
    if (!Number.isInteger(version)) throw new Error(`${place} was not made by trawl: \`table\` needs another name`)
    const known = listMigrations(this.name).length
    if (version <= known) return version
    throw new Error(
      `${place} was written by a later version of trawl: it has version ${version}, this one supports ${known}`,
    )
  }

  /** Writes one statement that brings the table up to date, so that it needs no session of its own. */
  #writeMigration(): string {
    const [schema, table] = [quoteText(this.#schema), quoteText(this.#table)]
    const steps = listMigrations(this.name).map(
      (step, index) => `IF version < ${index + 1} THEN
        ${step}
        COMMENT ON TABLE ${this.name} IS ${quoteText(`${COMMENT}${index + 1}`)};
      END IF;`,
    )
    // The catalog is read under the lock: another process may have made the table. The ledger makes schemas under the same lock.
    const code = `DECLARE version integer; BEGIN
      SET LOCAL lock_timeout = '20s';
      PERFORM pg_advisory_xact_lock(hashtext(${quoteText(`trawl ${this.#schema}`)}));
      IF NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = ${schema}) THEN
        CREATE SCHEMA ${quoteName(this.#schema)};
      END IF;
      SELECT coalesce(max(substr(obj_description(pg_class.oid, 'pg_class'), ${COMMENT.length + 1})::integer), 0) INTO version
        FROM pg_class JOIN pg_namespace ON relnamespace = pg_namespace.oid
        WHERE nspname = ${schema} AND relname = ${table};
      ${steps.join('\n')}
    END`
    return `DO ${quoteCode(code)}`
  }
}
