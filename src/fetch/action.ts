import type { Action } from './action-options.js'
import type { PageContext } from './browser-page.js'
import type { ScreenshotImage } from './screenshot-options.js'

/** What the actions on a page brought, each kind in the order of execution. @see docs/compatibility.md#actions */
export interface ActionResults<Screenshot = string, Pdf = string> {
  /** Pictures, one for each `screenshot` action: URLs of the engine's `media` sink, `data:` URIs without one. */
  screenshots: Screenshot[]
  /** The page as it stood, one for each `scrape` action. */
  scrapes: { url: string; html: string }[]
  /** What the scripts came to, one for each `executeJavascript` action. */
  javascriptReturns: { type: string; value: unknown }[]
  /** PDF files, one for each `pdf` action: URLs likewise. */
  pdfs: Pdf[]
}

/** The same before its files are handed out: pictures, and the bytes of PDF files. */
export type RawActionResults = ActionResults<ScreenshotImage, Uint8Array>

/** What an action gets to work with. @internal */
export interface ActionContext extends PageContext {
  /** What the actions of this page brought so far: an action adds to it. */
  readonly results: RawActionResults
}

/**
 * A kind of action. Plug-ins of `fetch/actions/` implement this, one file for each `type`.
 *
 * @typeParam Options the item of `actions`, with its `type`
 * @internal
 */
export interface ActionKind<Options extends Action = Action> {
  readonly type: Options['type']
  /**
   * Does it. Resolves when it is done; what it set off is waited for before the next action, and before the content is
   * taken.
   *
   * @throws anything: the page fails with `SCRAPE_ACTION_ERROR`, which says which action it was, by index and type, and
   * the message of what was thrown
   */
  run(stage: ActionContext, options: Options): Promise<void>
}
