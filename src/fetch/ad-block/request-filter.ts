import type { Page } from 'playwright'
import type { IdsAndClasses } from '../../injected/page-functions.js'

/** A request that a page in the browser will send. */
export interface PageSubRequest {
  readonly url: string
  /** The URL of the document in the main frame. */
  readonly pageUrl: string
  /** Playwright's name of the type: `document`, `script`, `image`, `xhr`, `fetch`, `media`, … */
  readonly resourceType: string
}

/**
 * Blocks requests of a page, hides advertisements and answers consent questions, for `blockAds`. One for an engine. The egress
 * policy does not depend on it.
 */
export interface RequestFilter {
  /** Called for requests other than the page's own document. Must be fast, as each request waits for it. */
  blocks(request: PageSubRequest): boolean
  /**
   * URLs, with `*` for any text, of requests that {@link blocks} is called for. Other requests are blocked by refusing
   * connections to hosts of which all requests are blocked.
   */
  readonly patterns: readonly string[]
  /** Returns CSS that hides advertisements, for a page that will be shown. */
  styleFor(pageUrl: string, parts: IdsAndClasses): string | undefined
  /** Tells whether a page's HTML mentions consent, so that {@link answerConsent} is worth its time. */
  mayAskConsent(html: string): boolean
  /**
   * Refuses consent, and removes the question from the page.
   *
   * @returns true if there was a question
   */
  answerConsent(page: Page, signal: AbortSignal): Promise<boolean>
  /** Parts of the filter that do not work, as sentences for the page's `warnings`. */
  readonly problems: readonly string[]
}

/** Filter lists, compiled. */
export interface AdMatcher {
  /** @param type the name of the type in browser extensions: `image`, `script`, `sub_frame`, `xmlhttprequest`, … */
  matches(url: string, pageUrl: string, type: string): boolean
  styleFor(pageUrl: string, parts: IdsAndClasses): string | undefined
}
