import type { Action } from './action-options.js'
import type { BrowserPageContext } from '../../features/browser/browser-page.js'
import type { ScreenshotImage } from './screenshot-options.js'

/** The results of a page's actions, each kind in order of execution. @see docs/compatibility.md#actions */
export interface ActionResults<Screenshot = string, Pdf = string> {
  /** Screenshots, one for each `screenshot` action: URLs of the engine's `media` sink, or `data:` URIs without one. */
  screenshots: Screenshot[]
  /** The page's HTML, one for each `scrape` action. */
  scrapes: { url: string; html: string }[]
  /** Results of scripts, one for each `executeJavascript` action. */
  javascriptReturns: { type: string; value: unknown }[]
  /** PDF files, one for each `pdf` action, as URLs like `screenshots`. */
  pdfs: Pdf[]
}

/** The results before their files are published: images, and the bytes of PDF files. */
export type RawActionResults = ActionResults<ScreenshotImage, Uint8Array>

/** The context of an action. @internal */
export interface ActionContext extends BrowserPageContext {
  /** The results so far, to which an action adds. */
  readonly results: RawActionResults
}

/**
 * Implements a kind of action. Plug-ins in `fetch/actions/`, one file for each `type`.
 *
 * @typeParam Options the item of `actions`, with its `type`
 * @internal
 */
export interface ActionKind<Options extends Action = Action> {
  readonly type: Options['type']
  /**
   * Runs the action. Its effects are waited for before the next action, and before the content is read.
   *
   * @throws any error: the page fails with `SCRAPE_ACTION_ERROR`, which has the index and type of the action and the
   * message of the error
   */
  run(context: ActionContext, options: Options): Promise<void>
}
