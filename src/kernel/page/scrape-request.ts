import type { LearntRules } from '../enrich/learnt-rules.js'
import type { LastSeen, PageRequest } from '../fetch/fetcher.js'
import type { SiteAnswer } from '../frontier/politeness.js'
import type { Spending } from '../../base/llm/spending.js'
import type { PageRewriter } from './page-rewriter.js'

/** Permission for requests of a page beside that for the page itself. */
export interface FurtherRequests {
  /**
   * Waits until a URL may be requested. Every call that returns undefined is followed by one of `end`.
   *
   * @returns the reason if it may not be requested
   * @throws TrawlError when the site is not to be asked; the signal's reason
   */
  begin(url: string, signal: AbortSignal): Promise<string | undefined>
  /** Records the response; undefined if there was none, or if no request was sent. */
  end(url: string, response: SiteAnswer | undefined): void
}

/** Request for a page in the pipeline. Some members are shared with other pages of the same job. */
export interface ScrapeRequest extends PageRequest {
  /** The job's spending on a language model. @default a budget of the page's own */
  readonly spending?: Spending
  /** Rules that formats have learnt on the job's pages. @default none, and for this page alone */
  readonly learntRules?: LearntRules
  /** The version of the page seen last: an unchanged page is not read. @default the page is read */
  readonly lastSeen?: LastSeen
  /**
   * Called before the site is asked.
   *
   * @throws TrawlError when the site is not to be asked.
   * @default the site is asked
   */
  readonly refuseSuspended?: () => void
  /** True for a page that is scraped for its links alone: no Markdown of its site is looked for. */
  readonly isForLinks?: boolean
  /** The page from the first question whether it may be requested until its document: a key for what features keep about it. */
  readonly visit?: object
  /** Permission for the further requests of features. @default they are sent one after the other */
  readonly further?: FurtherRequests
  /** Rewrites what is read and handed out, for a feature. @default nothing is rewritten */
  readonly rewriter?: PageRewriter
}
