import type { Chunk } from '../../convert/split/chunk-markdown.js'
import type { QuotedPath } from './quotes.js'
import { isObject } from '../../collections/is-object.js'
import { pointTo } from '../json-schema/schema-shape.js'
import { cutText } from '../../text/cut-text.js'

/** Source of a value of `json`. */
export interface Evidence {
  /** Place of the value in `json`, as a JSON Pointer (RFC 6901). */
  path: string
  /**
   * `verbatim`: the quote contains the value. `quoted`: the quote is on the page and says the same in other words.
   * `structured`: the value is from the page's structured data. `none`: nothing on the page was found that supports it.
   */
  support: 'verbatim' | 'quoted' | 'structured' | 'none'
  /** Words of the page, verbatim; absent when there is no support. */
  quote?: string
  /** Headings above the quote, outermost first; the kind of structured data, such as `json-ld`. */
  place?: string[]
}

/** A value that was read from the page's structured data. */
export interface FactSource {
  readonly path: string
  readonly source: string
  readonly text: string
}

/** Maximum values to cite. */
const MAX_VALUES = 300
/** Maximum characters of a quote. */
const MAX_QUOTED = 300

/**
 * Cites the source of each value: structured data first, then the quote of the model if the page contains it, then a line of the page that
 * contains the value.
 */
export function findCitations(
  value: unknown,
  chunks: readonly Chunk[],
  quotes: readonly QuotedPath[],
  facts: readonly FactSource[],
): Evidence[] {
  const lines = chunks.flatMap(({ path, markdown }) =>
    markdown
      .split('\n')
      .flatMap((line) => (line.trim() === '' ? [] : [{ path, line: line.trim(), plain: readingsOf(line) }])),
  )
  const whole = chunks.map(({ path, markdown }) => ({ path, plain: plainOf(markdown) }))
  return leavesOf(value, '')
    .slice(0, MAX_VALUES)
    .map(({ path, leaf }): Evidence => {
      const fact = facts.find((one) => path === one.path || path.startsWith(`${one.path}/`))
      if (fact) return { path, support: 'structured', quote: cutText(fact.text, MAX_QUOTED), place: [fact.source] }
      const wanted = plainOf(String(leaf))
      const quote = quotes.find((one) => one.path === path)?.quote
      const found = quote === undefined ? undefined : whole.find(({ plain }) => plain.includes(plainOf(quote)))
      if (quote !== undefined && found) {
        const support = hasValue(readingsOf(quote), wanted) ? 'verbatim' : 'quoted'
        return { path, support, quote: cutText(quote, MAX_QUOTED), place: [...found.path] }
      }
      // A boolean has no text to search for.
      const line = typeof leaf === 'boolean' ? undefined : lines.find(({ plain }) => hasValue(plain, wanted))
      if (line) return { path, support: 'verbatim', quote: cutText(line.line, MAX_QUOTED), place: [...line.path] }
      const across = wanted.length > 20 ? whole.find(({ plain }) => plain.includes(wanted)) : undefined
      if (across)
        return { path, support: 'verbatim', quote: cutText(String(leaf), MAX_QUOTED), place: [...across.path] }
      return { path, support: 'none' }
    })
}

/** Writes the warning about values without support; undefined when there are none. */
export function describeUnsupported(citations: readonly Evidence[]): string | undefined {
  const paths = citations.filter(({ support }) => support === 'none').map(({ path }) => path)
  if (paths.length === 0) return undefined
  const named = paths.slice(0, 10).join(', ')
  return `Nothing on the page supports ${named}${paths.length > 10 ? ` and ${paths.length - 10} more` : ''}: see \`evidence\`.`
}

function leavesOf(value: unknown, path: string): { path: string; leaf: string | number | boolean }[] {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value === '' ? [] : [{ path, leaf: value }]
  if (Array.isArray(value)) return value.flatMap((item, index) => leavesOf(item, pointTo(path, index)))
  return isObject(value) ? Object.entries(value).flatMap(([name, part]) => leavesOf(part, pointTo(path, name))) : []
}

/** A number with the same separator between all its thousands: `1.299,50`, `1 299,50`, `1.299`. */
const GROUPED = /(?<![\d.,])\d{1,3}([. \u00a0\u2009\u202f'’])\d{3}(?:\1\d{3}){0,5}(?:[.,]\d{1,4})?(?![.,]{0,9}\d)/g

/**
 * Normalises a text for comparison and appends its numbers without thousands separators, because German and French use
 * a point or a space.
 */
function readingsOf(text: string): string {
  const numbers = Array.from(text.matchAll(GROUPED), ([number, sign = '']) => {
    const [whole = '', decimals] = number.replaceAll(sign, '').split(/[.,]/)
    return decimals === undefined ? whole : `${whole}.${decimals}`
  })
  return [text, ...numbers].map(plainOf).join(' ')
}

/** Normalises a text for comparison: no Markdown, lower case, numbers without thousands separators. */
const plainOf = (text: string): string =>
  text
    .replace(/\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*\)/g, ' ')
    .toLowerCase()
    .replace(/(?<=\d)[,'’\u00a0\u202f](?=\d{3}(?!\d))/g, '')
    .replace(/(\d),(?=\d{2}(?!\d))/g, '$1.')
    .replace(/[^\p{L}\p{N}.]+/gu, ' ')
    .replace(/(?<=\d)\.0+(?!\d)|\.(?!\d)/g, ' ')
    .replace(/(\.\d*?[1-9])0+(?!\d)/g, '$1')
    .replace(/ +/g, ' ')
    .trim()

/**
 * Returns true if a normalised text contains a value, but not within a longer word or number. Its words are separated by
 * single spaces, so that only their starts are looked at: a page may be one long word.
 */
function hasValue(text: string, value: string): boolean {
  if (value === '') return false
  const spaced = ` ${value}`
  for (let at = text.startsWith(value) ? 0 : text.indexOf(spaced) + 1; ;) {
    if (at === 0 && !text.startsWith(value)) return false
    const end = at + value.length
    const isWhole = !/[\p{L}\p{N}]/u.test(text[end] ?? ' ') && !(text[end] === '.' && /\d/.test(text[end + 1] ?? ''))
    if (isWhole) return true
    const next = text.indexOf(spaced, at)
    if (next < 0) return false
    at = next + 1
  }
}
