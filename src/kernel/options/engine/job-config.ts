import type { TrawlError } from '../../../base/errors.js'
import { isLogger, type Logger } from '../../../base/tracing/logger.js'
import { urlToString, type UrlLike } from '../../../base/url.js'
import { wholeNumber } from '../fields/basic-schemas.js'
import { mustBe } from '../../../base/issues/describe-issue.js'
import type { OptionDefinitions } from '../option-definition.js'
import { isFunction } from './value-tests.js'

/** Callbacks of an engine that resumes jobs by itself: see {@link JobConfig.resume}. */
export interface ResumeEvents {
  /** Called with the id of each job that is continued here. */
  onJob?: (id: string) => void
  /** Called with the reason why a job, or any, cannot be continued; once for each reason. */
  onError?: (error: TrawlError) => void
}

/** Settings of an engine for its jobs. */
export interface JobConfig {
  /**
   * Size of unread documents at which a job starts no further page, in bytes.
   * @default 33554432 (32 MiB)
   */
  maxWaitingBytes?: number
  /**
   * Continues the jobs of the ledger that no living engine runs: those left by an earlier process and, with `postgres(…)`, those
   * of engines elsewhere that have ended. The engine looks for them at its start and about every five seconds, and leaves those whose
   * requests could not be stored completely to `engine.resume({ complete })`.
   * @default false
   */
  resume?: boolean | ResumeEvents
  /**
   * URL of a server around this engine, with which the `url` of a job begins. @default 'trawl://engine'
   */
  baseUrl?: UrlLike
  /**
   * Logger with the methods of pino: `trace`, `debug`, `info`, `warn`, `error`, called as `(fields, message)`. The guide
   * `docs/guides/traces.md` lists the events and their levels. Errors of the logger are dropped, and promises that it returns are
   * not awaited. No record has headers, passwords of URLs, texts of pages or messages of errors.
   * @default none: nothing is logged
   */
  logger?: Logger
  /** Clock: returns milliseconds since the epoch. @default Date.now */
  now?: () => number
}

/** Definitions of {@link JobConfig}. @internal */
export const jobSettingDefinitions = {
  maxWaitingBytes: {
    schema: (z) => wholeNumber(z, 'bytes', 0).optional(),
    default: 32 * 1024 * 1024,
    help: 'Start no page while more bytes of documents wait to be written',
  },
  resume: {
    schema: (z) =>
      z
        .union([
          z.boolean(),
          z.strictObject({
            onJob: z.custom<(id: string) => void>(isFunction, mustBe('a function')).optional(),
            onError: z.custom<(error: TrawlError) => void>(isFunction, mustBe('a function')).optional(),
          }),
        ])
        .optional(),
    default: false,
    help: false,
  },
  baseUrl: {
    schema: (z) => z.preprocess(urlToString, z.url(mustBe('a URL'))).optional(),
    default: 'trawl://engine',
    help: false,
  },
  logger: {
    schema: (z) =>
      z
        .custom<Logger>(
          isLogger,
          mustBe(
            'a logger with the methods `trace`, `debug`, `info`, `warn` and `error`; without `logger` nothing is logged',
          ),
        )
        .optional(),
    help: false,
  },
  now: {
    schema: (z) =>
      z
        .custom<() => number>(isFunction, mustBe('a function'))
        // With an invalid clock, no wait of a job would end.
        .refine(
          (now) => typeof now !== 'function' || Number.isFinite(now()),
          'does not return a finite number of milliseconds',
        )
        .optional(),
    help: false,
  },
} as const satisfies OptionDefinitions<JobConfig>
