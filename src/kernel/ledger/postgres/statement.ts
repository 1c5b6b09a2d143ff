import type { MessagePort } from 'node:worker_threads'
import type { PgRow } from '../../../base/postgres/pg-driver.js'

/** A value of a statement. */
export type PgValue = string | number | boolean | null

/** A statement with its values, which replace `$1`, `$2` and so on. It is prepared once for each connection. */
export interface PgStatement {
  readonly text: string
  readonly values: readonly PgValue[]
}

/** Statements for one of the connections. */
export interface PgRequest {
  readonly id: number
  /**
   * `control`: the connection whose session holds the lock of this engine, for answers that the host's thread waits for.
   * `writer`: that of groups of writes. `reader`: that of long results. On each, requests run in the order in which they
   * were made. `tasks`: that of pages that engines scrape for each other, and of notifications; opened on first use.
   */
  readonly connection: 'control' | 'writer' | 'reader' | 'tasks'
  /** Run one after another; several are one transaction. */
  readonly statements: readonly PgStatement[]
  /** Time for which a lost connection is awaited, before the request fails. Milliseconds. */
  readonly patienceMs: number
  /** Set when the host waits for the answer with its thread blocked: the answer goes through the port. */
  readonly isBlocking?: true
}

/** The end of a request: rows of each statement, or an error. */
export type PgResponse = { readonly id: number; readonly results: readonly (readonly PgRow[])[] } | PgFailure

/** The error of a request. */
export interface PgFailure {
  readonly id: number
  readonly error: string
  /** SQLSTATE of the server, or a code of Node, if there is one. */
  readonly sqlState?: string
  /** True when the server did not get the request, or its answer was lost. */
  readonly isConnection: boolean
}

/** A notification of the server (`LISTEN`). */
export interface PgNotification {
  readonly channel: string
  /** The text that was given to `NOTIFY`. */
  readonly payload: string
}

/** Asks the thread to wait no longer than a few seconds for a lost connection. */
export const HURRY = 'hurry'
/** Asks the thread to give the lock back and to end. */
export const CLOSE = 'close'

/** Durations of the connections. Milliseconds. */
export interface PgTiming {
  /** Longest wait for a connection. */
  readonly connectMs: number
  /** Longest wait for the answer to one statement. After it, the connection counts as lost. */
  readonly statementMs: number
  /** Time for which the host's own thread waits for an answer. */
  readonly blockingMs: number
  /** Time for which writes and reads wait for a lost connection to come back. */
  readonly patienceMs: number
}

/** Data of the thread. */
export interface PgThreadData {
  /** The file of the package `pg`, which bundles do not include. */
  readonly library: string
  /** Settings of `pg` for a connection. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly schema: string
  readonly timing: PgTiming
  /** Port of answers for which the host's thread waits. */
  readonly port: MessagePort
  /**
   * Two numbers: the count of these answers, which the host waits for, and the id of the last request that it has given up.
   */
  readonly signal: SharedArrayBuffer
}
