import { defineFeature, type PlannedJob } from '../../kernel/engine/feature.js'
import type { OptionDefinitions } from '../../kernel/options/option-definition.js'
import type { AskedJob } from '../../kernel/plan/feature-plan.js'
import type { CrawlRequest } from '../../kernel/options/crawl-options.js'
import type { JobChanges } from './job-changes.js'
import type { Mirror, MirrorOptions } from './mirror.js'
import type { MirrorTarget } from './mirror-target.js'
import { hashAsked, type MirrorSlice, openMirrors } from './open-mirrors.js'
import type { ScrapePlan } from '../../kernel/plan/scrape-plan.js'

export type { Changes, ChangesOptions, JobChanges } from './job-changes.js'
export type { Mirror, MirrorCheck, MirrorOptions, MirrorStatus, VerifyOptions } from './mirror.js'
export type {
  ChangeOf,
  ChunkChange,
  MirrorChange,
  MirroredChunk,
  MirroredItem,
  MirroredPages,
  MirrorFailure,
  MirrorSummary,
  MirrorUnit,
  PageChange,
} from './mirror-change.js'
export type {
  AssetFacts,
  MirrorEntry,
  MirrorHead,
  MirrorRecord,
  MirrorTransaction,
  RecordChange,
  StoredFacts,
  TransactionValue,
} from './mirror-record.js'
export type { AssetRequest, FetchedAsset, MirrorFault, MirrorTarget, OpenTarget, TargetParts } from './mirror-target.js'

/** Option of crawls whose changes are taken. */
export interface MirrorRequestOptions {
  /**
   * Name of the mirror whose changes `job.changes()` and `job.each()` find: what differs from what they have acknowledged under this name.
   * With `since`, a page that the mirror does not have as the earlier crawl saw it is read again. What is acknowledged is kept in the
   * file or database of the ledger, otherwise in the store of `snapshots`, otherwise in the engine. 1 to 500 characters. Not with
   * `retain: false`. Not in the interface.
   */
  mirror?: string
}

/** Calls that mirror a site. */
export interface MirrorCalls {
  /**
   * Makes a mirror: a target that `sync()` makes equal to a site, again and again. Nothing is opened or read before its first call.
   *
   * @param request the crawl. Its formats are those of the target, unless it names others; `since` is `last` unless it is given
   * @param target `mirrorTo(folder)`, a table, a vector store, or `mirrorWith(function)`
   * @throws InvalidRequestError, from its calls, for a wrong request
   * @see docs/guides/mirror.md
   * @example
   * await engine.mirror({ url: 'https://example.com/docs/' }, mirrorTo('./docs')).sync()
   */
  mirror(request: CrawlRequest, target: MirrorTarget, options?: MirrorOptions): Mirror
}

declare module '../../kernel/options/feature-options.js' {
  interface FeatureCrawlOptions extends MirrorRequestOptions {}
}

declare module '../../kernel/engine/engine-surface.js' {
  interface FeatureCalls extends MirrorCalls {}
}

declare module '../../kernel/job/job-hooks.js' {
  interface FeatureJobCalls extends JobChanges {}
}

/** Plans the part of a mirror in a crawl: pages made with other options are read again. */
function planMirror(page: ScrapePlan, { mirror }: AskedJob): PlannedJob | undefined {
  if (mirror === undefined) return undefined
  const slice: MirrorSlice = { name: mirror, asked: hashAsked(page) }
  return { slice }
}

/** Targets that are kept equal to a site. @internal */
export const mirror = defineFeature({
  name: 'mirror',
  needs: ['since'],
  options: {
    crawl: {
      mirror: {
        schema: (z) => z.string().min(1).max(500).optional(),
        // `trawl mirror` has a target.
        help: false,
        stores: 'keeps what was acknowledged',
      },
    } satisfies OptionDefinitions<MirrorRequestOptions>,
  },
  planJob: planMirror,
  extendEngine: openMirrors,
})
