import { labelOf, settingsOf } from '../../../base/postgres/connection-settings.js'
import type { PgTarget } from './database.js'
import type { PostgresLedgerOptions } from './postgres-options.js'

/** Name of the schema when none is given. */
const DEFAULT_SCHEMA = 'trawl'
/** Longest name of the server. Bytes. */
const MAX_NAME_BYTES = 63

export function describeTarget({ connectionString, pool, schema = DEFAULT_SCHEMA }: PostgresLedgerOptions): PgTarget {
  if (Buffer.byteLength(schema) > MAX_NAME_BYTES || schema.includes('\0'))
    throw new TypeError(`\`postgres({ schema })\`: the name of a schema has at most ${MAX_NAME_BYTES} bytes`)
  // The ledger reads its columns with the types of `pg` itself.
  const given = pool ? { ...settingsOf(pool), types: undefined } : { connectionString }
  const settings = { application_name: 'trawl', ...given }
  return { settings, schema, label: labelOf(settings) }
}
