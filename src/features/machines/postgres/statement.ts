/** Stands for the number under which this engine owns jobs, which the server gives it. */
interface OwnNumber {
  readonly isOwner: true
}

/** The value of a statement that is replaced by the number of this engine when the statement is sent. */
export const OWNER: OwnNumber = { isOwner: true }

/** A value of a statement. */
export type PgValue = string | number | boolean | null | OwnNumber

/** A statement with its values, which replace `$1`, `$2` and so on. It is prepared once for each connection. */
export interface PgStatement {
  readonly text: string
  readonly values: readonly PgValue[]
}

/**
 * A connection to the server. `control`: its session holds the lock of this engine, for short questions. `writer`: that of
 * groups of writes, and of what must come after them. `reader`: that of long results. `tasks`: that of pages that engines scrape
 * for each other, and of notifications. Each is opened on first use, and runs statements in the order in which they were given.
 */
export type PgConnection = 'control' | 'writer' | 'reader' | 'tasks'

/** Durations of the connections. Milliseconds. */
export interface PgTiming {
  /** Longest wait for a connection. */
  readonly connectMs: number
  /** Longest wait for the answer to one statement. After it, the connection counts as lost. */
  readonly statementMs: number
  /** Longest wait for what is under way when the engine is closed. */
  readonly closingMs: number
  /** Time for which writes and reads wait for a lost connection to come back. */
  readonly patienceMs: number
}
