import { type ErrorRow, TrawlError } from '../../base/errors.js'

/** Row of `LOGIN_REQUIRED`. */
export const loginRow: ErrorRow = {
  means: 'the site shows its login page in the place of the page, and nothing logs in, or the login is refused',
  retry: false,
  status: 401,
}

/** Row of a failure that may pass. */
export const passingRow: ErrorRow = { ...loginRow, retry: true }

/** Makes the error `LOGIN_REQUIRED`. */
export const loginError = (message: string, url: string): TrawlError =>
  new TrawlError('LOGIN_REQUIRED', message, { url, row: loginRow })

export const EXPOSED = 'its form would send the secrets over plain http, where the login is one of https'

/** Says that a form is for another site. */
export const sayStrayed = (url: string): string =>
  `its form would send the secrets to another site, \`${new URL(url).host}\`: where it may have them, name it in \`headersFor\``

export const OTHER_SECRETS =
  'its profile has a session that was begun with other secrets: log in over HTTP, or give each account a `profile` of its own'
