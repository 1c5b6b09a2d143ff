import { type Ledger, postgres } from '../../index.js'
import { UsageError } from '../usage-error.js'
import type { Flag } from './flag.js'

/** Options of the database; each is absent without its flag. */
export interface DatabaseOptions {
  database?: string
  schema?: string
}

const databaseFlag = (name: keyof DatabaseOptions, description: string): Flag => ({
  name,
  target: 'command',
  path: [name],
  valueType: { kinds: ['string'], choices: [] },
  description,
  section: 'The command',
})

/** Flags of the database that engines share. */
export const databaseFlags: readonly Flag[] = [
  databaseFlag(
    'database',
    'Address of the PostgreSQL database that engines share, with their jobs: postgres://user@host:5432/database. A ' +
      'password that is not in it is read from PGPASSWORD, which the process list does not show. Default of crawl and ' +
      'batch: none, their job ends with the command. Of explain and report: the path of an SQLite ledger',
  ),
  databaseFlag('schema', 'Schema of the tables in --database. Default: trawl'),
]

/** Requires the database of a command that has no use without one. @throws UsageError */
export function requireDatabase({ database }: DatabaseOptions): void {
  if (database === undefined) throw new UsageError(['--database is missing'])
}

/** Creates the ledger that the flags name; undefined without them. @throws UsageError */
export function createLedger({ database, schema }: DatabaseOptions): Ledger | undefined {
  if (database === undefined && schema !== undefined) throw new UsageError(['--schema needs --database'])
  if (database === undefined) return undefined
  try {
    return postgres({ connectionString: database, ...(schema !== undefined && { schema }) })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UsageError([error.message.replace('connectionString', '--database').replace('schema', '--schema')])
  }
}
