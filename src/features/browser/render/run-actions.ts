import { ActionError, messageOf } from '../../../base/errors.js'
import type { Variables } from '../../../base/runtime/ask-secret.js'
import { type Action, asksSecret } from '../../../kernel/fetch/action-options.js'
import type { RawActionResults } from '../../../kernel/fetch/action.js'
import type { ActionKind } from '../action-kind.js'
import * as kinds from '../actions/index.js'
import type { BrowserPageContext } from '../browser-page.js'
import { isNavigation, withoutMethod } from '../page/browser-errors.js'
import { hideSecrets } from '../../../content/html/hide-secrets.js'
import { cutText } from '../../../base/text/cut-text.js'
import { openDeadline } from '../../../base/concurrency/deadline.js'
import type { PageClock } from '../../../base/concurrency/pausable-clock.js'
import type { ScreenshotImage } from '../../../kernel/fetch/screenshot-options.js'
import { untilAborted } from '../../../base/concurrency/until-aborted.js'

const byType = new Map<string, ActionKind>(Object.values(kinds).map((kind) => [kind.type, kind as ActionKind]))

/** JPEG quality of the screenshot of a failure. Low, because every page of a job may have one. */
const FAILURE_QUALITY = 50
/** Maximum length of the reason of a failure: a script may throw a text of any length. Characters. */
const MAX_MESSAGE = 1_000
/** Characters of it that are looked at for secrets, before it is cut. */
const MAX_READ = 100_000
/** Timeout for that screenshot. Milliseconds. */
const FAILURE_SCREENSHOT_MS = 3_000

/**
 * Runs actions in their order, and waits for the effects of each.
 *
 * @param limits.maxBytes limit for the results of all actions of one page
 * @param clock names the action that is running, for the message of the page's deadline
 * @throws ActionError with the action that failed, the page's URL and a screenshot; the signal's reason
 */
export async function runActions(
  actions: readonly Action[],
  context: BrowserPageContext,
  {
    maxBytes,
    typed = new Set(),
    ...about
  }: { readonly maxBytes: number; readonly env?: Variables; readonly askedUrl: URL; readonly typed?: Set<string> },
  clock: PageClock,
): Promise<RawActionResults> {
  const results: RawActionResults = { screenshots: [], scrapes: [], javascriptReturns: [], pdfs: [] }
  let resultBytes = 0
  for (const [index, action] of actions.entries()) {
    const { screenshots, scrapes, javascriptReturns, pdfs } = results
    const before = [screenshots, scrapes, javascriptReturns, pdfs].map((list) => list.length)
    const name = `\`actions[${index}]\` (${action.type})`
    try {
      clock.activity = name
      await untilAborted(runAction(action), context.signal)
      resultBytes += countBytes(results, before)
      if (resultBytes > maxBytes) {
        throw new Error(`the results of the actions are larger than \`limits.bodyBytes\` (${maxBytes} bytes)`)
      }
    } catch (error) {
      context.signal.throwIfAborted()
      const hide = (text: string): string => hideSecrets(text, typed)
      const message = cutText(hide(error instanceof Error ? readMessage(error) : messageOf(error)), MAX_MESSAGE)
      // A field shows what was filled in.
      const picture = actions.slice(0, index + 1).some(asksSecret) ? undefined : await takeFailureScreenshot(context)
      context.signal.throwIfAborted()
      throw new ActionError(`${name} failed: ${message}`, {
        // It may have what was filled in.
        cause: typed.size > 0 ? undefined : error,
        url: hide(context.page.url()),
        index,
        picture,
      })
    } finally {
      // Not before the screenshot: Playwright's own timeout for an action may end shortly before the page's time is up.
      clock.activity = undefined
    }
  }
  return results

  async function runAction(action: Action): Promise<void> {
    await byType.get(action.type)?.run({ env: undefined, ...context, ...about, typed, results }, action)
    await context.settle()
  }
}

/** Returns the first line of Playwright's error message, without the name of its method. */
function readMessage(error: Error): string {
  if (isNavigation(error)) return 'the page went to another document meanwhile'
  const [line = ''] = cutText(error.message, MAX_READ).split('\n', 1)
  return withoutMethod(line)
}

/** Takes a screenshot of the page on which an action failed; undefined if that fails too. */
async function takeFailureScreenshot(context: BrowserPageContext): Promise<ScreenshotImage | undefined> {
  using deadline = openDeadline(context.page.url(), FAILURE_SCREENSHOT_MS, context.signal)
  const picture = context.takeScreenshot({ quality: FAILURE_QUALITY })
  return await untilAborted(picture, deadline.signal).catch(() => undefined)
}

/** Returns the size of the results that were added to the lists since they had the given lengths. Bytes. */
const countBytes = (
  { screenshots, scrapes, javascriptReturns, pdfs }: RawActionResults,
  [shot = 0, scraped = 0, returned = 0, printed = 0]: readonly number[],
): number =>
  [
    ...screenshots.slice(shot).map(({ bytes }) => bytes.byteLength),
    ...scrapes.slice(scraped).map(({ html }) => html.length),
    ...javascriptReturns.slice(returned).map(({ value }) => JSON.stringify(value).length),
    ...pdfs.slice(printed).map((bytes) => bytes.byteLength),
  ].reduce((sum, bytes) => sum + bytes, 0)
