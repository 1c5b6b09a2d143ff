import type { FeatureFetcher } from '../../kernel/fetch/feature-fetcher.js'
import type { AskedRequest, AskedUrl, PageView, RequestChange, StepResult } from '../../kernel/page/feature-page.js'
import type { DocumentAddition } from '../../kernel/page/feature-steps.js'

/** A URL before it is requested. */
export type AskedPage = Pick<AskedUrl, 'url' | 'signal'>

/** The request for a page before it is sent. */
export type AskedHeaders = Pick<AskedRequest, 'url' | 'headers' | 'signal'>

/** Part of a document that a feature adds. */
export type OwnAddition = Pick<DocumentAddition, 'fields' | 'hasContent'>

/**
 * A further format of documents. It is asked for as the others are: `formats: ['mine']`, or `{ type: 'mine', … }`. Its types are
 * merged into `FeatureFormats`.
 *
 * @typeParam Options the item in `formats`, with its `type`. Its options are JSON
 * @typeParam Fields the fields that it fills in a document
 */
export interface OwnFormat<Options extends { type: string } = { type: string }, Fields extends object = object> {
  /** Its name: a letter, then letters and digits, at most 60. No other format of the engine may have it. */
  readonly type: Options['type']
  /** Type of the item in `formats`; never read at run time. */
  readonly takes?: Options
  /** Type of the fields that it fills; never read at run time. */
  readonly fills?: Fields
  /**
   * Checks its options when a request is checked. Without it they may be any JSON.
   *
   * @returns the fault: a sentence for people, which ends the request with an `InvalidRequestError`
   */
  check?(options: Options): string | undefined
  /**
   * Makes its fields, in the place of `enrich`; for a page that the caller supplied, in that of `afterDigest`.
   *
   * @returns fields, by the rules of {@link OwnFeature.document}; undefined if the page has nothing for it
   */
  produce(page: PageView, options: Options): Eventual<Partial<Fields> | undefined>
}

/** The result of a function of a feature, or a promise of it. */
type Eventual<Result> = Result | Promise<Result>

/**
 * A part that the caller adds to an engine: {@link EngineConfig.features}. Each member but the name may be absent, and then costs
 * nothing. A function that throws, or returns what it must not, ends its page with `FEATURE_FAILED` and the name of the feature; a
 * `TrawlError` with a code that is retried keeps it. One that hangs ends its page at the `timeout`. The job goes on.
 *
 * @typeParam Found what its steps find on a page
 */
export interface OwnFeature<Found = unknown> {
  /**
   * Its name, in errors and in the records of jobs: a letter, then letters, digits and hyphens, at most 60. No other feature of the
   * engine, and none of trawl itself, may have it.
   */
  readonly name: string
  /** Gets URLs of its own, in the place of the network. @default none */
  readonly fetcher?: FeatureFetcher
  /**
   * Decides whether a URL may be requested: that of a page, the target of a redirect, and each further one for the page, such as the
   * next page of a list. Not robots.txt and sitemaps. In a job, a refused page is skipped as `FEATURE_REFUSED`; a single page fails
   * with this code.
   *
   * @returns the reason why it may not: a sentence for people, at most 1,000 characters
   */
  refuse?(asked: AskedPage): Eventual<string | undefined>
  /**
   * Changes the headers of the request for a page, before each attempt, over HTTP and in the browser. They go where `headers` of a
   * request go: to the host of the page, and to `headersFor`. A page whose headers it changes neither comes from the cache nor goes
   * there; one that it leaves as it is does. Further requests for the page have the same headers. Not robots.txt and sitemaps.
   *
   * @returns headers to add or to replace, at most 65,536 characters; one that is undefined is removed
   */
  request?(asked: AskedHeaders): Eventual<RequestChange | undefined>
  /**
   * Runs in the browser, as a script of the page, when the page has settled and its actions have run, before its content is taken. Its
   * source is sent there: it sees `document` and `window`, and no variable from around it. What it returns is awaited, and not used.
   * Pages are loaded in a browser for it; with `optional`, where one is installed. Not for files, and not for pages of a `fetcher`.
   * Such a page neither comes from the cache nor goes there.
   */
  browser?(): unknown
  /**
   * Reads a page when it is parsed: one that was fetched, taken from the cache, or supplied to `parse`.
   *
   * @returns what it has found, for `document`; or why the page must not be handed out, which ends it as `refuse` does
   */
  afterDigest?(page: PageView): Eventual<StepResult<Found> | undefined>
  /** Adds to a page that is kept, after `afterDigest` of all features. Not for a page that the caller supplied. @returns what it has found, for `document` */
  enrich?(page: PageView): Eventual<Found | undefined>
  /**
   * Makes its part of the document of what a step has found. Their types are merged into `DocumentFrame`. It may replace fields of
   * formats, such as `markdown`, and not those that trawl sets, such as `metadata`.
   *
   * @returns fields, as JSON at most 10,000,000 characters
   */
  document?(found: Found): Eventual<OwnAddition>
  /** Formats that it adds. @default none */
  readonly formats?: readonly OwnFormat[]
  /** True if `enrich`, or a format, uses `fetch` of the page. @default false */
  readonly asksSite?: boolean
  /** True if a page can do without it: when it fails, the page has a warning. Not where it refuses. @default false, and the page fails */
  readonly optional?: boolean
}

declare module '../../kernel/options/engine-config.js' {
  interface EngineConfig {
    /**
     * Parts that you add to the engine, in order: see `docs/guides/features.md`. A job that was left by an earlier process is resumed
     * only by an engine with the features that it was started with.
     * @default none
     */
    features?: readonly OwnFeature[]
  }
}

/** Types a feature where it is written. @returns the same object */
export const defineFeature = <Found, Own extends OwnFeature<Found>>(feature: Own & OwnFeature<Found>): Own => feature
