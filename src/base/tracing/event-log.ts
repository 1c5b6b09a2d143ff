import { compact } from '../collections/compact.js'
import { isLogger, type Logger, type LogLevel } from './logger.js'

/** Fields that identify a job in its records. */
interface JobFields {
  readonly jobId: string
  readonly kind: string
}

/** Writes events to the logger of the host. A logger that throws, rejects or never answers disturbs nobody: its errors are dropped. */
export class EventLog {
  readonly #logger: Logger
  /** Fields that every record has. */
  readonly #fields: object

  constructor(logger: Logger, fields: object = {}) {
    this.#logger = logger
    this.#fields = fields
  }

  /** Creates the log of a job, whose records have its fields. */
  ofJob(job: JobFields): EventLog {
    try {
      const child = this.#logger.child?.({ ...job })
      if (isLogger(child)) return new EventLog(child)
    } catch {
      // The records then have the fields themselves.
    }
    return new EventLog(this.#logger, { ...job })
  }

  /** True when records of the level are wanted. */
  isEnabled(level: LogLevel): boolean {
    try {
      return this.#logger.isLevelEnabled?.(level) ?? true
    } catch {
      return false
    }
  }

  /** Writes one record. @param describe creates its fields, of which undefined ones are left out; not called when the level is off */
  write(level: LogLevel, message: string, describe: () => object): void {
    if (!this.isEnabled(level)) return
    try {
      const answer = this.#logger[level](compact({ ...this.#fields, ...describe() }), message)
      // A promise is not awaited; its rejection would end the process of the host.
      if (typeof answer === 'object' && answer !== null) void Promise.resolve(answer).catch(() => undefined)
    } catch {
      // What fails in a logger is nothing that a job can handle, and there is no other place to report it.
    }
  }
}

/** Creates the log of an engine; undefined without a logger. */
export const createEventLog = (logger: Logger | undefined): EventLog | undefined => logger && new EventLog(logger)
