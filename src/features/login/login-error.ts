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
