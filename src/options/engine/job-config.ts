import { urlToString, type UrlLike } from '../../url.js'
import { wholeNumber } from '../fields/basic-schemas.js'
import { mustBe } from '../issues/describe-issue.js'
import type { OptionDefinitions } from '../option-definition.js'
import { isFunction } from './value-tests.js'

/** Settings of an engine for its jobs. */
export interface JobConfig {
  /**
   * Size of unread documents at which a job starts no further page, in bytes.
   * @default 33554432 (32 MiB)
   */
  maxWaitingBytes?: number | undefined
  /**
   * Key that signs the reports to webhooks: `X-Firecrawl-Signature: sha256=…` is the HMAC-SHA256 of the body, in hex. It
   * is not stored.
   * @default none: they are not signed
   */
  webhookSecret?: string | undefined
  /**
   * URL of a server around this engine, with which the `url` of a job begins. @default 'trawl://engine'
   */
  baseUrl?: UrlLike | undefined
  /** Clock: returns milliseconds since the epoch. @default Date.now */
  now?: (() => number) | undefined
}

/** Definitions of {@link JobConfig}. @internal */
export const jobSettingDefinitions = {
  maxWaitingBytes: {
    schema: (z) => wholeNumber(z, 'bytes', 0).optional(),
    default: 32 * 1024 * 1024,
    help: 'Start no page while more bytes of documents wait to be written',
  },
  webhookSecret: {
    schema: (z) =>
      z
        .string({ error: 'not a string (not shown)' })
        .refine((secret) => secret !== '', 'empty: leave it out where reports are not to be signed')
        .optional(),
    help: 'Secret that signs the reports to --webhook. Default: none',
  },
  baseUrl: {
    schema: (z) => z.preprocess(urlToString, z.url(mustBe('a URL'))).optional(),
    default: 'trawl://engine',
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
