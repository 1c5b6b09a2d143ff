import type { Page } from 'playwright'
import type { ScreenshotImage, ScreenshotOptions } from './screenshot-options.js'

/**
 * The methods of a browser page that plug-ins may use, to inspect, act and evaluate. Pages, routes and cookies are
 * managed by the fetcher.
 *
 * The calls have no timeout of their own: pass `timeout: context.leftMs()` to those that accept it.
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

/** An open page, as actions and captures receive it. */
export interface BrowserPageContext {
  readonly page: BrowserPage
  /** Aborted at the page's deadline: the page is closed then, and its calls reject. */
  readonly signal: AbortSignal
  /** Milliseconds until the page's deadline; at least 1. */
  leftMs(): number
  /** Waits until network and DOM are idle, as after loading; bounded. To be called after a change of the page. */
  settle(): Promise<void>
  /** The page's current HTML, with iframes and open shadow roots. */
  readHtml(): Promise<string>
  /** Takes a screenshot. Window size and scroll position are restored. */
  takeScreenshot(options: ScreenshotOptions): Promise<ScreenshotImage>
}
