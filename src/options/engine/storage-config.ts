import type { PageCache } from '../../cache/cache.js'
import type { Ledger } from '../../ledger/ledger.js'
import type { Store } from '../../store/store.js'
import type { OptionDefinitions } from '../option-definition.js'
import { hasMethods, wholeNumber } from './setting-schemas.js'

/** Settings of an engine for what it stores. */
export interface StorageConfig {
  /**
   * Cache of raw pages: the path of a folder (`fileCache` has more options), a cache, or false for none.
   * @default memoryCache(), which holds 64 MiB
   */
  cache?: PageCache | string | false | undefined
  /**
   * Storage of jobs, with the outcome of each URL and the documents: `sqlite('crawl.db')`, so that they outlive the
   * process, or `memoryLedger(…)`, which can be given a bound. The engine closes it: each engine has one of its own.
   * @default memoryLedger(), which holds all of it and ends with the process
   */
  ledger?: Ledger | undefined
  /**
   * Storage of page snapshots, which format `changeTracking` compares with: a folder, by its path, where they
   * outlive the process and are never forgotten, or a store such as `keyvStore(…)`. When it is given, every page whose
   * `markdown` was asked for leaves a snapshot, and not only those that are compared.
   * @default the engine's own memory, 64 MiB of it
   */
  snapshots?: Store | string | undefined
  /**
   * Time after `maxAge` during which a cached page is used if the site fails: it cannot be reached, takes four fifths
   * of the page's `timeout`, or answers 500, 502, 503 or 504. Its document has a `warning`. Not for a page that was
   * sent with `must-revalidate` or `no-cache`. Milliseconds.
   * @default 0
   * @see RFC 5861 section 4
   */
  staleIfErrorMs?: number | undefined
  /** Time for which a job is kept after its end, in milliseconds. @default 86400000 (24 hours) */
  retentionMs?: number | undefined
}

const isCache = hasMethods('get', 'set', 'delete', 'close')
const isLedger = hasMethods('open', 'forget', 'close')

/** Definitions of {@link StorageConfig}. @internal */
export const storageDefinitions = {
  cache: {
    schema: (z) =>
      z
        .union([
          z.literal(false),
          z.string().min(1),
          z.custom<PageCache>(isCache, 'not a cache: it needs `get`, `set`, `delete` and `close`'),
        ])
        .optional(),
    help: 'Folder of the page cache, shared with later commands. Default: no cache',
  },
  ledger: {
    schema: (z) => z.custom<Ledger>(isLedger, 'not a ledger: it needs `open`, `forget` and `close`').optional(),
    help: false,
  },
  snapshots: {
    schema: (z) =>
      z
        .union([
          z.string().min(1),
          z.custom<Store>(isCache, 'not a store: it needs `get`, `set`, `delete` and `close`'),
        ])
        .optional(),
    help: 'Folder of page snapshots, for comparison in later commands. Default: none',
  },
  staleIfErrorMs: {
    schema: (z) => wholeNumber(z, 'milliseconds', 0).optional(),
    default: 0,
    help: 'Additional age, beyond --max-age, of a cached page that may be used when the site fails. Milliseconds',
  },
  // A command ends with its job.
  retentionMs: {
    schema: (z) => wholeNumber(z, 'milliseconds', 0).optional(),
    default: 24 * 60 * 60 * 1000,
    help: false,
  },
} as const satisfies OptionDefinitions<StorageConfig>
