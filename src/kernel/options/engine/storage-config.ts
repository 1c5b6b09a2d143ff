import type { PageCache } from '../../cache/cache.js'
import type { Ledger } from '../../ledger/ledger.js'
import type { Store } from '../../../base/store/store.js'
import { wholeNumber } from '../fields/basic-schemas.js'
import { mustBe } from '../../../base/issues/describe-issue.js'
import type { OptionDefinitions } from '../option-definition.js'
import { hasMethods } from './value-tests.js'

/** Settings of an engine for storing pages, jobs and snapshots. */
export interface StorageConfig {
  /**
   * Cache of raw pages: the path of a folder (`fileCache` has more options), a cache such as
   * `storeCache(postgresStore(…))`, or false for none.
   * @default memoryCache(), which holds 16 MiB, compressed
   */
  cache?: PageCache | string | false
  /**
   * Storage of jobs, with the outcome of each URL and the documents: `sqlite('crawl.db')`, with which they outlive the
   * process, `postgres({ connectionString })`, with which engines on several machines share them, or `memoryLedger(…)`,
   * which can be limited. The engine closes it, so engines cannot share one.
   * @default memoryLedger(), without a limit; it ends with the process
   */
  ledger?: Ledger
  /**
   * Storage of page snapshots, which format `changeTracking` compares with: the path of a folder, where they outlive the
   * process and are never deleted, or a store such as `postgresStore(…)`. If it is given, a snapshot is saved of every page
   * with format `markdown`, and not only of those that are compared.
   * @default the engine's own memory, up to 64 MiB
   */
  snapshots?: Store | string
  /**
   * Time after `maxAge` during which a cached page is used if the site fails, in milliseconds. A site fails if it cannot
   * be reached, takes four fifths of the page's `timeout`, or answers 500, 502, 503 or 504. The document has a `warning`.
   * Does not apply to a page that was sent with `must-revalidate` or `no-cache`.
   * @default 0
   * @see RFC 5861 section 4
   */
  staleIfErrorMs?: number
  /** Time for which a job is kept after its end, in milliseconds. @default 86400000 (24 hours) */
  retentionMs?: number
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
          z.custom<PageCache>(
            isCache,
            mustBe('false, the path of a folder, or a cache with `get`, `set`, `delete` and `close`'),
          ),
        ])
        .optional(),
    help: 'Folder of the page cache, shared with later commands. Default: no cache',
  },
  ledger: {
    schema: (z) =>
      z
        .custom<Ledger>(
          isLedger,
          mustBe("a ledger such as `sqlite('crawl.db')`: it needs `open`, `forget` and `close`"),
        )
        .optional(),
    help: false,
  },
  snapshots: {
    schema: (z) =>
      z
        .union([
          z.string().min(1),
          z.custom<Store>(isCache, mustBe('the path of a folder, or a store with `get`, `set`, `delete` and `close`')),
        ])
        .optional(),
    help: 'Folder of page snapshots, for comparison in later commands. Default: none',
  },
  staleIfErrorMs: {
    schema: (z) => wholeNumber(z, 'milliseconds', 0).optional(),
    default: 0,
    help: 'Additional age, beyond --max-age, of a cached page that may be used when the site fails. Milliseconds',
  },
  // No flag: a command ends with its job.
  retentionMs: {
    schema: (z) => wholeNumber(z, 'milliseconds', 0).optional(),
    default: 24 * 60 * 60 * 1000,
    help: false,
  },
} as const satisfies OptionDefinitions<StorageConfig>
