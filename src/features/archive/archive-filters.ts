import { compileEcmaPattern, type LinearPattern } from '../../base/text/linear-pattern.js'
import type { CaptureHead, JudgeHead, SkipCause } from './read/capture.js'

/** Filters of the responses of an archive that become pages. */
export interface ArchiveFilters {
  /** Regular expressions, of which one must match in the URL. @default every URL */
  url?: string | readonly string[]
  /** Regular expressions, of which none may match in the URL. @default `robots.txt` alone is left out */
  exclude?: string | readonly string[]
  /** Statuses: numbers, or classes such as `'2xx'`. @default all but redirects, whose targets are responses of their own, and 304 */
  status?: readonly (number | `${1 | 2 | 3 | 4 | 5}xx`)[]
  /**
   * Media types, such as `'text/html'` or `'application/*'`, without parameters. @default all but images, sounds, films, fonts, scripts
   * and style sheets
   */
  type?: string | readonly string[]
  /** Earliest time of a response, as a date or in a form that `Date` reads. @default none */
  from?: string | Date
  /** Latest time of a response. @default none */
  to?: string | Date
}

/** Statuses of redirects. */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Beginnings of the types of what a page is made of, and that are no page. */
const PART_GROUPS: readonly string[] = [
  'image/',
  'audio/',
  'video/',
  'font/',
  'application/font-',
  'application/x-font-',
]
/** Further ones. */
const PART_TYPES: ReadonlySet<string> = new Set([
  'text/css',
  'text/javascript',
  'text/ecmascript',
  'application/javascript',
  'application/x-javascript',
  'application/ecmascript',
  'application/vnd.ms-fontobject',
  'application/wasm',
])

const isPart = (type: string): boolean => PART_TYPES.has(type) || PART_GROUPS.some((group) => type.startsWith(group))

const listOf = <Item>(given: Item | readonly Item[] | undefined): readonly Item[] =>
  given === undefined ? [] : Array.isArray(given) ? (given as readonly Item[]) : [given as Item]

/** Makes the rule by which responses are chosen. @throws Error for a pattern that is none */
export function createJudge(filters: ArchiveFilters = {}): JudgeHead {
  const wanted = listOf(filters.url).map(compileEcmaPattern)
  const unwanted = listOf(filters.exclude).map(compileEcmaPattern)
  const types = listOf(filters.type).map((type) => type.toLowerCase())
  const { status } = filters
  const fromMs = timeOf(filters.from)
  const toMs = timeOf(filters.to)
  const matches = (patterns: readonly LinearPattern[], url: string): boolean => patterns.some((one) => one.test(url))
  return ({ url, timeMs, statusCode, contentType }: CaptureHead): SkipCause | undefined => {
    if (wanted.length > 0 && !matches(wanted, url)) return 'FILTER'
    if (filters.exclude === undefined ? /^[^?#]*\/robots\.txt$/.test(url) : matches(unwanted, url)) return 'FILTER'
    if (fromMs !== undefined && !(timeMs !== undefined && timeMs >= fromMs)) return 'FILTER'
    if (toMs !== undefined && !(timeMs !== undefined && timeMs <= toMs)) return 'FILTER'
    if (status) {
      if (!status.some((one) => one === statusCode || one === `${Math.floor(statusCode / 100)}xx`)) return 'FILTER'
    } else if (REDIRECTS.has(statusCode)) return 'REDIRECT'
    else if (statusCode === 304) return 'NOT_MODIFIED'
    const essence = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
    if (types.length > 0) return types.some((type) => isOfType(essence, type)) ? undefined : 'FILTER'
    return isPart(essence) ? 'TYPE' : undefined
  }
}

const isOfType = (essence: string, type: string): boolean =>
  type.endsWith('/*') ? essence.startsWith(type.slice(0, -1)) : essence === type

function timeOf(given: string | Date | undefined): number | undefined {
  if (given === undefined) return undefined
  return typeof given === 'string' ? Date.parse(given) : given.getTime()
}
