import { createHash } from 'node:crypto'
import { isTracking } from '../../../base/tracking.js'
import { isRouteFragment, MAX_URL_CHARACTERS } from '../../../base/url.js'

/** Characters to keep of a URL that is too long to follow. */
const KEPT_CHARACTERS = 200

/**
 * Shortens a URL that is too long to follow to its start and a hash of the whole, so that it has a key of its own and
 * takes no more memory than any other. Returns any other URL unchanged.
 */
export function cutLongUrl(href: string): string {
  if (href.length <= MAX_URL_CHARACTERS) return href
  const digest = createHash('sha256').update(href).digest('hex').slice(0, 16)
  return `${href.slice(0, KEPT_CHARACTERS)}…${digest}`
}

/**
 * Returns the key of the page behind a URL: two URLs with one key are the same page. The key is only compared; the
 * first spelling seen is fetched.
 *
 * @param options.ignoreQueryParameters ignores the query
 * @param options.deduplicateSimilarURLs ignores `www.`, http or https, a trailing slash, `index.html|php`, and what
 * {@link samePageParts} leaves out
 *
 * @returns for a URL that is too long to follow, {@link cutLongUrl}
 * @see docs/compatibility/crawls.md#same-page
 */
export function pageKey(
  url: URL,
  options: { readonly ignoreQueryParameters: boolean; readonly deduplicateSimilarURLs: boolean },
): string {
  if (url.href.length > MAX_URL_CHARACTERS) return cutLongUrl(url.href)
  const hash = isRouteFragment(url.hash) ? url.hash : ''
  const user = url.username === '' ? '' : `${url.username}:${url.password}@`
  if (!options.deduplicateSimilarURLs) {
    const query = options.ignoreQueryParameters ? '' : url.search
    return `${url.protocol}//${user}${url.host}${url.pathname}${query}${hash}`
  }
  const { hostname, pathname, search } = samePageParts(url)
  const host = (hostname.startsWith('www.') ? hostname.slice(4) : hostname) + (url.port === '' ? '' : `:${url.port}`)
  const path = pathname.replace(/\/index\.(html|php)$/, '/').replace(/\/$/, '')
  return `${user}${host}${path}${options.ignoreQueryParameters ? '' : search}${hash}`
}

/** The parts of a URL that identify a page. */
interface PageKeyParts {
  readonly hostname: string
  readonly pathname: string
  /** Empty, or with its `?`. */
  readonly search: string
}

/**
 * Normalises the parts of a URL that identify a page: without tracking parameters, session ids, empty parameters and a
 * trailing dot of the host, with canonical percent-encoding. The order of the query counts.
 *
 * A parameter is dropped only if no site would select content by it. `ref`, `id`, `source`, `cid`, `si`, `spm` stay:
 * where they only track, content comparison finds the duplicates, and where they select content, no page is lost.
 *
 * @see docs/compatibility/crawls.md#same-page; RFC 3986 section 6.2.2
 */
export const samePageParts = ({ hostname, pathname, search }: URL): PageKeyParts => ({
  hostname: hostname.endsWith('.') ? hostname.slice(0, -1) : hostname,
  pathname: cleanPath(pathname),
  search: search === '' ? '' : cleanQuery(search),
})

function cleanPath(pathname: string): string {
  const path = normalizeEscapes(pathname)
  return /[;(]/.test(path) ? path.replace(SESSION_IN_PATH, '') : path
}

/**
 * Session ids in a path: Java's `;jsessionid=…` and similar, and ASP.NET's `/(S(lit3py55t21z5v55vlm25s55))/`. The
 * repetitions are bounded, because otherwise a path of nothing but groups takes quadratic time.
 */
const SESSION_IN_PATH =
  /;(?:jsessionid|phpsessid|cfid|cftoken)=[^/;]*|;sid=[\da-f]{32,}(?![^/;])|\/\((?:[A-Z]\([^()/]*\)){0,9}S\([a-z\d]{24}\)(?:[A-Z]\([^()/]*\)){0,9}\)(?=\/)/gi

function cleanQuery(search: string): string {
  const query = normalizeEscapes(search.slice(1))
  // ColdFusion's session id is a pair; `cfid` alone may mean anything.
  const isColdFusion = /(?:^|&)cftoken=/i.test(query)
  const kept = query
    .split('&')
    .filter((parameter) => parameter !== '' && !isNoise(parameter) && !(isColdFusion && /^cfid=\w+$/i.test(parameter)))
  return kept.length === 0 ? '' : `?${kept.join('&')}`
}

/** Returns true if a parameter does not affect the content. */
function isNoise(parameter: string): boolean {
  // Removes `&amp;`, from links that were escaped twice.
  const bare = parameter.replace(/^(?:amp;)+/, '')
  const at = bare.indexOf('=')
  const name = (at === -1 ? bare : bare.slice(0, at)).toLowerCase()
  const value = at === -1 ? '' : bare.slice(at + 1)
  // Some servers also separate parameters by `;`, so this one may contain a parameter that selects content.
  if (bare.includes(';')) return false
  return (
    isTracking(name) ||
    SESSIONS.has(name) ||
    /^aspsessionid[a-z]{8}$/.test(name) ||
    (LIKELY_SESSIONS.has(name) && /^[\da-f]{32,}$/i.test(value))
  )
}

/** Names that platforms use only for sessions. */
const SESSIONS: ReadonlySet<string> = new Set(['jsessionid', 'phpsessid', 'cftoken', 'oscsid', 'zenid', 'xtcsid'])

/** Names that are a session id only if the value looks like a random token of PHP or vBulletin. */
const LIKELY_SESSIONS: ReadonlySet<string> = new Set(['sid', 's', 'sess', 'sessid', 'sessionid', 'session_id'])

/**
 * Normalises percent-encoding: letters, digits and `-._~` decoded, all other escapes in upper case. `%2F` stays, because a
 * decoded slash would end the segment.
 */
const normalizeEscapes = (text: string): string =>
  text.includes('%') ? text.replace(/(?<!%[\da-f]?)%[\da-f]{2}/gi, normalizeEscape) : text

function normalizeEscape(escape: string): string {
  const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16))
  return /[\w.~-]/.test(character) ? character : escape.toUpperCase()
}
