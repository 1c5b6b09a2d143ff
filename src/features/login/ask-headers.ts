import { isObject } from '../../base/collections/is-object.js'
import { untilAborted } from '../../base/concurrency/until-aborted.js'
import { TrawlError } from '../../base/errors.js'
import { HEADER_NAME, HEADER_VALUE } from '../../kernel/options/fields/headers.js'
import { loginError, passingRow } from './login-error.js'
import type { LoginOptions } from './login-options.js'
import type { LoginSecrets } from './secrets.js'

/** Asks the `function` of a login for its headers. @throws TrawlError `LOGIN_REQUIRED`, without what it quotes; the signal's reason */
export async function askHeaders(
  call: NonNullable<LoginOptions['function']>,
  secrets: LoginSecrets,
  { url, signal }: { readonly url: string; readonly signal: AbortSignal },
): Promise<Readonly<Record<string, string>>> {
  let headers: unknown
  try {
    const asked = Promise.resolve(call({ secret: (name) => secrets.read(name), signal }))
    ;({ headers } = Object(await untilAborted(asked, signal)))
  } catch (error) {
    signal.throwIfAborted()
    // Its message may quote what it sends.
    throw error instanceof TrawlError
      ? error
      : new TrawlError('LOGIN_REQUIRED', 'its `function` failed', { row: passingRow })
  }
  if (!areHeaders(headers))
    throw loginError('its `function` must return `{ headers }` with texts that a header may have', url)
  for (const value of Object.values(headers)) secrets.note(value)
  return { ...headers }
}

/** Tests for headers that can be sent. */
const areHeaders = (headers: unknown): headers is Record<string, string> =>
  isObject(headers) &&
  Object.entries(headers).every(
    ([name, value]) => HEADER_NAME.test(name) && typeof value === 'string' && HEADER_VALUE.test(value),
  )
