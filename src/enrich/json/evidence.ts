import type { Chunk } from '../../convert/split/chunk-markdown.js'
import type { QuotedPath } from './quotes.js'
import { isObject } from '../../collections/is-object.js'
import { pointTo } from '../json-schema/schema-shape.js'

/** What a value of `json` goes by. */
export interface Evidence {
  /** Where the value stands in `json`: a JSON Pointer (RFC 6901). */
  path: string
  /**
   * `verbatim`: the quote has the value in it; `quoted`: the quote is on the page, and says it in other words; `structured`: the
   * page's own data for programs has it; `none`: nothing on the page was found that says so.
   */
  support: 'verbatim' | 'quoted' | 'structured' | 'none'
  /** What the page says, word for word; absent where there is none. */
  quote?: string
  /** The headings that the quote stands under, outermost first; for structured data its kind, e.g. `json-ld`. */
  place?: string[]
}

/** A value that was taken from the page's own data for programs. */
export interface FactSource {
  readonly path: string
  readonly source: string
  readonly text: string
}

/** Values that are looked for, at most; quotes are cut at so many characters. */
const MAX_VALUES = 300
const MAX_QUOTED = 300

/** What each value goes by: the page's data, what the model quotes if that is on the page, or the line that has the value in it. */
export function findEvidence(
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
      if (fact) return { path, support: 'structured', quote: fact.text.slice(0, MAX_QUOTED), place: [fact.source] }
      const wanted = plainOf(String(leaf))
      const quote = quotes.find((one) => one.path === path)?.quote
      const found = quote === undefined ? undefined : whole.find(({ plain }) => plain.includes(plainOf(quote)))
      if (quote !== undefined && found) {
        const support = hasValue(readingsOf(quote), wanted) ? 'verbatim' : 'quoted'
        return { path, support, quote: quote.slice(0, MAX_QUOTED), place: [...found.path] }
      }
      // A yes or no says nothing to look for.
      const line = typeof leaf === 'boolean' ? undefined : lines.find(({ plain }) => hasValue(plain, wanted))
      if (line) return { path, support: 'verbatim', quote: line.line.slice(0, MAX_QUOTED), place: [...line.path] }
      const across = wanted.length > 20 ? whole.find(({ plain }) => plain.includes(wanted)) : undefined
      if (across)
        return { path, support: 'verbatim', quote: String(leaf).slice(0, MAX_QUOTED), place: [...across.path] }
      return { path, support: 'none' }
    })
}

/** What a warning says of values without support. */
export function describeUnsupported(evidence: readonly Evidence[]): string | undefined {
  const paths = evidence.filter(({ support }) => support === 'none').map(({ path }) => path)
  if (paths.length === 0) return undefined
  const named = paths.slice(0, 10).join(', ')
  return `Nothing on the page was found that supports ${named}${paths.length > 10 ? ` and ${paths.length - 10} more` : ''}: see \`evidence\`.`
}

function leavesOf(value: unknown, path: string): { path: string; leaf: string | number | boolean }[] {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value === '' ? [] : [{ path, leaf: value }]
  if (Array.isArray(value)) return value.flatMap((item, index) => leavesOf(item, pointTo(path, index)))
  return isObject(value) ? Object.entries(value).flatMap(([name, part]) => leavesOf(part, pointTo(path, name))) : []
}

/** A number whose thousands are set apart, by the same sign each: `1.299,50`, `1 299,50`, `1.299`. */
const GROUPED = /(?<![\d.,])\d{1,3}([. \u00a0\u2009\u202f'’])\d{3}(?:\1\d{3}){0,5}(?:[.,]\d{1,4})?(?![.,]{0,9}\d)/g

/** A text as it is compared, with what its numbers are where a point or a space sets thousands apart, as in German and French. */
function readingsOf(text: string): string {
  const numbers = Array.from(text.matchAll(GROUPED), ([number, sign = '']) => {
    const [whole = '', decimals] = number.replaceAll(sign, '').split(/[.,]/)
    return decimals === undefined ? whole : `${whole}.${decimals}`
  })
  return [text, ...numbers].map(plainOf).join(' ')
}

/** A text as it is compared: without Markdown, in small letters, numbers without the signs between their thousands. */
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

/** Whether a text has a value in it, and not as a part of another word or number. */
function hasValue(text: string, value: string): boolean {
  if (value === '') return false
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1)) {
    const before = text[at - 1] ?? ' '
    const after = text[at + value.length] ?? ' '
    if (!/[\p{L}\p{N}.]/u.test(before) && !/[\p{L}\p{N}]/u.test(after) && !/^\.\d/.test(text.slice(at + value.length)))
      return true
  }
  return false
}
