import { TrawlError } from '../../base/errors.js'
import { shortenText } from '../../base/text/cut-text.js'

/** Maximum length of a URL in the message. Characters. A site chooses the URLs, and a job keeps the message of each page. */
const MAX_SHOWN_URL = 200

/** Creates the error of a page that redirects too often, with its chain of redirects. @param what begins the message */
export function tooManyRedirects(what: string, urls: readonly string[], pageUrl?: string): TrawlError {
  const chain = urls.map((url) => shortenText(url, MAX_SHOWN_URL)).join(' → ')
  return new TrawlError('SCRAPE_TOO_MANY_REDIRECTS', `${what}: ${chain}`, { url: pageUrl })
}
