import { urlToString, type UrlLike } from '../../url.js'
import type { OptionDefinitions } from '../option-definition.js'
import { wholeNumber } from './setting-schemas.js'

/** Settings of an engine for its jobs. */
export interface JobConfig {
  /**
   * Size of unread documents at which a job starts no further page, in bytes.
   * @default 33554432 (32 MiB)
   */
  maxWaitingBytes?: number | undefined
  /**
   * Reports to webhooks are signed with it: `X-Firecrawl-Signature: sha256=…`, the HMAC-SHA256 of the body in hex. It is
   * stored nowhere.
   * @default none: they are not signed
   */
  webhookSecret?: string | undefined
  /**
   * URL of a server around this engine: the first part of a job's `url`. @default 'trawl://engine'
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
    schema: (z) => z.preprocess(urlToString, z.url('not a URL')).optional(),
    default: 'trawl://engine',
    help: false,
  },
  now: {
    schema: (z) =>
      z
        .custom<() => number>((value) => typeof value === 'function', 'not a function')
        // With an invalid clock, every wait of a job would never end.
        .refine((now) => typeof now !== 'function' || Number.isFinite(now()), 'gives no number of milliseconds')
        .optional(),
    help: false,
  },
} as const satisfies OptionDefinitions<JobConfig>
