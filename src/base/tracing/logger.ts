/** Name of a method of a {@link Logger}, in order of severity. */
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error'

/** Method of a {@link Logger}: fields of the record, then its message. What it returns is ignored. */
export type LogMethod = (fields: object, message: string) => unknown

/**
 * A logger as an engine uses it: `pino()`, `fastify.log`, `console`, or an object of yours with these methods. It may return
 * promises: they are not awaited, and what they reject with is dropped.
 *
 * @see https://getpino.io/#/docs/api?id=logger
 */
export interface Logger {
  /** Not used so far. */
  trace: LogMethod
  debug: LogMethod
  info: LogMethod
  warn: LogMethod
  error: LogMethod
  /** Creates the logger of a job, with the fields `jobId` and `kind`. Without it, each record of the job has them. */
  child?(fields: { jobId: string; kind: string }): unknown
  /** Returns false for a level of which no record is to be made. Without it, all are made. */
  isLevelEnabled?(level: LogLevel): boolean
}

const METHODS: readonly LogLevel[] = ['trace', 'debug', 'info', 'warn', 'error']

/** Tests for an object with the methods of a {@link Logger}. */
export const isLogger = (value: unknown): value is Logger =>
  typeof value === 'object' && value !== null && METHODS.every((name) => typeof Reflect.get(value, name) === 'function')
