import { TrawlError } from '../../base/errors.js'

/** Creates the errors of files that cannot be read. The parser adds the URL. */

/** The file is damaged, truncated, or of another kind than declared. */
export const brokenFile = (what: string, cause?: unknown): TrawlError =>
  new TrawlError('SCRAPE_FILE_BROKEN', `The file cannot be read: ${what}.`, cause === undefined ? {} : { cause })

/** The file needs a password or a licence. */
export const protectedFile = (what: string): TrawlError =>
  new TrawlError('SCRAPE_FILE_ENCRYPTED', `The file cannot be read without a key: ${what}.`)

/** The file unpacks to more than the limits allow. */
export const oversizedFile = (what: string): TrawlError =>
  new TrawlError('SCRAPE_FILE_TOO_COMPLEX', `The file is not read: ${what}.`)
