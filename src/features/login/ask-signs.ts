import { TrawlError } from '../../base/errors.js'
import type { EngineInternals } from '../../kernel/engine/feature.js'
import type { FetchedPage } from '../../kernel/fetch/fetched-page.js'
import { addressOf } from './address-of.js'
import { passingRow } from './login-error.js'
import { type LoginSigns, readLoginSigns } from './read-login-signs.js'

/**
 * Reads what a page shows of a login, a large one in a thread. @throws TrawlError `LOGIN_REQUIRED` if that takes too long: a page of
 * which nothing is known may be the login page; the signal's reason
 */
export async function askSigns(
  { pageTask }: Pick<EngineInternals, 'pageTask'>,
  page: FetchedPage,
  signal: AbortSignal,
): Promise<LoginSigns> {
  const signs = await pageTask('login/signs', page, readLoginSigns, signal)
  if (signs) return signs
  const message = 'it takes too long to tell whether the page is the login page'
  throw new TrawlError('LOGIN_REQUIRED', message, { url: addressOf(page.url), row: passingRow })
}
