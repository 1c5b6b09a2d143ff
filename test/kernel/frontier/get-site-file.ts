import { TrawlError } from '../../../src/base/errors.js'
import type { GetSiteFile } from '../../../src/base/http/site-file.js'

/** A `get` based on `fetch`, which follows 20 redirects; errors are classified as by the fetcher. */
export const getSiteFile: GetSiteFile = async (url, signal) => {
  try {
    const answer = await fetch(url, { signal })
    const contentType = answer.headers.get('content-type')
    return {
      url: answer.url,
      statusCode: answer.status,
      error: answer.statusText,
      ...(contentType === null ? {} : { contentType }),
      body: new Uint8Array(await answer.arrayBuffer()),
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    const cause = error instanceof Error ? String(error.cause) : String(error)
    const code = cause.includes('redirect') ? 'SCRAPE_TOO_MANY_REDIRECTS' : 'SCRAPE_SITE_ERROR'
    throw new TrawlError(code, cause, { url, cause: error })
  }
}
