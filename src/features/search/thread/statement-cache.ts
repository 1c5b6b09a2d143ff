import { type Database, numberOf, type SqlRow, type SqlValue } from '../../../base/sqlite/driver.js'

/** Statements that are prepared once per text. */
export class StatementCache {
  readonly #database: Database
  readonly #statements = new Map<string, ReturnType<Database['prepare']>>()

  constructor(database: Database) {
    this.#database = database
  }

  get(sql: string, ...values: SqlValue[]): SqlRow | undefined {
    return this.#prepare(sql).get(...values)
  }

  all(sql: string, ...values: SqlValue[]): readonly SqlRow[] {
    return this.#prepare(sql).all(...values)
  }

  run(sql: string, ...values: SqlValue[]): void {
    this.#prepare(sql).run(...values)
  }

  /** Inserts a row. @returns its number */
  insert(sql: string, ...values: SqlValue[]): number {
    return numberOf(this.#prepare(sql).run(...values) as SqlRow, 'lastInsertRowid')
  }

  #prepare(sql: string): ReturnType<Database['prepare']> {
    const known = this.#statements.get(sql)
    if (known) return known
    const made = this.#database.prepare(sql)
    this.#statements.set(sql, made)
    return made
  }
}
