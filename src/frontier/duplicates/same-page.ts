import { createHash } from 'node:crypto'
import { isRouteFragment, MAX_URL_CHARACTERS } from '../../url.js'

/** Characters that are kept of a URL too long to be followed. */
const KEPT_CHARACTERS = 200

/**
 * Cuts a URL that is too long to be followed to its start and a hash of all of it, so that it still has a key of its own
 * and takes up no more memory than another. Returns any other URL as it is.
 */
export function cutLongUrl(href: string): string {
  if (href.length <= MAX_URL_CHARACTERS) return href
  const digest = createHash('sha256').update(href).digest('hex').slice(0, 16)
  return `${href.slice(0, KEPT_CHARACTERS)}…${digest}`
}

/**
 * What makes two URLs the same page: the first-seen spelling is fetched, this is only compared.
 *
 * @param options.ignoreQueryParameters the query does not count
 * @param options.deduplicateSimilarURLs `www.`, http or https, a trailing slash and `index.html|php` do not count, nor does
 *   what {@link samePageParts} leaves out
 * @returns for a URL that is too long to be followed, {@link cutLongUrl}
 * @see docs/compatibility.md#same-page
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

/** The parts of a URL that say which page it is. */
export interface PageParts {
  readonly hostname: string
  readonly pathname: string
  /** Empty, or with its `?`. */
  readonly search: string
}

/**
 * The parts of a URL by which two spellings of one page are known: without tracking parameters, session ids, empty
 * parameters and the dot that may end a host, and with percent-escapes in one spelling. The order of the query counts.
 *
 * A parameter is left out only if no site would select content by it. `ref`, `id`, `source`, `cid`, `si`, `spm` stay: where
 * they merely track, the copies are found by their content, and where they select, no page is lost.
 *
 * @see docs/compatibility.md#same-page; RFC 3986 section 6.2.2
 */
export const samePageParts = ({ hostname, pathname, search }: URL): PageParts => ({
  hostname: hostname.endsWith('.') ? hostname.slice(0, -1) : hostname,
  pathname: cleanPath(pathname),
  search: cleanQuery(search),
})

function cleanPath(pathname: string): string {
  const path = spellEscapes(pathname)
  return /[;(]/.test(path) ? path.replace(SESSION_IN_PATH, '') : path
}

/**
 * Sessions in a path: Java's `;jsessionid=…`, its like, and ASP.NET's `/(S(lit3py55t21z5v55vlm25s55))/`. The groups are
 * bounded: without a bound a path of nothing but groups takes time quadratic in its length.
 */
const SESSION_IN_PATH =
  /;(?:jsessionid|phpsessid|cfid|cftoken)=[^/;]*|;sid=[\da-f]{32,}(?![^/;])|\/\((?:[A-Z]\([^()/]*\)){0,9}S\([a-z\d]{24}\)(?:[A-Z]\([^()/]*\)){0,9}\)(?=\/)/gi

function cleanQuery(search: string): string {
  if (search === '') return ''
  const query = spellEscapes(search.slice(1))
  // ColdFusion's session is a pair; `cfid` alone may mean anything.
  const isColdFusion = /(?:^|&)cftoken=/i.test(query)
  const kept = query
    .split('&')
    .filter((parameter) => parameter !== '' && !isNoise(parameter) && !(isColdFusion && /^cfid=\w+$/i.test(parameter)))
  return kept.length === 0 ? '' : `?${kept.join('&')}`
}

/** Whether a parameter says nothing about the page. */
function isNoise(parameter: string): boolean {
  // `&amp;` in a link that was escaped twice.
  const bare = parameter.replace(/^(?:amp;)+/, '')
  const at = bare.indexOf('=')
  const name = (at === -1 ? bare : bare.slice(0, at)).toLowerCase()
  const value = at === -1 ? '' : bare.slice(at + 1)
  // Some servers part parameters by `;`, so that one that selects content may hide behind one that does not.
  if (bare.includes(';')) return false
  return (
    TRACKING.has(name) ||
    TRACKING_PREFIXES.some((prefix) => name.startsWith(prefix)) ||
    SESSIONS.has(name) ||
    /^aspsessionid[a-z]{8}$/.test(name) ||
    (LIKELY_SESSIONS.has(name) && /^[\da-f]{32,}$/i.test(value))
  )
}

/** Whole families that one analytics product owns. */
const TRACKING_PREFIXES: readonly string[] = [
  'utm_', // Google Analytics, and all that copied it
  'mtm_', // Matomo
  'hsa_', // HubSpot ads
  '__cf_chl_', // Cloudflare's challenge: another value at every visit
]

/** Single names: each is put there by an advertiser, a mailer or a share button, and read by a script. */
const TRACKING: ReadonlySet<string> = new Set(
  [
    'gclid gclsrc dclid gbraid wbraid gad_source gad_campaignid srsltid _ga _gl _gac', // Google
    'fbclid fb_action_ids fb_action_types fb_ref fb_source mibextid igshid igsh', // Facebook, Instagram
    'msclkid', // Microsoft
    'twclid ref_src ref_url', // Twitter
    'ttclid', // TikTok
    'li_fat_id', // LinkedIn
    'epik', // Pinterest
    'rdt_cid', // Reddit
    'sccid', // Snapchat
    'yclid ymclid ysclid _openstat', // Yandex
    'mc_cid mc_eid', // Mailchimp
    '_hsenc _hsmi __hssc __hstc __hsfp hsctatracking', // HubSpot
    'mkt_tok', // Marketo
    '_kx', // Klaviyo
    'vero_id vero_conv', // Vero
    'oly_enc_id oly_anon_id', // Omeda
    'trk_contact trk_msg trk_module trk_sid', // Listrak
    'pk_campaign pk_kwd pk_keyword pk_source pk_medium pk_content pk_cid piwik_campaign piwik_kwd', // Piwik
    'itm_source itm_medium itm_campaign itm_content', // campaigns within a site
    's_kwcid ef_id', // Adobe
    'irclickid irgwc', // Impact
    'cjevent', // Commission Junction
    'tblci', // Taboola
    'dicbo', // Outbrain
    'wickedid', // Wicked Reports
    'rb_clickid', // RedTrack
    'xtor', // Piano
    'wt_mc wt.mc_id', // Mapp, Webtrends
    '_branch_match_id _branch_referrer', // Branch
    'guccounter guce_referrer guce_referrer_sig', // Yahoo's consent page
    '__twitter_impression',
  ].flatMap((names) => names.split(' ')),
)

/** Names that platforms give to nothing but a session. */
const SESSIONS: ReadonlySet<string> = new Set(['jsessionid', 'phpsessid', 'cftoken', 'oscsid', 'zenid', 'xtcsid'])

/** Names that may mean anything (a story's number, a section), unless the value is what PHP or vBulletin draw at random. */
const LIKELY_SESSIONS: ReadonlySet<string> = new Set(['sid', 's', 'sess', 'sessid', 'sessionid', 'session_id'])

/**
 * Percent-escapes in their one spelling: letters, digits and `-._~` bare, all else in capitals. `%2f` stays an escape, for
 * a bare slash would end the segment.
 */
const spellEscapes = (text: string): string =>
  text.includes('%') ? text.replace(/(?<!%[\da-f]?)%[\da-f]{2}/gi, spellEscape) : text

function spellEscape(escape: string): string {
  const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16))
  return /[\w.~-]/.test(character) ? character : escape.toUpperCase()
}
