import type { Action } from '../../kernel/fetch/action-options.js'
import { type FilledValue, fillLoginSource } from './injected/page-functions.js'

/** Forms of a login: name, password, code. */
const STEPS = 3
/** Time for what follows a form. Milliseconds. */
const STEP_MS = 800

/**
 * Makes the actions that log in on the page of a form. They hold secrets: their plan is for one page, and no message shows it.
 *
 * @param protocol of the login: what is for `https:` is not filled in elsewhere
 */
export const makeLoginActions = (values: readonly FilledValue[], protocol: string): Action[] => {
  const script = `(${fillLoginSource})(${JSON.stringify(values)}, ${JSON.stringify(protocol)})`
  return Array.from({ length: STEPS }, (): Action[] => [
    { type: 'executeJavascript', script },
    { type: 'wait', milliseconds: STEP_MS },
  ]).flat()
}
