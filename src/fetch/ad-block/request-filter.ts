import type { Page } from 'playwright'
import type { IdsAndClasses } from '../../injected/page-functions.js'

/** A request that a page in the browser is about to send. */
export interface PageSubRequest {
  readonly url: string
  /** The page that stands in the window. */
  readonly pageUrl: string
  /** As Playwright names it: `document`, `script`, `image`, `xhr`, `fetch`, `media`, … */
  readonly resourceType: string
}

/**
 * Decides which requests of a page are not sent, what is hidden on it, and what becomes of its questions about cookies:
 * for `blockAds`. One for an engine; the egress policy does not depend on it.
 */
export interface RequestFilter {
  /** Asked for requests other than the page's own document; must be quick, as each waits for it. */
  blocks(request: PageSubRequest): boolean
  /**
   * Which requests are asked about one by one, URLs with `*` for anything. For the others it is enough that nobody is
   * connected to a host from which {@link blocks} stops all that is wanted.
   */
  readonly patterns: readonly string[]
  /** CSS that is added to a page at this URL, when somebody looks at it. */
  styleFor(pageUrl: string, parts: IdsAndClasses): string | undefined
  /** Whether a page's HTML speaks of what {@link answerConsent} is for. */
  mayAskConsent(html: string): boolean
  /**
   * Refuses what a page asks consent for, and takes the question off the page.
   *
   * @returns whether there was one
   */
  answerConsent(page: Page, signal: AbortSignal): Promise<boolean>
  /** What of it does not work, in sentences for the page's `warnings`. */
  readonly problems: readonly string[]
}
