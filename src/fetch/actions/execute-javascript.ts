import type { ActionKind } from '../action.js'
import type { ExecuteJavascriptAction } from '../action-options.js'
import { isNavigation } from '../browser-page/browser-errors.js'
import { pageFunction, type JavascriptOutcome } from '../../injected/page-functions.js'
import { parseJson } from '../../text/parse-json.js'

/** Maximum length of a result as JSON. Characters. */
const MAX_LENGTH = 10_000_000

/**
 * Runs a script on the page. The result is the value of its last expression, or its return value: awaited if it is a
 * promise, and returned as JSON. A value that JSON cannot represent is returned as text.
 *
 * @see docs/compatibility.md#actions
 */
export const executeJavascript: ActionKind<ExecuteJavascriptAction> = {
  type: 'executeJavascript',
  async run({ page, results }, { script }) {
    const outcome = await page
      .evaluate(pageFunction('runJavascript'), { script, maxLength: MAX_LENGTH })
      .catch((error: unknown): JavascriptOutcome => {
        // A script that navigates ends with its document and returns nothing.
        if (isNavigation(error)) return { json: 'null' }
        throw error
      })
    if ('length' in outcome) {
      throw new Error(
        `the result of the script has ${outcome.length} characters as JSON; at most ${MAX_LENGTH} are returned`,
      )
    }
    results.javascriptReturns.push(toTypedValue(parseJson(outcome.json)))
  },
}

/**
 * Wraps a result with its type. A result that already is `{ type, value }`, as an object or as JSON text, is returned
 * as it is.
 */
function toTypedValue(value: unknown): { type: string; value: unknown } {
  const read = typeof value === 'string' ? readJson(value) : value
  return isTyped(read) ? { type: read.type, value: read.value } : { type: 'unknown', value }
}

function readJson(text: string): unknown {
  if (!text.startsWith('{')) return undefined
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

const isTyped = (value: unknown): value is { type: string; value: unknown } =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'value' in value
