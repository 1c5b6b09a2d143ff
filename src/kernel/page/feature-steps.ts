import type { Deadline } from '../../base/concurrency/deadline.js'
import type { Digest, DigestPlan } from '../../content/digest/digest.js'
import type { Extras } from '../enrich/enrich.js'
import type { PageModel } from '../../base/llm/page-model.js'
import type { PageTree } from '../enrich/format.js'
import type { FetchedPage } from '../fetch/fetched-page.js'
import { type ErrorCode, type ErrorRow, TrawlError } from '../../base/errors.js'
import type { Refusal } from '../ledger/ledger.js'
import type { ScrapePlan } from '../plan/scrape-plan.js'
import type { Document, DocumentMetadata } from './document.js'
import type { ObtainedPage } from './obtain-page.js'
import type { FurtherPlan, PlannedRequest } from './plan-further.js'

/** Results of the steps of features, or the blocks that its part has left out of the content, by the name of the feature. */
export type FeatureResults = ReadonlyMap<string, unknown>

/** State of a document before features add to it. */
export interface MadeDocument {
  /** Fields of the formats that need more than the page. They take precedence over those of features. */
  readonly formats: Extras['fields']
  /** The Markdown of the digest; undefined where it was not asked for. */
  readonly markdown: string | undefined
  /** True if the document is made again, with another part of the page left out. */
  readonly isMadeAgain: boolean
}

/** Part of a document that a feature adds. */
export interface DocumentAddition {
  readonly fields?: Partial<Document>
  readonly metadata?: Partial<DocumentMetadata>
  /** True if it brings content, so that nobody warns about a page without any. */
  readonly hasContent?: boolean
  /** Number of further pages of its site that it has, each of which is charged as one. @default 0 */
  readonly furtherPages?: number
}

/** Further requests for a page: as the page itself, by the rules of its job, and if no feature refuses them. @internal */
export interface RequestsForPage {
  /** True if a page may be loaded in a browser. */
  readonly mayUseBrowser: boolean
  /** Plans a further request: as the page itself, without what is for that request alone. */
  plan(url: string): PlannedRequest
  /** Decides whether a URL must not be requested. @returns the reason. Throws as `request` does */
  refuse(url: string, signal: AbortSignal): Promise<string | undefined>
  /**
   * Requests a URL, and again if that fails for the time being.
   *
   * @param read reads what was obtained
   * @returns the reason if it may not be requested or is not answered
   * @throws the signal's reason
   */
  request<Result extends object>(
    plan: FurtherPlan,
    signal: AbortSignal,
    read: (obtained: ObtainedPage) => Promise<Result>,
  ): Promise<Result | string>
  /** Decides whether an answer that is not digested must not be used. @returns the reason. Throws as `request` does */
  judge(obtained: ObtainedPage, signal: AbortSignal): Promise<string | undefined>
  /** Digests an answer. @returns the reason if it must not be used @throws TrawlError what the digest throws; the signal's reason */
  digest(
    obtained: ObtainedPage,
    plan: DigestPlan,
    signal: AbortSignal,
  ): Promise<{ readonly digest: Digest } | { readonly refused: string }>
}

/** Links of a page that a crawl must not follow, by URL; undefined for none. */
export type RefusedLinks = ReadonlyMap<string, Refusal> | undefined

/** Options of requesting a part of a page. */
export interface PartOptions {
  /** Maximum size of the body. Bytes. */
  readonly maxBytes: number
  /** Milliseconds. */
  readonly timeoutMs: number
  /** Tests whether a URL may be requested: that of the part, and each that it redirects to. */
  mayRequest(url: URL): Promise<boolean>
  readonly signal: AbortSignal
}

/** Facts about a page that only features of trawl itself need. @internal */
export interface PageInternals {
  readonly plan: ScrapePlan
  /** The page from the first question about its URL to its document: a key for what is kept about it meanwhile. */
  readonly visit: object
  readonly deadline: Deadline
  /** True for a page that is scraped for its links alone. */
  readonly isForLinks: boolean
  /** True for a page that came from the cache. */
  readonly isCached: boolean
  /** The page as it was fetched. */
  readonly fetched: FetchedPage
  /** Undefined before the digest. */
  readonly digest: Digest | undefined
  /** The tree of the page, which is parsed again for each query. */
  readonly tree: PageTree
  /** The language model of the engine; undefined without one, with `lockdown`, and before the digest. */
  readonly model: PageModel | undefined
  /** Only for a feature with `asksSite`, in `enrich`. */
  readonly requests: RequestsForPage
  /** Requests a file that the page is shown with, if it may: see `obtain-part.ts`. */
  getPart(url: string, options: PartOptions): Promise<FetchedPage | undefined>
  /** Waits for others without holding the slot of the page for long. */
  lend<Result>(work: Promise<Result>): Promise<Result>
}

/** The decision of a feature that a page must not be handed out. Plain data. */
export interface PageRefusal {
  /** The page in a job. */
  readonly refusal: Refusal
  /** The error of a single page. */
  readonly code: ErrorCode
  readonly row: ErrorRow
}

/** Error of a page that a feature refuses. */
export class RefusalError extends TrawlError {
  readonly refusal: Refusal

  constructor({ refusal, code, row }: PageRefusal, url: string) {
    super(code, refusal.message, { url, row })
    this.refusal = refusal
  }
}

/** Error of a page that comes right when it is fetched again, after something was mended for it, such as a login. */
export class MendableError extends TrawlError {
  /** Mends what is wrong. @throws TrawlError if it cannot be mended; the signal's reason */
  readonly mend: (signal: AbortSignal) => Promise<void>

  constructor(error: TrawlError, row: ErrorRow, mend: (signal: AbortSignal) => Promise<void>) {
    const { code, message, url } = error
    super(code, message, url === undefined ? { row } : { row, url })
    this.mend = mend
  }
}
