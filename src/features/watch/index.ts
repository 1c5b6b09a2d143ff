import { defineFeature } from '../../kernel/engine/feature.js'
import { signingKeyDefinition } from '../../kernel/options/fields/receiver.js'
import type { OptionDefinitions } from '../../kernel/options/option-definition.js'
import { createWatches } from './create-watches.js'
import { type WatchRequest, watchRequests } from './watch-options.js'
import type { Watch } from './watch.js'

export type { WatchedCrawl, WatchReportEvent, WatchRequest, WatchTarget, WatchWebhook } from './watch-options.js'
export type {
  ChangeReason,
  CheckSummary,
  Watch,
  WatchCheck,
  WatchEvents,
  WatchOverview,
  WatchResult,
  WatchStatus,
} from './watch.js'

/** Calls for watches. */
export interface WatchCalls {
  /**
   * Watches pages for changes: checks them again and again, compares each with its last version, and judges whether the
   * difference matters. The ledger stores the watch with the history of its pages, so that with SQLite it outlives
   * the process; a check that was due meanwhile is made once. One process at a time runs it. A second call with the
   * same name changes the request, and keeps the history. The process stays alive until the engine is closed.
   *
   * @throws InvalidRequestError with all problems of the request
   * @throws TrawlError `NOT_AVAILABLE` when the ledger keeps no watches, as with PostgreSQL; `LEDGER_ERROR`; `ENGINE_CLOSED`
   * @see docs/guides/watch.md
   * @example
   * const watch = await engine.watch({ name: 'prices', targets: [{ url: 'https://example.com/' }], every: '6h' })
   * for await (const { url, meaningful, reasons } of watch) if (meaningful) console.log(url, reasons)
   */
  watch(request: WatchRequest): Promise<Watch>
  /**
   * Lists the watches of the ledger, by name.
   *
   * @param options.run true to run those that no other process runs, now and later, until the engine is closed. The engine's
   * `resume` does so from its start. @default false
   * @throws TrawlError as {@link Engine.watch}
   */
  watches(options?: { run?: boolean }): Promise<readonly Watch[]>
}

/** Setting of an engine whose watches report to webhooks. */
export interface WatchConfig {
  /** Key that signs the reports to webhooks, those of jobs included. It is not stored. @default none: they are not signed */
  webhookSecret?: string
}

declare module '../../kernel/options/feature-options.js' {
  interface FeatureConfig extends WatchConfig {}
}

declare module '../../kernel/engine/engine-surface.js' {
  interface FeatureCalls extends WatchCalls {}
}

/** Watches: pages that are checked for changes again and again. @internal */
export const watch = defineFeature({
  name: 'watch',
  options: {
    engine: { webhookSecret: signingKeyDefinition } satisfies OptionDefinitions<WatchConfig>,
    requests: watchRequests,
  },
  extendEngine: createWatches,
})
