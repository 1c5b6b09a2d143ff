import { numberOf } from '../../sqlite/driver.js'
import { foldWords, isPaired } from '../words/fold-words.js'
import type { StatementCache } from './index-database.js'

/** Maximum distinct words of a query. */
const MAX_WORDS = 64
/** Maximum characters of a query that are read. */
const MAX_QUERY_LENGTH = 10_000
/**
 * Maximum chunks that a query ranks. Ranking takes 0.4 µs for each chunk and word: 20,000 take about 8 ms. Frequent words are
 * left out beyond it, which changes little: they are in every fifth chunk, and weigh next to nothing.
 */
export const MAX_RANKED = 20_000
/** Words that are in fewer chunks than this are also searched for by their beginning. */
const RARE = 50
/** A word's beginning: this part of it, and at least so many letters. Finds `Versicherung` for `Versicherungen`. */
const STEM_PART = 0.75
const MIN_STEM_LENGTH = 4

/** A query in the syntax of FTS5. */
export interface ChosenTerms {
  /** Words and beginnings of words, each quoted, joined by OR. */
  readonly match: string
}

/**
 * Chooses the words of a query, rarest first, up to the number of chunks that may be ranked. The words have letters, digits
 * and underscores only, and are quoted, so that no query is read as syntax.
 *
 * @returns undefined when no chunk has any of the words
 */
export function chooseTerms(query: string, sql: StatementCache): ChosenTerms | undefined {
  const words = [...new Set(foldWords(query.slice(0, MAX_QUERY_LENGTH)))].slice(0, MAX_WORDS)
  const counted = words.map((word) => ({ word, chunks: countChunks(`"${word}"`, sql) }))
  const terms: { readonly term: string; readonly chunks: number }[] = []
  for (const { word, chunks } of counted) {
    if (chunks > 0) terms.push({ term: `"${word}"`, chunks })
    const start = chunks < RARE ? beginningOf(word) : undefined
    if (start === undefined) continue
    const term = `"${start}" *`
    const found = countChunks(term, sql)
    if (found > chunks) terms.push({ term, chunks: found })
  }
  let left = MAX_RANKED
  const chosen = terms
    .toSorted((a, b) => a.chunks - b.chunks)
    .filter(({ chunks }, index) => {
      left -= chunks
      return index === 0 || left >= 0
    })
  return chosen.length === 0 ? undefined : { match: chosen.map(({ term }) => term).join(' OR ') }
}

function beginningOf(word: string): string | undefined {
  if (isPaired(word)) return word.length === 1 ? word : undefined
  const length = Math.max(MIN_STEM_LENGTH, Math.ceil(word.length * STEM_PART))
  return /\p{N}|_/u.test(word) || length >= word.length ? undefined : word.slice(0, length)
}

/** Counts the chunks that have a word, up to one more than may be ranked. */
function countChunks(term: string, sql: StatementCache): number {
  const text = 'SELECT count(*) AS chunks FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)'
  return numberOf(sql.get(text, term, MAX_RANKED + 1) ?? {}, 'chunks')
}
