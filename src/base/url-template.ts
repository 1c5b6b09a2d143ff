import { MAX_URL_CHARACTERS } from './url.js'

/** Pattern that similar URLs share: `/2026/05/a-day-out?ref=17` has `/:date/:slug?ref`. */
export interface UrlTemplate {
  /**
   * The template, followed by coarser ones: with any query, and with any path below the first segment. A trap with many
   * templates (every set of filters, every order of words in a path) shows in the coarser ones.
   */
  readonly names: readonly string[]
  /** The template on any subdomain: `*.example.com/:slug?…`. Absent for a host that is none, and for an address. */
  readonly onAnySubdomain?: string
  readonly hasQuery: boolean
  /** True with two or more parameters, which can be combined without end. */
  readonly isCombination: boolean
  /** True when it contains a date, an address or a random identifier, as calendars and sessions do. */
  readonly isVolatile: boolean
}

/** Derives the template of a URL: the type of each path segment, and the names of its parameters, sorted. */
export function deriveTemplate(url: URL): UrlTemplate {
  if (url.href.length > MAX_URL_CHARACTERS) {
    return { names: [`${url.host.slice(0, 255)}/…`], hasQuery: false, isCombination: false, isVolatile: true }
  }
  const path = typeSegments(url.pathname)
  const segments = url.hash === '' ? path : [...path, '#', ...typeSegments(url.hash.slice(1))]
  const pairs = url.search === '' ? [] : readPairs(url.search)
  const isVolatile = segments.some(isVolatileType) || pairs.some(isVolatilePair)

  const place = cut(`${url.host}/${segments.join('/')}`)
  const above = cut(`${url.host}/${segments.length > 1 ? `${segments[0]}/` : ''}…`)
  const hosts = anySubdomain(url)
  const everywhere = hosts && {
    onAnySubdomain: cut(`${hosts}/${segments.join('/')}`) + (pairs.length === 0 ? '' : '?…'),
  }
  if (pairs.length === 0) {
    return { names: [place, above], ...everywhere, hasQuery: false, isCombination: false, isVolatile }
  }
  const parameters = [...new Set(pairs.map(({ name }) => name))].sort().join('&')
  return {
    names: [cut(`${place}?${parameters}`), `${place}?…`, `${above}?…`],
    ...everywhere,
    hasQuery: true,
    isCombination: pairs.length > 1,
    isVolatile,
  }
}

/**
 * Replaces the subdomains of a host: `*.example.com`. Undefined for an address, and for a host without subdomains.
 *
 * The last two labels are no registrable domain below suffixes such as `co.uk`. That makes no difference: only links
 * between hosts of one domain are followed without end.
 */
function anySubdomain({ hostname, port }: URL): string | undefined {
  const labels = hostname.split('.')
  if (labels[0] === 'www') labels.shift()
  const last = labels.at(-1) ?? ''
  if (labels.length < 3 || /^\d*$/.test(last)) return undefined
  return `*.${labels.slice(-2).join('.')}${port === '' ? '' : `:${port}`}`
}

/** Maximum characters of a name: thousands are stored, and the site controls their size. */
const MAX_NAME_CHARACTERS = 500

const cut = (name: string): string =>
  name.length > MAX_NAME_CHARACTERS ? `${name.slice(0, MAX_NAME_CHARACTERS)}…` : name

interface Pair {
  readonly name: string
  readonly value: string
}

/** Splits the query; `f[0]` and `f[1]` get one name. */
const readPairs = (search: string): Pair[] =>
  search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const at = pair.includes('=') ? pair.indexOf('=') : pair.length
      const name = pair.slice(0, at).replace(/%5B/gi, '[').replace(/%5D/gi, ']').replace(/\d+/g, '#')
      return { name, value: pair.slice(at + 1) }
    })

/** Volatile values besides dates and identifiers: a timestamp in seconds or milliseconds, and a return URL. */
const isVolatilePair = ({ name, value }: Pair): boolean =>
  /^(?:date|day|week|month|year)$/i.test(name) ||
  /^[12]\d{9}(?:\d{3})?$|^(?:https?(?::|%3A))?(?:\/|%2F)/i.test(value) ||
  isVolatileType(typeOf(value))

const isVolatileType = (type: string): boolean => type.startsWith(':date') || type.startsWith(':id')

/** Types of a path's segments; a year and a month, with or without a day, form one date. */
function typeSegments(path: string): string[] {
  const segments = path.split('/').filter((segment) => segment !== '')
  const types: string[] = []
  for (let at = 0; at < segments.length;) {
    const length = dateLength(segments, at)
    types.push(length > 0 ? ':date' : typeOfSegment(segments[at] ?? ''))
    at += Math.max(1, length)
  }
  return types
}

/**
 * Returns the number of segments from `at` that form a date: year, month and day, or day, month and year, with or
 * without the day.
 */
function dateLength(segments: readonly string[], at: number): number {
  const first = segments[at] ?? ''
  // Most segments are words.
  const code = first.charCodeAt(0)
  if (!(code >= ZERO && code <= NINE)) return 0
  const [second = '', third = ''] = segments.slice(at + 1, at + 3)
  if (isYear(first) && isUpTo(12, second)) return isUpTo(31, third) ? 3 : 2
  if (isUpTo(31, first) && isUpTo(12, second) && isYear(third)) return 3
  return isUpTo(12, first) && isYear(second) ? 2 : 0
}

const ZERO = 48
const NINE = 57

const isYear = (segment: string): boolean => /^(?:19|20|21)\d\d$/.test(segment)
const isUpTo = (most: number, segment: string): boolean =>
  /^\d\d?$/.test(segment) && Number(segment) >= 1 && Number(segment) <= most

/**
 * Returns the type of a path segment, as {@link typeOf} does. The file extension is kept, and parameters of the segment
 * (`;a=b`) are dropped.
 */
function typeOfSegment(segment: string): string {
  const end = segment.indexOf(';')
  const bare = end < 0 ? segment : segment.slice(0, end)
  const dot = bare.lastIndexOf('.')
  if (dot < 0 || !/^\.[a-z][a-z\d]{1,4}$/i.test(bare.slice(dot))) return typeOf(bare)
  return typeOf(bare.slice(0, dot)) + bare.slice(dot).toLowerCase()
}

/** Type of a segment or value; a plain word is its own type. */
function typeOf(text: string): string {
  // Most are words, which none of the types below is.
  if (/^[a-z]{1,15}$/i.test(text)) return text.toLowerCase()
  if (/^\d+$/.test(text)) return /^(?:19|20|21)\d\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])$/.test(text) ? ':date' : ':number'
  if (/^\d{4}[-_.]\d\d?(?:[-_.]\d\d?(?:T.*)?)?$|^\d\d?[-_.]\d\d?[-_.]\d{4}$/.test(text)) return ':date'
  if (isMeaningless(text)) return ':id'
  if (text.includes('%')) return ':text'
  if (/[-_+]/.test(text) || text.length > 24) return ':slug'
  if (/^v?\d+(?:\.\d+)+$/i.test(text)) return ':version'
  return isMixed(text) && text.length >= 8 ? ':code' : text.toLowerCase().replace(/\d+/g, '#')
}

/** Returns true if a text looks random: a UUID, 16 hexadecimal digits, 20 letters and digits of any case. */
function isMeaningless(text: string): boolean {
  if (text.length < 16) return false
  if (/^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(text)) return true
  if (/^[\da-f]{16,}$/i.test(text)) return /\d/.test(text)
  // ASP.NET's session id in the path: `/(S(lit3py55t21z5v55vlm25s55))/`.
  return (
    text.length >= 20 && /^[\da-z]*(?:[-_][\da-z]*)?$|^\(.*\)$/i.test(text) && (isMixed(text) || text.startsWith('('))
  )
}

/** Returns true for a text with digits and letters of both cases. */
const isMixed = (text: string): boolean => /\d/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text)
