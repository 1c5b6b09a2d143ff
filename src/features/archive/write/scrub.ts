import { parseUrl } from '../../../base/url.js'

/**
 * Headers of requests that say nothing of who asks. All others may, whatever their names: an API chooses its own. Those of browsers that
 * begin with `sec-ch-` and `sec-fetch-` are set by browsers alone; `sec-websocket-protocol` often has a token.
 */
const SAFE_HEADERS =
  /^(?:accept(?:-charset|-encoding|-language|-datetime)?|cache-control|connection|content-length|content-type|dnt|host|if-(?:modified-since|none-match|range)|keep-alive|origin|pragma|priority|proxy-connection|purpose|range|sec-(?:ch-[\w-]{1,60}|fetch-[\w-]{1,60}|gpc|purpose|websocket-(?:extensions|version))|signature(?:-agent|-input)?|te|upgrade-insecure-requests|user-agent|x-requested-with)$/i

/** Names of headers of responses that hold credentials of the caller, besides `Set-Cookie`. */
const SECRET_ANSWERS = /api[-_]?key|auth(?!or$)|credential|jwt|passw|secret|session|set-cookie2|token|csrf|xsrf/i
/** Those that say nothing of the caller. */
const OPEN_ANSWERS = /^(?:access-control-|(?:www|proxy)-authenticate$)/i

/** Headers of responses that are a URL, and its user name: all up to the last `@` of the authority, as a fetcher reads it. */
const IS_URL = /^(?:content-)?location$/
const USER_NAME = /^\s*((?:[a-z][a-z\d+.-]*:)?[/\\]{2,})[^/\\?#]*@/i
/** Headers of responses with URLs among other text, and the user names of those. */
const WITH_URLS = /^(?:link|refresh)$/
const USER_NAMES = /(^|[<;,=\s]['"]?)((?:https?:)?\/\/)[^/?#\s<>"]*@/gi
/** Parts behind `#`, which may hold a token, as a login gives it to the scripts of a page. */
const FRAGMENT = /#.*$/s
const FRAGMENTS = /#[^\s<>"]+/g

/** Text that stands for what was left out. */
const SCRUBBED = 'scrubbed'

/** Rule by which credentials are left out, for the record about the archive. */
export const SCRUB_RULE =
  'request headers other than those that every browser sends, values of cookies, response headers with tokens, and fields of forms are ' +
  'written as "scrubbed"; a Referer is cut to its origin; a response to a request other than GET and HEAD has no body, a URL no user name, and in a header no token behind #'

/** Leaves out what a request header says of who asks. */
export function scrubRequestHeader(name: string, value: string): string {
  // The page that led here may have a token in its URL, and need not be one of the crawl: the caller may have named it.
  if (/^referer$/i.test(name)) return parseUrl(value)?.origin ?? SCRUBBED
  return SAFE_HEADERS.test(name) ? value : SCRUBBED
}

/** Leaves out what a response header gives to who asks: of a cookie its value, and not its name. */
export function scrubResponseHeader(name: string, value: string): string {
  const lower = name.toLowerCase()
  if (lower === 'set-cookie') return value.replace(/^([^=;]*)=?[^;]*/, `$1=${SCRUBBED}`)
  if (IS_URL.test(lower)) return value.replace(USER_NAME, '$1').replace(FRAGMENT, scrubFragment)
  if (WITH_URLS.test(lower)) return value.replaceAll(USER_NAMES, '$1$2').replaceAll(FRAGMENTS, scrubFragment)
  return SECRET_ANSWERS.test(lower) && !OPEN_ANSWERS.test(lower) ? SCRUBBED : value
}

const scrubFragment = (part: string): string =>
  part.includes('=') && SECRET_ANSWERS.test(part) ? `#${SCRUBBED}` : part

/** Leaves out the values of a form. */
export const scrubForm = (form: string): string =>
  [...new URLSearchParams(form).keys()].map((name) => `${encodeURIComponent(name)}=${SCRUBBED}`).join('&')
