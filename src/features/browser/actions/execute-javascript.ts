import { randomUUID } from 'node:crypto'
import type { ActionKind } from '../action-kind.js'
import type { ExecuteJavascriptAction } from '../../../kernel/fetch/action-options.js'
import type { PageWorld } from '../browser-page.js'
import { isNavigation } from '../page/browser-errors.js'
import { pageFunction } from '../injected/page-functions.js'
import { isObject } from '../../../base/collections/is-object.js'
import { parseJson } from '../../../base/text/parse-json.js'

/** Maximum length of a result as JSON. Characters. */
const MAX_LENGTH = 10_000_000

/**
 * Runs a script on the page. The result is the value of its last expression, or its return value: awaited if it is a
 * promise, and returned as JSON. A value that JSON cannot represent is returned as text. A script that is nothing but a
 * function is called.
 *
 * @see docs/compatibility/requests.md#actions
 */
export const executeJavascript: ActionKind<ExecuteJavascriptAction> = {
  type: 'executeJavascript',
  async run({ pageWorld, results }, { script }) {
    const outcome = await runScript(pageWorld, script).catch((error: unknown) => {
      // A script that navigates ends with its document and returns nothing.
      if (isNavigation(error)) return { json: 'null' }
      throw error
    })
    results.javascriptReturns.push(toTypedValue(readOutcome(outcome)))
  },
}

/** Runs a script as it is; with `await` outside of functions as a console does; with `return` as the body of a function. */
export async function runScript(pageWorld: PageWorld, script: string): Promise<unknown> {
  const question = { script, maxLength: MAX_LENGTH, name: `_${randomUUID().replaceAll('-', '')}` }
  const outcome = await pageWorld.call(pageFunction('runJavascript'), question)
  if (!isObject(outcome) || outcome['isNone'] !== true) return outcome
  for (const text of script.trimStart().startsWith('{') ? [`(${script}\n)`, script] : [script]) {
    const found = await pageWorld.evaluate(text, pageFunction('printValue'), MAX_LENGTH)
    if (found) return found.answer
  }
  return await pageWorld.call(pageFunction('runAsBody'), question)
}

/**
 * Returns the value that a script returned. The page may have replaced what makes JSON of it.
 *
 * @throws Error for a value that is too long, and for an answer without one
 */
function readOutcome(outcome: unknown): unknown {
  const { json, length } = isObject(outcome) ? outcome : {}
  if (typeof json === 'string' && json.length <= MAX_LENGTH) return parseJson(json)
  const characters = typeof json === 'string' ? json.length : length
  if (typeof characters !== 'number') throw new Error('the page returned no result of the script')
  throw new Error(`the result of the script has ${characters} characters as JSON; at most ${MAX_LENGTH} are returned`)
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
