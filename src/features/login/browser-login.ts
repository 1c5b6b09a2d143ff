import type { Action } from '../../kernel/fetch/action-options.js'
import type { FetchedPage } from '../../kernel/fetch/fetched-page.js'
import { addressOf } from './address-of.js'
import { type FilledValue, fillLoginSource } from './injected/page-functions.js'
import type { LoginOptions } from './login-options.js'
import { describeMisfits } from './misfits.js'
import type { LoginSigns } from './read-login-signs.js'
import { LACKS_CODE, type LoginOutcome } from './submit-login.js'

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

/** Tests for a page of which no field was filled in, in none of the steps, and that has not gone on either. */
export const isUnfilled = ({ flow, url }: LoginOptions, { actions, url: shown }: FetchedPage): boolean =>
  flow === undefined &&
  actions !== undefined &&
  actions.javascriptReturns.every(({ value }) => value === 'none') &&
  addressOf(shown) === addressOf(url)

/** Says why a login in the browser was not let in. */
export function describeBrowserOutcome(
  result: LoginOutcome['result'],
  login: LoginOptions,
  { forms }: LoginSigns,
): string {
  if (result === 'lacks code') return LACKS_CODE
  const misfits = login.flow === undefined ? describeMisfits(login, forms) : ''
  if (result === 'misnamed') return misfits || 'its page shows no field of the login in the browser'
  return `its form came back in the browser${misfits && `, and ${misfits}`}`
}
