import type { FetchedPage } from '../fetch/fetched-page.js'
import type { PageRequest } from '../fetch/fetcher.js'
import type { Checked } from '../options/checked-request.js'
import { parseUrlField } from '../options/fields/url-field.js'
import type { ParseInput } from '../options/parse-input.js'

/** Plans the request for a checked URL. */
export function planRequest(url: string): PageRequest {
  const read = parseUrlField(url)
  // The check refuses such a URL: coming here with one is a defect.
  if ('problem' in read) throw new TypeError(read.problem)
  return read
}

/** Wraps bytes or HTML that the caller has, as if they had been fetched. */
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

/** Replaces the charset of a media type: a string is decoded already, and encoded as UTF-8 here. */
const toUtf8Type = (contentType = 'text/html'): string =>
  `${contentType.split(';', 1)[0] ?? 'text/html'}; charset=utf-8`
