import type { FetchedPage } from '../fetch/fetched-page.js'
import type { PageRequest } from '../fetch/fetcher.js'
import { readContentType } from '../http/header-values.js'
import type { Checked } from '../options/fields/checked-request.js'
import { parseUrlField } from '../options/fields/url-field.js'
import type { ParseInput } from '../options/parse-input.js'

/** Plans the request for a checked URL. */
export function planRequest(url: string): PageRequest {
  const parsed = parseUrlField(url)
  // The check has refused invalid URLs, so this is a defect.
  if ('problem' in parsed) throw new TypeError(parsed.problem)
  return parsed
}

/** Converts bytes or HTML that the caller has to a page as if it had been fetched. */
export function planInput({ body, url, contentType: header }: Checked<ParseInput>, nowMs: number): FetchedPage {
  const contentType = header === undefined ? undefined : readContentType(header)
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

/** Sets the charset of a media type, `text/html` if there is none, to UTF-8, in which a string is encoded here. */
const toUtf8Type = (contentType = 'text/html'): string =>
  `${contentType.split(';', 1)[0] ?? 'text/html'}; charset=utf-8`
