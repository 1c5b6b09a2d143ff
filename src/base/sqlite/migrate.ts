import { type ErrorCode, TrawlError } from '../errors.js'
import { type Database, numberOf, rollBack } from './driver.js'

/** The schema of a file, as it has developed. */
interface SqliteSchema {
  /** The migrations in their order. A file's version is the number of migrations that it has. */
  readonly migrations: readonly string[]
  /** Code of the error for a file that a later version of trawl has written, and the file's name in its message. */
  readonly code: ErrorCode
  readonly file: string
  /** Place of the version, for a schema that shares its file with others. @default that of the file */
  readonly version?: { read(): number; write(version: number): void }
}

/**
 * Migrates a file to the present version, in one transaction.
 *
 * @throws TrawlError for a file that a later version of trawl has written
 */
export function migrate(
  database: Database,
  { migrations, code, file, version = versionOf(database) }: SqliteSchema,
): void {
  if (version.read() === migrations.length) return
  database.exec('BEGIN IMMEDIATE')
  try {
    // Read again inside the transaction: another process may have migrated the file.
    const stored = version.read()
    if (stored > migrations.length) {
      const message = `${file} was written by a later version of trawl: its schema has version ${stored}, this one supports ${migrations.length}`
      throw new TrawlError(code, message)
    }
    for (const step of migrations.slice(stored)) database.exec(step)
    version.write(migrations.length)
    database.exec('COMMIT')
  } catch (error) {
    rollBack(database)
    throw error
  }
}

const versionOf = (database: Database): Required<SqliteSchema>['version'] => ({
  read: () => numberOf(database.prepare('PRAGMA user_version').get() ?? {}, 'user_version'),
  write: (version) => database.exec(`PRAGMA user_version = ${version}`),
})
