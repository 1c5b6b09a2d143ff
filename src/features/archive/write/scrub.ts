/**
 * Headers of requests that say nothing of who asks. All others may, whatever their names: an API chooses its own. Those of browsers that
 * begin with `sec-` are set by browsers alone.
 */
const SAFE_HEADERS =
  /^(?:accept(?:-charset|-encoding|-language|-datetime)?|cache-control|connection|content-length|content-type|dnt|host|if-(?:modified-since|none-match|range)|keep-alive|origin|pragma|priority|proxy-connection|purpose|range|referer|sec-[\w-]{1,60}|signature(?:-agent|-input)?|te|upgrade-insecure-requests|user-agent|x-requested-with)$/i

/** Headers of responses that hold credentials of the caller, besides `Set-Cookie`. */
const SECRET_ANSWERS: ReadonlySet<string> = new Set([
  'authorization',
  'authentication-info',
  'proxy-authentication-info',
  'set-cookie2',
  'api-key',
  'x-api-key',
])

/** Text that stands for what was left out. */
const SCRUBBED = 'scrubbed'

/** Rule by which credentials are left out, for the record about the archive. */
export const SCRUB_RULE =
  'request headers other than those that every browser sends, values of cookies, and fields of forms are written as "scrubbed"'

/** Leaves out what a request header says of who asks. */
export const scrubRequestHeader = (name: string, value: string): string => (SAFE_HEADERS.test(name) ? value : SCRUBBED)

/** Leaves out what a response header gives to who asks: of a cookie its value, and not its name. */
export function scrubResponseHeader(name: string, value: string): string {
  const lower = name.toLowerCase()
  if (lower === 'set-cookie') return value.replace(/^([^=;]*)=?[^;]*/, `$1=${SCRUBBED}`)
  return SECRET_ANSWERS.has(lower) || (lower.startsWith('x-') && lower.endsWith('-token')) ? SCRUBBED : value
}

/** Leaves out the values of a form. */
export const scrubForm = (form: string): string =>
  [...new URLSearchParams(form).keys()].map((name) => `${encodeURIComponent(name)}=${SCRUBBED}`).join('&')
