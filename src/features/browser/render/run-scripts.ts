import { untilAborted } from '../../../base/concurrency/until-aborted.js'
import type { PageClock } from '../../../base/concurrency/pausable-clock.js'
import { messageOf, TrawlError } from '../../../base/errors.js'
import { shortenText } from '../../../base/text/cut-text.js'
import { runScript } from '../actions/execute-javascript.js'
import { isNavigation } from '../page/browser-errors.js'
import type { BrowserPageContext } from '../browser-page.js'
import type { FeatureScript } from '../../../kernel/fetch/browser-plan.js'

const STOPPED = 'its script did not end, and was stopped'

/** Maximum length of the reason of a failure: a script may throw a text of any length. Characters. */
const MAX_MESSAGE = 1_000

/**
 * Runs the scripts of features in their order, as scripts of the page, and waits for the effects of each.
 *
 * @param clock names the feature whose script is running, for the message of the page's deadline
 * @returns warnings
 * @throws TrawlError `FEATURE_FAILED`; the signal's reason
 */
export async function runScripts(
  scripts: readonly FeatureScript[],
  context: BrowserPageContext,
  clock: PageClock,
): Promise<readonly string[]> {
  const warnings: string[] = []
  for (const { feature, source, isOptional } of scripts) {
    const name = `feature \`${feature}\``
    clock.activity = name
    try {
      await untilAborted(run(source, context), context.signal)
    } catch (error) {
      const { aborted, reason } = context.signal
      // The time of the page is up, its job has ended, or the page goes on as far as it was there.
      if (aborted && (isOptional || reason instanceof TrawlError)) throw reason
      const message = `${name} failed: ${aborted ? STOPPED : shortenText(messageOf(error), MAX_MESSAGE)}`
      if (!isOptional) throw new TrawlError('FEATURE_FAILED', message, { url: context.page.url(), cause: error })
      warnings.push(message)
    } finally {
      clock.activity = undefined
    }
  }
  return warnings
}

async function run(source: string, context: BrowserPageContext): Promise<void> {
  // A script that is a function is called, and awaited. Its value concerns nobody.
  await runScript(context.pageWorld, `(${source})`).catch((error: unknown) => {
    // A script that leads to another document ends with its own.
    if (!isNavigation(error)) throw error
  })
  await context.settle()
}
