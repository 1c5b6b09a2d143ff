import type { Variables } from '../../base/runtime/ask-secret.js'
import type { RawActionResults } from '../../kernel/fetch/action.js'
import type { Action } from '../../kernel/fetch/action-options.js'
import type { BrowserPageContext } from './browser-page.js'

/** The context of an action. @internal */
export interface ActionContext extends BrowserPageContext {
  /** The results so far, to which an action adds. */
  readonly results: RawActionResults
  /** The URL that was asked for. */
  readonly askedUrl: URL
  /** Variables of the host that secrets name. */
  readonly env: Variables | undefined
  /** Secrets that were filled in so far, which no result may have. */
  readonly typed: Set<string>
}

/**
 * Implements a kind of action. Plug-ins in `actions/`, one file for each `type`.
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
