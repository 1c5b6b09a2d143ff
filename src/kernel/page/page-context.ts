import type { PageCookies } from '../../base/http/cookies.js'
import type { FeatureAttempt } from '../ledger/ledger.js'
import type { StopWords } from '../ledger/skip-reason.js'
import type { Deadline } from '../../base/concurrency/deadline.js'
import type { Digest } from '../../content/digest/digest.js'
import type { MakeDigest } from '../../content/digest/digest-cache.js'
import type { FormatSource } from '../enrich/enrich.js'
import type { PageModel } from '../../base/llm/page-model.js'
import type { Fetchers } from '../fetch/engine-fetchers.js'
import type { RedirectRule } from '../fetch/fetcher.js'
import type { LinkedSheet } from '../../base/text/linked-sheet.js'
import type { AttemptOutcome } from '../fetch/retry.js'
import type { ModelClient } from '../../base/llm/model-client.js'
import type { MediaSink } from '../../base/media/media.js'
import type { ScrapePlan } from '../plan/scrape-plan.js'
import type { Store } from '../../base/store/store.js'
import type { DocumentAddition, FeatureResults, MadeDocument, PageRefusal, RefusedLinks } from './feature-steps.js'
import type { ObtainedPage, ObtainTools } from './obtain-page.js'
import type { RewritePlan } from '../../content/digest/rewriter.js'
import type { PageRewriter, RewrittenPage } from './page-rewriter.js'
import type { ScrapeRequest } from './scrape-request.js'
import type { AsyncPageTasks } from './workers/page-pool.js'

/** Tools of the engine that pages share. */
export interface PageTools extends ObtainTools, AsyncPageTasks {
  readonly fetchers: Fetchers
  /** Maximum size of a further file of a page. Bytes. */
  readonly maxFileBytes: number
  readonly digest: MakeDigest
  /** Digests a page, or takes its digest from the cache. Only for pages that all callers may see. */
  readonly cachedDigest: MakeDigest
  /** Features of the engine. */
  readonly features: FeatureRunner
  /** Delay before the next attempt, in milliseconds; undefined where there is to be none. */
  readonly retryDelayMs: (outcome: AttemptOutcome) => number | undefined
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

/** The answer to a request of a page, for the steps of features. */
export interface AnsweredPage {
  readonly context: PageContext
  readonly obtained: ObtainedPage
  readonly signal: AbortSignal
  /** True for a page that the caller supplied. @default false */
  readonly isGiven?: boolean
}

/** A URL that is to be requested for a page. */
export interface WantedUrl {
  readonly visit?: ScrapeRequest['visit']
  readonly url: string
  readonly plan: ScrapePlan
  readonly signal: AbortSignal
}

/** Request for a page as features have changed it. */
export interface ChangedRequest {
  readonly plan: ScrapePlan
  readonly warnings: readonly string[]
  /** Cookies that it shares with other pages. @default its own */
  readonly cookies?: PageCookies
}

/** The features of one page, called station by station. */
export interface FeaturesOfPage {
  /** Their findings so far. */
  readonly results: FeatureResults
  readonly warnings: readonly string[]
  /** Set by `beforeDigest` if the page may have to be refused: it is then digested for its links alone. */
  readonly suspicion: PageRefusal | undefined
  /** Set by `afterDigest` if the page must not be handed out. */
  readonly refused: PageRefusal | undefined
  /** Links that `afterDigest` has found, and that a crawl must not follow. */
  readonly refusedLinks: RefusedLinks
  /** @throws TrawlError what a step throws; `FEATURE_FAILED`; the signal's reason */
  beforeDigest(): Promise<void>
  /** Finds the style sheets that the page links to, for its digest. Throws as `beforeDigest` does. */
  findSheets(): Promise<readonly LinkedSheet[] | undefined>
  /** Throws as `beforeDigest` does. @param model undefined where none may be asked */
  afterDigest(digest: Digest, model?: PageModel): Promise<void>
  /** Throws as `beforeDigest` does. */
  enrich(): Promise<void>
}

/** Runs the features of an engine on its pages. A page whose plan has nothing of them runs no code of theirs. */
export interface FeatureRunner extends FormatSource {
  /** Names in the metadata of documents that only features set. */
  readonly metadataNames: ReadonlySet<string>
  /** All skip reasons, with those of features. */
  readonly skipReasons: readonly string[]
  /** Words for jobs that a feature ends early. */
  readonly stopWords: StopWords
  /**
   * Begins the work on a page.
   *
   * @param which `judges` for the answer to a further request: the features that judge such answers. @default 'features'
   * @returns undefined for a page that asks for none
   */
  begin(page: AnsweredPage, which?: 'features' | 'judges'): FeaturesOfPage | undefined
  /**
   * Decides whether a URL may be requested.
   *
   * @param byAddress true to ask only the features that judge redirects, false for the others. @default all
   * @returns why it may not; undefined if it may, without a wait where no feature judges URLs
   * @throws TrawlError what a feature throws; `FEATURE_FAILED`; the signal's reason
   */
  refuse(wanted: WantedUrl, byAddress?: boolean): Promise<PageRefusal | undefined>
  /**
   * Changes the request for a page whose plan has features that do.
   *
   * @returns the plan to request it with: a page whose headers are changed does not use the cache. Throws as `refuse` does
   */
  changeRequest(wanted: WantedUrl): Promise<ChangedRequest>
  /**
   * Adds to a rule for redirects that features judge their targets before these are requested.
   *
   * @returns the rule itself, where no feature of the page does
   */
  guardRedirects(page: WantedUrl, rule: RedirectRule | undefined): RedirectRule | undefined
  /** Decides whether an answer without a page of its own may be used, such as a 304 or that of an API. Throws as `refuse` does. */
  judgeAnswer(answer: AnsweredPage): Promise<PageRefusal | undefined>
  /**
   * Opens the rewriter of a page, for its feature.
   *
   * @throws TrawlError what the feature throws; TypeError if there is none: nothing is then read
   */
  openRewriter(plan: RewritePlan | undefined, page: RewrittenPage): Promise<PageRewriter>
  /** Collects what features add to a document, in their order. */
  describe(results: FeatureResults, made: MadeDocument): readonly DocumentAddition[]
  /** Collects what features add to the record of an attempt. */
  describeAttempt(results: FeatureResults): FeatureAttempt
}
