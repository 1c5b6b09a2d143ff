import type { ErrorCode, ErrorRow, RequestIssue } from '../../base/errors.js'
import type { SiteFile } from '../../base/http/site-file.js'
import type { LinkedSheet } from '../../base/text/linked-sheet.js'
import type { Robots } from '../frontier/robots/robots.js'
import type { RobotsRecordKinds } from '../../content/robots/robots-file.js'
import type { FeatureAttempt } from '../ledger/ledger.js'
import type { FeatureStops, SkipReason } from '../ledger/skip-reason.js'
import type { AnyEnrichFormat } from '../enrich/format.js'
import type { FetchedPage } from '../fetch/fetched-page.js'
import type { FetchPlan, PageRequest } from '../fetch/fetcher.js'
import type { CapturesByType } from '../fetch/capture.js'
import type { ExchangeObserver } from '../../base/http/observe-exchanges.js'
import type { FeatureFetcher, NamedFetcher } from '../fetch/feature-fetcher.js'
import type { AddedFetchers, SessionStore } from '../fetch/renderer.js'
import type { CrawlGuide, GuidedCrawl } from '../job/crawl/crawl-guide.js'
import type { CrawlMemory, RememberedCrawl } from '../job/crawl/crawl-memory.js'
import type { OpenElsewhere } from '../job/registry-options.js'
import type { JobExtension, NamedExtension } from '../job/job-hooks.js'
import type { ReporterExtension } from '../job/job-reporter.js'
import type { PagePlaces } from '../job/page-places.js'
import type { FeatureConfig } from '../options/feature-options.js'
import type { AnyDefinitions, OwnRequest } from '../options/option-definition.js'
import type { ScrapeOptions } from '../options/scrape-options.js'
import type { AskedRequest, AskedUrl, FeaturePage, RequestChange, StepResult } from '../page/feature-page.js'
import type { DocumentAddition, MadeDocument, PageInternals } from '../page/feature-steps.js'
import type { PageRewriter, RewrittenPage } from '../page/page-rewriter.js'
import type { AsyncPageTasks } from '../page/workers/page-pool.js'
import type { FeatureHealth } from './engine-health.js'
import type { FeatureCalls } from './engine-surface.js'
import type { AskedJob } from '../plan/feature-plan.js'
import type { EnginePlan } from '../plan/plan-engine.js'
import type { ScrapePlan } from '../plan/scrape-plan.js'
import type { EngineParts } from './entry-points.js'
import type { OpenPrompt } from './create-strategies.js'

/**
 * A part of trawl that can be left out.
 *
 * @typeParam Slice what the plan of a page has of it. Plain data: it is frozen, stored, and sent to other engines
 * @typeParam Result what its steps have found on a page. Plain data
 * @typeParam Early what its step before the digest hands to the one after it
 */
export interface Feature<Slice = unknown, Result = unknown, Early = unknown> {
  /** Its name: that of its slice, its result and its tasks. */
  readonly name: string
  /** Names of features that must be there. Their steps run before its own. */
  readonly needs?: readonly string[]
  /** Names of features that run before it if they are there. */
  readonly after?: readonly string[]
  /** Definitions of its options, by the request that has them. */
  readonly options?: {
    readonly page?: AnyDefinitions
    /** Those of every request for a job. */
    readonly job?: AnyDefinitions
    /** Those of crawls. */
    readonly crawl?: AnyDefinitions
    /** Those of the requests of its own calls, by the name of the call: the reference and the command line list them. */
    readonly calls?: Readonly<Record<string, AnyDefinitions>>
    /** Requests of its own calls: messages say which of them takes an option that was given elsewhere. */
    readonly requests?: readonly OwnRequest[]
    /** Settings of the engine. They are checked with the others, and passed on as they were given. */
    readonly engine?: AnyDefinitions
  }
  /** Formats that it adds. Their types are merged into `FeatureFormats`. */
  readonly formats?: readonly AnyEnrichFormat[]
  /** Names of the functions that make its ledgers, if these outlive the process. Messages name them. */
  readonly ledgers?: readonly string[]
  /** Names that only it sets in the metadata of documents: a meta tag of a page cannot have them. */
  readonly metadata?: readonly string[]
  /** True if it asks the site for more than the page: it then runs in the engine of the job, by the rules of the job. */
  readonly asksSite?: boolean
  /** True if a page can do without it: when it fails, the page has a warning. @default false, and the page fails */
  readonly optional?: boolean
  /** Skip reason and error code of the pages that its steps refuse. Without it they can refuse none. */
  readonly refusal?: RefusalKind
  /** Words for the crawls that its guide ends. */
  readonly stops?: StopKind
  /**
   * True if it rewrites all that is read of a page with a slice, before anything else sees it: its steps open a rewriter, and it has one
   * in `src/features/digest-parts.ts`. Such a page is stored in no cache. One feature of an engine can.
   */
  readonly rewrites?: true
  /**
   * True if `refuse` is asked about the targets of redirects too, before they are requested; `denied`: only about those that the rules of
   * the job deny. Not in a browser.
   */
  readonly judgesRedirects?: true | 'denied'
  /** True if `request` is asked about the requests for pages. Certificates are then checked by default: it may add credentials. */
  readonly changesRequests?: true
  /** A function that runs on each page with a slice, in a browser, before its content is taken: its source, as an expression. */
  readonly browser?: string
  /** Further records of robots.txt that it reads, by their names. */
  readonly robots?: RobotsRecordKinds
  /** Gets URLs of its own, in the place of the network. */
  readonly fetcher?: FeatureFetcher
  /** Adds fetchers to an engine, when it is made. The first feature that does is asked. */
  openFetchers?(engine: FetcherParts): AddedFetchers
  /** Opens what is told of every exchange over the network, in an engine whose settings ask for it. @returns undefined if they do not: it costs nothing */
  openObserver?(settings: EnginePlan): ExchangeObserver | undefined
  /** Makes features of those of the caller. @param list those of trawl itself @throws InvalidRequestError for a wrong one */
  adopt?(given: readonly unknown[], list: readonly Feature[]): readonly Feature[]
  /** True for one of the caller, which other engines do not have. */
  readonly isOwn?: true
  /** Plans its part in a page, from checked options and settings. @returns undefined if the page does not ask for it: then it costs nothing */
  plan?(options: ScrapeOptions, config: FeatureConfig): Slice | undefined
  /** Decides whether `request` is asked about the requests for pages with a slice, in the place of `changesRequests`. */
  changes?(slice: Slice): boolean
  /**
   * Plans its part in a job, from checked options and settings. Jobs are stored as requests, and planned again when they are resumed.
   *
   * @param page plan of the pages, with what features before it have changed
   * @returns undefined if the job does not ask for it: then it costs nothing
   */
  planJob?(page: ScrapePlan, options: AskedJob, config: FeatureConfig): PlannedJob | undefined
  /** Opens the resolution of the `prompt` of a crawl, if it has one. The first feature that can is asked. */
  openPrompt?: OpenPrompt
  /** Opens the guide of a crawl with this slice. Of the features that a crawl asks for, the first one with a guide guides it. */
  openGuide?(slice: Slice, crawl: GuidedCrawl): CrawlGuide
  /** Opens the memory of a crawl with a slice. Of the features that a crawl asks for, the first one with a memory is its memory. */
  openMemory?(crawl: RememberedCrawl): CrawlMemory
  /**
   * Decides whether it judges the URLs and answers of pages with this slice.
   *
   * @returns a text that is the same for slices that refuse the same pages; undefined if it refuses none: `refuse` is not called
   */
  judges?(slice: Slice): string | undefined
  /** Opens its steps for an engine, on the first page with a slice. The closure keeps what the engine learns. */
  open?(engine: EngineInternals): FeatureSteps<Slice, Result, Early> | Promise<FeatureSteps<Slice, Result, Early>>
  /** Returns what it adds to the record of the attempt at the page. */
  attempt?(result: Result): FeatureAttempt
  /** Opens what its formats share in an engine, on the first page with one of them: `produce` of each has it. */
  openFormats?(engine: EngineInternals): unknown
  /** Returns what it adds to the document. */
  document?(result: Result, made: MadeDocument): DocumentAddition
  /** Adds to an engine and to its jobs, when the engine is made. What it needs is opened and started by its calls, so that an engine alone costs nothing. */
  extendEngine?(engine: EngineParts): EngineExtension
}

/** Part of a feature in the plan of a job. */
export interface PlannedJob {
  /** Its slice. Plain data */
  readonly slice: unknown
  /** Plan of the pages, where the feature changes it. @default the one that it was given */
  readonly page?: ScrapePlan
  /** Pages at once of a job that sets no number. @default that of the engine */
  readonly pagesAtOnce?: number
}

/** Addition of a feature to an engine, and to its jobs. */
export interface EngineExtension extends JobExtension, ReporterExtension {
  /** Its calls, which become members of the engine. */
  readonly calls?: Partial<FeatureCalls>
  /** Begins what an engine with `resume` does by itself. Does not throw. */
  resume?(): void
  /** Other engines that scrape pages of its jobs. The first feature that has them is asked. */
  readonly places?: PagePlaces
  /** Opens jobs that other processes run. The first feature that can is asked. */
  readonly openElsewhere?: OpenElsewhere
  /** Finds what is wrong with a checked request, by what the engine knows. Called when a job is asked for, and not when it is resumed. */
  findFaults?(request: object): readonly RequestIssue[]
  /** Reads the state of what it runs. */
  health?(): FeatureHealth
  /**
   * Stops what it runs, when the engine is closed, and resolves when nothing of it runs any more.
   *
   * @param drain false where pages under way are not waited for
   */
  close?(drain: boolean): Promise<void>
  /** Releases what jobs and calls have used, when none runs any more. */
  release?(): Promise<void>
}

/** The addition of a feature to an engine, with its name. */
export type NamedEngineExtension = EngineExtension & NamedExtension

/**
 * Steps of a feature on the way of a page, each of which may be absent. Features take their turns in each step in the order of their
 * list, and no further one after one has refused.
 */
export interface FeatureSteps<Slice = unknown, Result = unknown, Early = unknown> {
  /**
   * Decides whether a URL may be requested: that of a page, and each further one for the page. Only where the feature `judges`.
   *
   * @returns the reason why it may not. A sentence for people, without a full stop
   */
  refuse?(
    asked: AskedUrl<Slice>,
    internals: { readonly plan: ScrapePlan; readonly visit: object },
  ): Promise<string | undefined>
  /**
   * Changes the request for a page, before each attempt. Only where the feature `changesRequests`, or `changes` them. Not further requests, which have
   * the headers of their page.
   */
  request?(
    asked: AskedRequest<Slice>,
    internals: { readonly plan: ScrapePlan; readonly visit: object },
  ): Promise<RequestChange | undefined>
  /**
   * Reads the answer of the site, before the page is parsed. A page that is refused here is read for its links alone. Where the
   * feature `judges`, also for answers to further requests, and for those that say that a page is unchanged. Not for a page that the
   * caller supplied.
   */
  beforeDigest?(page: FeaturePage<Slice, Early>, internals: PageInternals): Promise<StepResult<Early> | undefined>
  /**
   * Finds the style sheets that a page links to, which its digest reads. Not for a page that the caller supplied.
   *
   * @returns undefined for none; the first feature that finds some is taken
   */
  findSheets?(page: FeaturePage<Slice, Early>, internals: PageInternals): Promise<readonly LinkedSheet[] | undefined>
  /** Reads the page, before anything further is requested or made for it. */
  afterDigest?(page: FeaturePage<Slice, Early>, internals: PageInternals): Promise<StepResult<Result> | undefined>
  /** Opens the rewriter of a page. Only where the feature `rewrites`. */
  openRewriter?(slice: Slice, page: RewrittenPage): PageRewriter
  /** Adds to a page that is kept. Not for a page that the caller supplied. @returns its result */
  enrich?(page: FeaturePage<Slice, Early>, internals: PageInternals): Promise<Result | undefined>
}

/** The words for refusals of a feature. */
interface RefusalKind {
  /** Skip reason of a page of a job. */
  readonly reason: SkipReason
  /** Meaning of the reason, for its reference. Sentences. */
  readonly means: string
  /** Code of the error of a single page. */
  readonly code: ErrorCode
  readonly error: ErrorRow
}

/** The words for crawls that a guide ends because enough is known. */
interface StopKind {
  /** Skip reason of the URLs that are left. */
  readonly reason: SkipReason
  /** Meaning of the reason, for its reference. Sentences. */
  readonly means: string
  /** `stoppedBy` of the status. */
  readonly stoppedBy: keyof FeatureStops
}

/** Parts of an engine that features of trawl itself need. @internal */
export interface EngineInternals {
  /** Milliseconds since the epoch. */
  now(): number
  readonly robots: Robots
  readonly settings: EnginePlan
  /** Runs a task in a worker thread. */
  readonly task: AsyncPageTasks['task']
  /** Runs a task on a page: a small one in the caller's thread, where its transfer would take longer. */
  readonly pageTask: AsyncPageTasks['pageTask']
  /** Fetches a page for an engine: by the rules of no job, neither cached nor digested. */
  fetchPage(request: PageRequest, plan: FetchPlan, signal: AbortSignal): Promise<FetchedPage>
  /** Aborted when the engine is closed. */
  readonly closing: AbortSignal
  /** True where pages may be loaded in a browser. */
  readonly mayUseBrowser: boolean
  /** Sessions that are kept under names. @default no feature keeps any */
  readonly sessions?: SessionStore
  /** Requests a file of a site: as robots.txt, by the rules of no job. */
  getFile(
    url: string,
    limits: { readonly timeoutMs: number; readonly maxBytes: number },
    signal: AbortSignal,
  ): Promise<SiteFile>
}

/** Parts of an engine that fetchers of a feature need. */
export interface FetcherParts {
  readonly settings: EnginePlan
  /** Fetchers of features, which get URLs of their own. */
  readonly own: readonly NamedFetcher[]
  /** Observer of exchanges over the network. @default none */
  readonly observer?: ExchangeObserver | undefined
  /** Data that formats take of a page while it is open. */
  readonly captures: CapturesByType
  /** Requests a text, such as a list that a setting names. @throws Error for an answer without success */
  getList(url: string, signal: AbortSignal): Promise<string>
}

/** Types a feature: its own code knows its slice and its results, the engine does not. */
export const defineFeature = <Slice, Result = never, Early = never>(feature: Feature<Slice, Result, Early>): Feature =>
  feature
