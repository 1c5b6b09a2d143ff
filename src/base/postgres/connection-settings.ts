import type { Rule } from '../runtime/check-options.js'

/** A `Pool` of the package `pg`, or the settings of one: `host`, `port`, `user`, `password`, `database`, `ssl` and so on. */
export type PostgresPool = object

/** Settings of a pool that a connection does not have, or that trawl sets itself. */
const POOL_ONLY = new Set([
  'max',
  'min',
  'Client',
  'Promise',
  'idleTimeoutMillis',
  'allowExitOnIdle',
  'maxUses',
  'maxLifetimeSeconds',
  'verify',
  'onConnect',
])

/** Allows a pool, or the settings of one. */
export const settingsRule: Rule = { allowed: 'a `Pool` of the package `pg`, or the settings of one', accepts: isPool }

/** Tests for a pool, or the settings of one. */
export function isPool(value: unknown): value is PostgresPool {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Options that say where a server is, each of them alone. */
interface ServerOptions {
  readonly connectionString?: string
  readonly pool?: PostgresPool
}

/**
 * Checks that the options of a public function name one server.
 *
 * @param of name of the function
 * @throws TypeError for none, and for two
 */
export function checkServer(of: string, { connectionString, pool }: ServerOptions): void {
  if ((connectionString === undefined) !== (pool === undefined)) return
  const seen = pool === undefined ? 'neither was' : 'both were'
  throw new TypeError(`\`${of}\`: one of \`connectionString\` and \`pool\` is needed, and ${seen} given`)
}

/** The settings of a pool, without those that are not of a connection. */
export function settingsOf(pool: object): Record<string, unknown> {
  const { options } = pool as { options?: unknown }
  const given = typeof options === 'object' && options !== null ? options : pool
  // `pg` hides the password from listings of its settings.
  const password: unknown = Reflect.get(given, 'password')
  const entries = Object.entries(given).filter(([name, value]) => !POOL_ONLY.has(name) && value !== undefined)
  const { ssl, ...rest } = Object.fromEntries(entries)
  return {
    ...rest,
    ...(ssl !== undefined && { ssl: withKey(ssl) }),
    ...(password !== undefined && password !== null && { password }),
  }
}

/** Copies the settings of TLS: `pg` hides their key in the same way. */
function withKey(ssl: unknown): unknown {
  if (typeof ssl !== 'object' || ssl === null) return ssl
  const key: unknown = Reflect.get(ssl, 'key')
  return { ...ssl, ...(key !== undefined && { key }) }
}

/** Name of a server of which the settings do not say the address. */
const UNNAMED = 'in PostgreSQL'

/** Names the server, without user and password. */
export function labelOf({ connectionString, host, port, database }: Record<string, unknown>): string {
  if (typeof connectionString === 'string') {
    const at = connectionString.lastIndexOf('@')
    // An `@` after a `?` may be part of a password in either place.
    if (connectionString.slice(0, Math.max(at, 0)).includes('?')) return UNNAMED
    const [, place] = /^(?:\w+:\/\/)?([^?#]*)/.exec(connectionString.slice(at + 1)) ?? []
    return /^\w+:\/\//.test(connectionString) && place ? `postgres://${place}` : UNNAMED
  }
  const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? `${value}` : '')
  if (host === undefined) return UNNAMED
  return `postgres://${textOf(host)}${port === undefined ? '' : `:${textOf(port)}`}/${textOf(database)}`
}
