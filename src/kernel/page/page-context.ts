import type { Deadline } from '../../base/concurrency/deadline.js'
import type { Semaphore } from '../../base/concurrency/semaphore.js'
import type { Digest } from '../../content/digest/digest.js'
import type { MakeDigest } from '../../content/digest/digest-cache.js'
import type { SitePolicies } from '../frontier/policies/site-policies.js'
import type { Fetchers } from '../fetch/engine-fetchers.js'
import type { AttemptOutcome } from '../fetch/retry.js'
import type { ModelClient } from '../../base/llm/model-client.js'
import type { FfmpegOptions } from '../../features/media/ffmpeg.js'
import type { MediaSink } from '../../features/media/media.js'
import type { MediaExtractor } from '../../features/media/media-extractor.js'
import type { ScrapePlan } from '../plan/scrape-plan.js'
import type { Store } from '../../base/store/store.js'
import type { WholeList } from './list/list-ending.js'
import type { DocumentAddition, FeatureResults, MadeDocument } from './feature-steps.js'
import type { ObtainedPage, ObtainTools } from './obtain-page.js'
import type { ScrapeRequest } from './scrape-request.js'
import type { AsyncPageTasks } from './workers/page-pool.js'

/** Tools of the engine for audio and video of pages. */
export interface MediaTools {
  readonly fetchers: Fetchers
  /** Options of ffmpeg and the limit of its processes; undefined if it must not be used. */
  readonly ffmpeg: (FfmpegOptions & { readonly places: Semaphore }) | undefined
  /** The `mediaExtractor` of the engine's configuration. */
  readonly mediaExtractor: MediaExtractor | undefined
  /** Maximum size of one download. Bytes. */
  readonly maxMediaBytes: number
}

/** Tools of the engine that pages share. */
export interface PageTools extends ObtainTools, MediaTools, AsyncPageTasks {
  readonly digest: MakeDigest
  /** Digests a page, or takes its digest from the cache. Only for pages that all callers may see. */
  readonly cachedDigest: MakeDigest
  /** Reads the list of a page to its end; undefined where it is not to be, or the page has none. */
  readonly readWholeList: (
    context: PageContext,
    obtained: ObtainedPage,
    digest: Digest,
  ) => Promise<WholeList | undefined>
  /** Features of the engine. */
  readonly features: FeatureRunner
  /** Delay before the next attempt, in milliseconds; undefined where there is to be none. */
  readonly retryDelayMs: (outcome: AttemptOutcome) => number | undefined
  /** Files of sites about the use of their pages. */
  readonly policies: SitePolicies
  /** Store of snapshots, for change tracking. */
  readonly snapshots: Store
  /** Sink for screenshots, PDF prints and media; without it they are in the document as `data:` URIs. */
  readonly media: MediaSink | undefined
  /** The language model; undefined if none is configured. */
  readonly model: ModelClient | undefined
  /** Maximum tokens of a page in one request to the model. */
  readonly partTokens: number
}

/** One page in the pipeline. */
export interface PageContext {
  readonly request: ScrapeRequest
  readonly plan: ScrapePlan
  readonly tools: PageTools
  readonly deadline: Deadline
}

/** A page after its digest, for the steps of features. */
export interface DigestedPage {
  readonly context: PageContext
  readonly obtained: ObtainedPage
  readonly digest: Digest
}

/** Step of a feature on the way of a page, with what an engine has learnt for it. */
export type FeatureStep<Slice = unknown, Result = unknown> = (
  page: DigestedPage,
  slice: Slice,
) => Promise<Result | undefined>

/** Runs the features of an engine on its pages. */
export interface FeatureRunner {
  /** Names in the metadata of documents that only features set. */
  readonly metadataNames: ReadonlySet<string>
  /**
   * Runs the steps of a page, one after the other. A page that asks for none runs nothing.
   *
   * @throws TrawlError what a step throws, with the name of its feature; the signal's reason
   */
  run(page: DigestedPage): Promise<FeatureResults | undefined>
  /** Collects what features add to a document, in their order. */
  describe(results: FeatureResults, made: MadeDocument): readonly DocumentAddition[]
}
