import type { Page } from 'playwright'

/**
 * What a plug-in may do with a page of the browser: look, act and evaluate. Opening and closing pages, routes, cookies
 * and whatever else belongs to the browser itself stays with the fetcher.
 *
 * None of these calls has a clock of its own unless it is given one: give `timeout: stage.leftMs()` to all that take it.
 */
export type BrowserPage = Pick<
  Page,
  | '$$eval'
  | 'content'
  | 'evaluate'
  | 'frames'
  | 'keyboard'
  | 'locator'
  | 'mouse'
  | 'pdf'
  | 'screenshot'
  | 'setViewportSize'
  | 'title'
  | 'url'
  | 'viewportSize'
  | 'waitForFunction'
>

/** A page that stands open in the browser, as actions and captures get it. */
export interface PageContext {
  readonly page: BrowserPage
  /** Aborted when the page's deadline passes: the page is closed then, and every call on it rejects. */
  readonly signal: AbortSignal
  /** Milliseconds until the page's deadline; at least 1. */
  leftMs(): number
  /** The automatic wait, once more: until the network and the tree are quiet. Bounded. For use after what changes the page. */
  settle(): Promise<void>
  /** The page as it stands: iframes and open shadow roots are part of the HTML. */
  readHtml(): Promise<string>
}
