import type { Page } from 'playwright'
import type { ScreenshotImage, ScreenshotOptions } from '../../kernel/fetch/screenshot-options.js'

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

/** An isolated world of a page: it shares the tree with the page, but no global that the page's scripts may replace. */
export interface IsolatedWorld {
  /**
   * Runs a function on the current document, whatever its scripts have done to `Map`, `JSON` or `Array.prototype`.
   *
   * @param question the argument; argument and result are sent as JSON
   * @throws Error if the page navigates meanwhile (`isNavigation`), or is gone
   */
  call<Question, Answer>(run: (question: Question) => Answer | Promise<Answer>, question: Question): Promise<Answer>
  /** As `call`, for what a user does: the page may open a window for it. */
  act<Question, Answer>(run: (question: Question) => Answer | Promise<Answer>, question: Question): Promise<Answer>
  /** Returns the value of an expression on the current document. */
  evaluate(expression: string): Promise<unknown>
}

/** The world of a page in which its own scripts run. */
export interface PageWorld {
  /**
   * Runs a function as a script of the page, for code that needs the page's variables. The page may have replaced whatever
   * the function uses: its answer may be any JSON.
   *
   * @throws PageScriptError what the function throws; Error if the page navigates meanwhile (`isNavigation`), or is gone
   */
  call<Question>(run: (question: Question) => unknown, question: Question): Promise<unknown>
  /**
   * Runs a script that may have `await` outside of functions, as a browser's console does, and a function on its value.
   *
   * @returns undefined if the script does not compile; otherwise the `answer` of the function, which the page may forge
   * @throws as `call`
   */
  evaluate<Question>(
    script: string,
    run: (value: unknown, question: Question) => unknown,
    question: Question,
  ): Promise<{ readonly answer: unknown } | undefined>
}

/** An open page, as actions and captures receive it. */
export interface BrowserPageContext {
  readonly page: BrowserPage
  /** Runs functions of this library on the page. */
  readonly world: IsolatedWorld
  /** Runs scripts of the caller. */
  readonly pageWorld: PageWorld
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

// Here, and not where the feature is: the types of the package do not lead to those of Playwright, which a user may not have.
declare module '../../kernel/fetch/capture.js' {
  interface CaptureContext extends BrowserPageContext {}
}
