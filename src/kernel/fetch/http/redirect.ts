import { TrawlError } from '../../../base/errors.js'
import { findRefresh, readRefresh } from '../../../content/html/refresh.js'
import { isHtmlType } from '../../../base/http/header-values.js'
import { isSuccessStatus } from '../../../base/http/statuses.js'
import { isWebUrl, MAX_URL_CHARACTERS, resolveUrl, withoutCredentials, withoutFragment } from '../../../base/url.js'
import type { HttpResponse } from '../../../base/http/transport.js'

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/**
 * The target of a redirect; undefined when the response is the page itself.
 *
 * A response with an absent or empty `Location` is the page. The fragment of the requested URL is kept if the target
 * has none. Credentials in a `Location` are dropped, because they are not the caller's.
 *
 * @throws TrawlError `SCRAPE_REDIRECT_ERROR` when the target is not an http or https URL, or is too long
 * @see RFC 9110 section 10.2.2
 */
export function findRedirect(url: URL, statusCode: number, location: string | undefined): URL | undefined {
  if (!redirectStatuses.has(statusCode) || !location?.trim()) return undefined
  assertUrlLength(url, location.length)
  const target = resolveUrl(readUtf8(location), url.href)
  if (!target || !isWebUrl(target)) {
    const where = target ? `a ${target.protocol} address` : 'an invalid URL'
    throw new TrawlError('SCRAPE_REDIRECT_ERROR', `\`${url.host}\` redirects to ${where}, not to a web page`)
  }
  if (target.hash === '') target.hash = url.hash
  // Percent-encoding non-ASCII characters makes the URL longer.
  assertUrlLength(url, target.href.length)
  return withoutCredentials(target)
}

/** Length of the start of a page in which a refresh is looked for. Bytes. */
const MAX_START = 8_192
/** Delay above which a refresh is no redirect, because the page is to be read before. Seconds. */
const MAX_REFRESH_DELAY = 1

/**
 * The target of a page that says itself that it has moved, by `<meta http-equiv="refresh">` or a `Refresh` header: browsers load
 * that one in its place. The URL of the page for one that loads itself again. Undefined when the response is the page itself, and
 * for a target that is no web page.
 */
export function findRefreshTarget(url: URL, { statusCode, headers }: HttpResponse, body: Uint8Array): URL | undefined {
  if (!isSuccessStatus(statusCode) || !isHtmlType(headers['content-type'])) return undefined
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, MAX_START)).toString('latin1')
  const stated = headers['refresh']
  const refresh =
    (stated === undefined ? undefined : readRefresh(stated)) ??
    (/\brefresh\b/i.test(start) ? findRefresh(start) : undefined)
  if (refresh === undefined || refresh.delay > MAX_REFRESH_DELAY || refresh.url.length > MAX_URL_CHARACTERS)
    return undefined
  const base = refresh.base === undefined ? undefined : resolveUrl(readUtf8(refresh.base), url.href)
  const target = refresh.url === '' ? url : resolveUrl(readUtf8(refresh.url), (base ?? url).href)
  if (!target || !isWebUrl(target) || target.href.length > MAX_URL_CHARACTERS) return undefined
  return withoutFragment(target).href === withoutFragment(url).href ? url : withoutCredentials(target)
}

function assertUrlLength(url: URL, characters: number): void {
  if (characters <= MAX_URL_CHARACTERS) return
  const message = `\`${url.host}\` redirects to a URL of ${characters} characters; at most ${MAX_URL_CHARACTERS} are requested`
  throw new TrawlError('SCRAPE_REDIRECT_ERROR', message)
}

/** Decodes a header. Node reads each byte as a character; servers that send non-ASCII characters mean UTF-8. */
export function readUtf8(header: string): string {
  const bytes = Buffer.from(header, 'latin1')
  const text = bytes.toString()
  return text.includes('\uFFFD') ? header : text
}

/** The error of a page that is no HTML, for a request that wants nothing else. */
export const otherType = (url: string): TrawlError =>
  new TrawlError('SCRAPE_UNSUPPORTED_FILE_ERROR', 'HTML was asked for, and the answer is of another type', { url })
