import { TrawlError } from '../errors.js'

/** Why a file of an office program is not read. The parser adds the URL. */

/** It is damaged, cut short, or not what it says it is. */
export const brokenFile = (what: string, cause?: unknown): TrawlError =>
  new TrawlError('SCRAPE_FILE_BROKEN', `The file cannot be read: ${what}.`, cause === undefined ? {} : { cause })

/** It asks for a password or a licence. */
export const protectedFile = (what: string): TrawlError =>
  new TrawlError('SCRAPE_FILE_ENCRYPTED', `The file cannot be read without a key: ${what}.`)

/** It unpacks to more than is read. */
export const oversizedFile = (what: string): TrawlError =>
  new TrawlError('SCRAPE_FILE_TOO_COMPLEX', `The file is not read: ${what}.`)
