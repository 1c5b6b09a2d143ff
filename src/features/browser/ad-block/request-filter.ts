import type { Page } from 'playwright'
import type { IsolatedWorld } from '../browser-page.js'
import type { IdsAndClasses } from '../injected/page-functions.js'

/** A request that a page in the browser will send. */
export interface PageSubRequest {
  readonly url: string
  /** The URL of the document in the main frame. */
  readonly pageUrl: string
  /** Playwright's name of the type: `document`, `script`, `image`, `xhr`, `fetch`, `media`, … */
  readonly resourceType: string
}

/** A page that may ask for consent. */
export interface ConsentPage {
  readonly page: Page
  readonly world: IsolatedWorld
}

/**
 * Blocks requests of a page, hides advertisements and answers consent questions, for `blockAds`. Each engine has one.
 * It is no security boundary: the egress policy does not depend on it.
 */
export interface RequestFilter {
  /**
   * Returns true for a request to block. Not called for the page's own document. Must be fast, because each request
   * waits for it.
   */
  blocks(request: PageSubRequest): boolean
  /**
   * URLs, with `*` for any text, of requests that {@link blocks} is called for. Requests to other URLs are blocked at
   * the connection, if all requests to their host are blocked.
   */
  readonly patterns: readonly string[]
  /** Returns CSS that hides advertisements, for a page with actions or captures. */
  styleFor(pageUrl: string, parts: IdsAndClasses): string | undefined
  /** Tests whether a page's HTML mentions consent; if not, {@link answerConsent} is skipped. */
  mayAskConsent(html: string): boolean
  /**
   * Refuses consent, and removes the question from the page.
   *
   * @returns true if there was a question
   */
  answerConsent(page: ConsentPage, signal: AbortSignal): Promise<boolean>
  /** Problems of the filter, such as lists that could not be loaded, as sentences for the page's `warnings`. */
  readonly problems: readonly string[]
}

/** Filter lists, compiled. */
export interface AdMatcher {
  /** @param type the name of the type in browser extensions: `image`, `script`, `sub_frame`, `xmlhttprequest`, … */
  matches(url: string, pageUrl: string, type: string): boolean
  styleFor(pageUrl: string, parts: IdsAndClasses): string | undefined
}
