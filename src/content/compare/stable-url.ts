/**
 * Removes the parts of a URL that are generated for each visit or build: session ids, signatures, cache busters, and
 * the hash in the name of a built file.
 */
export function withoutTokens(url: string): string {
  const [, path = '', query = '', fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(url) ?? []
  const kept = query.split('&').filter((parameter) => parameter !== '' && !isToken(parameter))
  const still = path
    .replace(/;(?:jsessionid|phpsessid|sid)=[^/;]*/gi, '')
    .replace(/([._-])(?=[\da-f]*\d)(?=[\da-f]*[a-f])[\da-f]{8,64}(?=(?:\.[a-z\d]{2,5}){1,2}$)/i, '')
  return still + (kept.length > 0 ? `?${kept.join('&')}` : '') + fragment
}

/** Names of parameters whose values vary. */
const VOLATILE: ReadonlySet<string> = new Set(
  [
    '_ t ts time timestamp now cb cachebust cachebuster cache nocache rand random rnd r', // cache busters
    'v ver version rev hash h build', // versions of a file
    'sid sess session sessionid session_id phpsessid jsessionid', // sessions
    'token nonce csrf csrf_token _csrf authenticity_token state key-pair-id', // tokens
    'sig signature expires expiry expire policy e hmac', // signed links
    'gclid fbclid msclkid dclid _ga _gl', // click ids
  ].flatMap((names) => names.split(' ')),
)

/** Names with other meanings too: removed only with a generated value. */
const AMBIGUOUS: ReadonlySet<string> = new Set([
  't',
  'v',
  'e',
  'h',
  'r',
  'time',
  'state',
  'key',
  'cache',
  'version',
  'now',
])

function isToken(parameter: string): boolean {
  const at = parameter.indexOf('=')
  const name = (at === -1 ? parameter : parameter.slice(0, at)).toLowerCase()
  const value = at === -1 ? '' : parameter.slice(at + 1)
  if (/^(?:utm_|x-amz-|x-goog-|hsa_|mtm_)/.test(name)) return true
  if (VOLATILE.has(name)) return !AMBIGUOUS.has(name) || looksGenerated(value)
  return value.length >= 20 && looksGenerated(value)
}

/** Tests for a time in seconds or milliseconds, or for letters and digits that form no word. */
const looksGenerated = (value: string): boolean =>
  /^\d{10,13}$/.test(value) || /^(?=.*\d)(?=.*[a-z])(?:[\da-f]{8,}|[\w%-]{16,})$/i.test(value)
