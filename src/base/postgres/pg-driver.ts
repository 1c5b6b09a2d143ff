import { isInstalled, loadPackage } from '../runtime/optional-package.js'
import { messageOf } from '../errors.js'

/** A row of a result, by column. */
export type PgRow = Readonly<Record<string, unknown>>

/** The part of a client of the package `pg` that is used. */
export interface PgClient {
  readonly host: string
  readonly port: number
  readonly database: string | undefined
  connect(): Promise<unknown>
  query(query: { text: string; values?: readonly unknown[]; name?: string }): Promise<{ rows: PgRow[] }>
  end(): Promise<void>
  /** Lets the process end while the connection is open. */
  unref(): void
  on(event: 'error' | 'end', listener: (error?: unknown) => void): unknown
  on(
    event: 'notification',
    listener: (notification: { readonly channel: string; readonly payload?: string }) => void,
  ): unknown
  /** @internal of `pg`: there is no other way to give up a connection whose network is cut. */
  readonly connection?: { readonly stream?: { destroy(): void } }
}

/** Creates a client. */
export type CreateClient = (settings: Readonly<Record<string, unknown>>) => PgClient

/** Loads the package from its file. */
export function loadPg(file: string): CreateClient {
  const { Client } = loadPackage(file) as {
    Client: new (settings: Readonly<Record<string, unknown>>) => PgClient
  }
  return (settings) => new Client(settings)
}

/** The part of a `Pool` of the package that is used. */
export interface PgClientPool {
  query(query: { text: string; values?: readonly unknown[]; query_timeout?: number }): Promise<{ rows: PgRow[] }>
  end(): Promise<void>
  on(event: 'error', listener: () => void): unknown
}

/** Opens a pool, which connects on first use. @throws Error where the package is not installed */
export function openPgPool(settings: Readonly<Record<string, unknown>>): PgClientPool {
  if (!isInstalled('pg')) throw new Error('the package `pg` is needed: npm install pg')
  const { Pool } = loadPackage('pg') as { Pool: new (settings: Readonly<Record<string, unknown>>) => PgClientPool }
  return new Pool(settings)
}

/** An error that says that the connection is lost, or that there is none. */
export class PgConnectionError extends Error {
  readonly code: string | undefined

  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.code = codeOf(cause)
  }
}

/**
 * Codes of errors after which the connection is useless, and another one may work: class 08, shutdown, crash, starting up, too
 * many connections, a primary that has become a replica.
 *
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const LOST = /^(?:08...|57P0[1-5]|53300|25006|E(?:CONN|PIPE|TIMEDOUT|HOST|NET|AI_AGAIN|NOTFOUND)\w*)$/

/** Codes of statements that the server ended for the sake of others, or after a time, and that may succeed when they are repeated. */
const REPEATABLE = /^(?:40001|40P01|55P03|57014)$/

/** Tests whether the connection is lost. */
export const isConnectionError = (error: unknown): boolean =>
  error instanceof PgConnectionError ||
  LOST.test(codeOf(error) ?? '') ||
  // `pg` has no code for these.
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|timeout e)/.test(
    messageOf(error),
  )

/** Tests for an error that does not occur again when the statements are repeated. */
export const isRepeatable = (error: unknown): boolean => REPEATABLE.test(codeOf(error) ?? '')

/** SQLSTATE of the server, or a code of Node. */
export function codeOf(error: unknown): string | undefined {
  const first = firstOf(error)
  return first instanceof Error && 'code' in first && typeof first.code === 'string' ? first.code : undefined
}

/** Describes an error with its code: `password authentication failed for user "x" (28P01)`. */
export function describePgError(error: unknown): string {
  const first = firstOf(error)
  const [message, code] = [messageOf(first), codeOf(first)]
  return code === undefined || message.includes(code) ? message : `${message} (${code})`
}

/** The first error of several: Node tries each address of a name. */
const firstOf = (error: unknown): unknown =>
  error instanceof AggregateError && error.errors.length > 0 ? (error.errors as unknown[])[0] : error
