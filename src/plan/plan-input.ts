import type { FetchedPage } from '../fetch/fetched-page.js'
import type { ParseInput } from '../options/parse-input.js'
import { planRequest } from './plan-request.js'
import type { Checked } from '../options/fields/take-text.js'

/** What the caller has already, as if it had been fetched. */
export function planInput({ body, url, contentType }: Checked<ParseInput>, nowMs: number): FetchedPage {
  const type = typeof body === 'string' ? toUtf8Type(contentType) : contentType
  return {
    url: planRequest(url).url,
    redirects: [],
    statusCode: 200,
    headers: {},
    ...(type === undefined ? {} : { contentType: type }),
    body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
    fetcher: 'input',
    fetchedAtMs: nowMs,
  }
}

/** A string is decoded already: whatever charset it once had, its bytes are UTF-8 from here on. */
const toUtf8Type = (contentType = 'text/html'): string =>
  `${contentType.split(';', 1)[0] ?? 'text/html'}; charset=utf-8`
