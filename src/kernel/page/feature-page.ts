import type { PageCookies } from '../../base/http/cookies.js'
import type { ProfilePlan } from '../fetch/browser-plan.js'

/** A link of a page. */
export interface FeatureLink {
  /** Absolute. */
  readonly url: string
  readonly text: string
  /** True if the page asks not to follow it. */
  readonly nofollow?: boolean
}

/** A file that a feature has asked a site for. */
export interface FeatureFile {
  /** URL after redirects. */
  readonly url: string
  readonly statusCode: number
  /** Headers with names in lower case; repeated ones are joined with `, `. */
  readonly headers: Readonly<Record<string, string>>
  readonly contentType?: string
  readonly body: Uint8Array
}

/**
 * Answer to a request of a feature: the file; or the status, if it is no success, or the file is not wanted; or the reason why the
 * request was not sent, or its answer must not be used.
 */
export type FeatureAnswer =
  | { readonly file: FeatureFile }
  | { readonly statusCode: number }
  | { readonly refused: string }

/** Options of a request of a feature. */
export interface FeatureRequest {
  /** In addition to those of the page, which go to hosts in their scope only. */
  readonly headers?: Readonly<Record<string, string>>
  /** Maximum size of the body. Bytes, from 1. @default that of a page */
  readonly maxBytes?: number
  /** Ends the request. @default that of the page */
  readonly signal?: AbortSignal
  /** Tests an answer with a success. One that is not wanted is not stored in the cache. @default every one is */
  isWanted?(file: FeatureFile): boolean
}

/** A URL before it is requested: that of a page, or a further one for the page. */
export interface AskedUrl<Slice = unknown> {
  readonly url: string
  /** The URL of the page, where this one is the target of a redirect. */
  readonly from?: string
  /** Part of the feature in the plan of the page. */
  readonly slice: Slice
  /** Aborted when the time is up, or the job has ended. */
  readonly signal: AbortSignal
}

/** The request for a page before it is sent. */
export interface AskedRequest<Slice = unknown> extends AskedUrl<Slice> {
  /** The caller's headers for the host of the page, as features before it have changed them, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

/** Change of the request for a page. */
export interface RequestChange {
  /** Headers to add or to replace; undefined removes one. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** Profile to use in the place of that of the request; the page is still requested over HTTP first. */
  readonly profile?: ProfilePlan
  /** Cookies that the page shares with others, in the place of its own. Not with a profile. @internal */
  readonly cookies?: PageCookies
}

/** A page as a feature of the caller sees it, and a part of what those of trawl see. */
export interface PageView {
  /** URL that was asked for. */
  readonly url: string
  /** URL after redirects. */
  readonly finalUrl: string
  readonly statusCode: number
  /** Headers with names in lower case; repeated ones are joined with `, `. */
  readonly headers: Readonly<Record<string, string>>
  readonly contentType: string | undefined
  /** The raw page, after content decoding: of a web page its HTML as the site or the browser gave it. */
  readonly body: Uint8Array
  /** True for a page that the caller supplied: nothing may be requested for it. */
  readonly isGiven: boolean
  /** Undefined before the digest, and where the request asks for no Markdown. */
  readonly markdown: string | undefined
  /** Metadata as the page states it; empty before the digest. */
  readonly metadata: Readonly<Record<string, unknown>>
  /** Links of the raw page; empty before the digest. */
  readonly links: readonly FeatureLink[]
  /** Aborted when the time of the page is up, or its job has ended. */
  readonly signal: AbortSignal
  /**
   * Requests a URL once, over HTTP: as the page itself, by the rules of its job, and if no feature refuses it. Only in `enrich`, of a
   * feature with `asksSite`.
   *
   * @throws TrawlError when there is no answer; the signal's reason
   */
  fetch(url: string, options?: FeatureRequest): Promise<FeatureAnswer>
  /** Adds a warning to the document. A sentence. */
  warn(message: string): void
}

/**
 * A page as a feature of trawl sees it.
 *
 * @typeParam Slice what the plan of the page has of the feature
 * @typeParam Early what its step before the digest finds
 */
export interface FeaturePage<Slice = unknown, Early = unknown> extends PageView {
  readonly slice: Slice
  /** Result of its step before the digest; undefined in that step, and without one. */
  readonly early: Early | undefined
  /** True if what is fetched for the page is for its caller alone: it has headers of its own, or nothing may be stored. */
  readonly isForOneCaller: boolean
  /** Returns the result of a feature that runs before. @throws TypeError for one that `needs` does not name */
  resultOf(feature: string): unknown
}

/** Result of a step: what it has found, and why the page must not be handed out. */
export interface StepResult<Found> {
  readonly found?: Found
  /** Ends the page: in a job with the skip reason of the feature, otherwise with its error. A sentence for people, without a full stop. */
  readonly refused?: string
  /** Links that a crawl must not follow, by URL, with the reason of each: a sentence for people, without a full stop. */
  readonly refusedLinks?: ReadonlyMap<string, string>
}
