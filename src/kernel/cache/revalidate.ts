import type { FetchedPage } from '../fetch/fetched-page.js'
import type { Validators } from '../fetch/fetcher.js'
import { withoutFragment } from '../../base/url.js'

/**
 * Returns the validators of a stored page for a conditional request; undefined when the site sent none, or when a
 * browser rendered the page, because validators do not cover what its scripts produced.
 *
 * @see RFC 9110 section 8.8, RFC 9111 section 4.3.1
 */
export function validatorsOf({ url, headers, browserWaitMs }: FetchedPage): Validators | undefined {
  if (browserWaitMs !== undefined) return undefined
  const tag = headers['etag']?.trim() ?? ''
  const etag = ENTITY_TAG.test(tag) ? tag : undefined
  const date = headers['last-modified']
  const lastModified = date !== undefined && !Number.isNaN(Date.parse(date)) ? date.trim() : undefined
  if (etag === undefined && lastModified === undefined) return undefined
  return {
    url: withoutFragment(new URL(url)).href,
    etag,
    lastModified,
  }
}

/**
 * Matches a header value that is a single entity tag. Many servers leave out the quotes; such a tag is sent back as it came, as
 * browsers do. Repeated headers are joined by a comma, and the result is not a valid tag.
 * @see RFC 9110 section 8.8.3
 */
const ENTITY_TAG = /^(?:(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"|[\x21\x23-\x2b\x2d-\x7e\x80-\xff]+)$/

/** Headers of a 304 that do not update the stored page. @see RFC 9111 sections 3.1 and 3.2 */
const NOT_UPDATED: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-range',
  'content-type',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/**
 * Updates a stored page by a 304 response: its body stays, the headers are merged. Undefined when the 304 is about
 * another page.
 *
 * A 304 without a validator counts as being about this page, because the conditional request named only its validators.
 *
 * @see RFC 9111 sections 4.3.3, 4.3.4 and 3.2
 */
export function freshen(stored: FetchedPage, answer: FetchedPage): FetchedPage | undefined {
  const asked = withoutFragment(new URL(stored.url)).href
  if (withoutFragment(new URL(answer.url)).href !== asked || !isSamePage(stored.headers, answer.headers))
    return undefined
  const updates = Object.entries(answer.headers).filter(([name]) => !NOT_UPDATED.has(name))
  const { redirects, leftPages, fetcher, fetchedAtMs, warnings, proxy, blocks } = answer
  return {
    ...stored,
    redirects,
    leftPages,
    fetcher,
    fetchedAtMs,
    headers: { ...stored.headers, ...Object.fromEntries(updates) },
    fetcherReason: 'the site said that the page has not changed since it was last fetched',
    warnings,
    proxy,
    blocks,
  }
}

type Headers = FetchedPage['headers']

/** Compares validators weakly, as for GET. @see RFC 9110 sections 8.8.3.2 and 13.1.2 */
function isSamePage(stored: Headers, answer: Headers): boolean {
  const [before, after] = [stored['etag'], answer['etag']].map((tag) => tag?.trim().replace(/^W\/|"/g, ''))
  if (after !== undefined) return after === before
  const modified = answer['last-modified']
  return (
    modified === undefined || before !== undefined || Date.parse(modified) === Date.parse(stored['last-modified'] ?? '')
  )
}
