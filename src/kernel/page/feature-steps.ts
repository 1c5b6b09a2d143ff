import type { Deadline } from '../../base/concurrency/deadline.js'
import type { Digest } from '../../content/digest/digest.js'
import type { Extras } from '../enrich/enrich.js'
import { type ErrorCode, type ErrorRow, TrawlError } from '../../base/errors.js'
import type { Refusal } from '../ledger/ledger.js'
import type { ScrapePlan } from '../plan/scrape-plan.js'
import type { Document, DocumentMetadata } from './document.js'

/** Results of the steps of features, by the name of the feature. */
export type FeatureResults = ReadonlyMap<string, unknown>

/** State of a document before features add to it. */
export interface MadeDocument {
  /** Fields of the formats that need more than the page. They take precedence over those of features. */
  readonly formats: Extras['fields']
  /** True if the document is made again, without blocks that repeat over pages. */
  readonly isMadeAgain: boolean
}

/** Part of a document that a feature adds. */
export interface DocumentAddition {
  readonly fields?: Partial<Document>
  readonly metadata?: Partial<DocumentMetadata>
  /** True if it brings content, so that nobody warns about a page without any. */
  readonly hasContent?: boolean
}

/** Facts about a page that only features of trawl itself need. @internal */
export interface PageInternals {
  readonly plan: ScrapePlan
  /** The page from the first question about its URL to its document: a key for what is kept about it meanwhile. */
  readonly visit: object
  /** Time of the page. */
  readonly clock: Deadline['clock'] | undefined
  /** True for a page that is scraped for its links alone. */
  readonly isForLinks: boolean
  /** Licences that the page names or contains; undefined for none, and before the digest. */
  readonly licenses: Digest['licenses'] | undefined
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
