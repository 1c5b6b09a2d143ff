import { ActionError, messageOf } from '../../errors.js'
import type { Action } from '../action-options.js'
import type { ActionKind, RawActionResults } from '../action.js'
import * as kinds from '../actions/index.js'
import type { BrowserPageContext } from '../browser-page.js'
import { openDeadline } from '../../concurrency/deadline.js'
import type { ScreenshotImage } from '../screenshot-options.js'
import { takeScreenshot } from '../browser-page/take-screenshot.js'
import { untilAborted } from '../../concurrency/until-aborted.js'

const byType = new Map<string, ActionKind>(Object.values(kinds).map((kind) => [kind.type, kind as ActionKind]))

/** JPEG quality of the screenshot of a failure: small, as one may be kept for every page of a job. */
const FAILURE_QUALITY = 50
/** Limit for that screenshot. Milliseconds. */
const FAILURE_PICTURE_MS = 3_000

/**
 * Runs actions in their order, and waits for the effects of each.
 *
 * @param maxBytes limit for the results of all actions of one page
 * @throws ActionError with the action that failed, the page's URL and a screenshot; the signal's reason
 */
export async function runActions(
  actions: readonly Action[],
  context: BrowserPageContext,
  maxBytes: number,
): Promise<RawActionResults> {
  const results: RawActionResults = { screenshots: [], scrapes: [], javascriptReturns: [], pdfs: [] }
  let brought = 0
  for (const [index, action] of actions.entries()) {
    const { screenshots, scrapes, javascriptReturns, pdfs } = results
    const before = [screenshots, scrapes, javascriptReturns, pdfs].map((list) => list.length)
    try {
      await untilAborted(doAction(action), context.signal)
      brought += countBytes(results, before)
      if (brought > maxBytes) {
        throw new Error(`the actions brought more than \`limits.bodyBytes\` (${maxBytes} bytes)`)
      }
    } catch (error) {
      context.signal.throwIfAborted()
      const message = error instanceof Error ? readMessage(error) : messageOf(error)
      const picture = await takeFailure(context)
      context.signal.throwIfAborted()
      throw new ActionError(`\`actions[${index}]\` (${action.type}) failed: ${message}`, {
        cause: error,
        url: context.page.url(),
        index,
        ...(picture ? { picture } : {}),
      })
    }
  }
  return results

  async function doAction(action: Action): Promise<void> {
    await byType.get(action.type)?.run({ ...context, results }, action)
    await context.settle()
  }
}

/** Returns the first line of an error of Playwright, without the name of the method. */
const readMessage = ({ message }: Error): string => (message.split('\n')[0] ?? '').replace(/^[a-zA-Z]+\.\w+: /, '')

/** Takes a screenshot of the page on which an action failed; undefined if that fails too. */
async function takeFailure(context: BrowserPageContext): Promise<ScreenshotImage | undefined> {
  using deadline = openDeadline(context.page.url(), FAILURE_PICTURE_MS, context.signal)
  const picture = takeScreenshot(context, { quality: FAILURE_QUALITY })
  return await untilAborted(picture, deadline.signal).catch(() => undefined)
}

/** Counts the bytes of results added since the lists had these lengths. */
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
