import type { Response } from 'playwright'
import { TrawlError } from '../../../base/errors.js'
import { joinHeader } from '../../../base/http/header-values.js'
import { isWebUrl, withoutCredentials } from '../../../base/url.js'
import { toBrowserError } from '../page/browser-errors.js'
import type { DocumentWatch } from '../page/document-watch.js'
import type { PageProxy } from '../proxy/page-proxy.js'
import { readReason } from '../../../base/http/reason-phrase.js'
import { tooManyRedirects } from '../../../base/http/http-errors.js'
import type { OpenPage } from './open-page.js'

/**
 * Returns the response of the document that is shown. A page may have navigated since it was loaded from `url`.
 *
 * @throws TrawlError `SCRAPE_REDIRECT_ERROR`, `SCRAPE_TOO_MANY_REDIRECTS`; the error of an address that the page went on to
 */
export function findShownResponse(
  { documents, page, proxy }: Pick<OpenPage, 'documents' | 'page' | 'proxy'>,
  url: URL,
  maxRedirects: number,
): Response {
  const answer = documents.answers.at(-1)
  const shown = new URL(page.url())
  if (shown.protocol === 'chrome-error:') throw describeFailure(documents, proxy, url)
  if (!answer || !isWebUrl(shown)) {
    throw new TrawlError(
      'SCRAPE_REDIRECT_ERROR',
      `The page navigated to an address of \`${shown.protocol}\`, which is not on the web`,
      {
        url: url.href,
      },
    )
  }
  if (documents.answers.length - 1 > maxRedirects) {
    const chain = documents.answers.slice(0, maxRedirects + 1).map((hop) => urlOf(hop).href)
    throw tooManyRedirects(`More redirects than \`limits.redirects\` (${maxRedirects})`, chain, url.href)
  }
  return answer
}

/** Describes why the address that a page went on to could not be loaded. */
function describeFailure({ failed }: DocumentWatch, proxy: PageProxy, url: URL): TrawlError {
  const cause = failed && toBrowserError(new Error(failed.error), failed.url, proxy)
  const message = 'The page went on to an address that could not be loaded'
  return new TrawlError(cause?.code ?? 'SCRAPE_SITE_ERROR', cause ? `${message}: ${cause.message}` : message, {
    url: url.href,
    cause,
  })
}

/** Describes the response of the document that is shown, in the fields of the HTTP fetcher. */
export function describeResponse(
  answer: Response,
  headers: Readonly<Record<string, string>>,
  documents: DocumentWatch,
  url: URL,
) {
  const statusCode = answer.status()
  const shown = urlOf(answer)
  if (shown.hash === '') shown.hash = url.hash
  const isSuccess = statusCode >= 200 && statusCode < 300
  // Playwright joins repeated headers with line breaks.
  const joined = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, joinHeader(name, value.split('\n'))] as const),
  )
  const contentType = joined['content-type']
  return {
    url: shown.href,
    redirects: documents.answers.slice(0, -1).map((hop) => ({ url: urlOf(hop).href, statusCode: hop.status() })),
    statusCode,
    error: isSuccess ? undefined : readReason(statusCode, answer.statusText()),
    headers: joined,
    contentType,
  }
}

/** Returns the URL without credentials, which a redirect may contain. */
const urlOf = (answer: Response): URL => withoutCredentials(new URL(answer.url()))
