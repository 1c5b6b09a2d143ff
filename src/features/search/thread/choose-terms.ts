import { numberOf } from '../../../base/sqlite/driver.js'
import type { WeighWord } from '../../../content/convert/passage/passage-link.js'
import { foldWords, isPaired } from '../words/fold-words.js'
import type { StatementCache } from './statement-cache.js'

/** Maximum distinct words of a query. */
const MAX_WORDS = 64
/** Maximum characters of a query that are read. */
const MAX_QUERY_LENGTH = 10_000
/**
 * Maximum chunks that a query ranks, added up over its words. Ranking takes 0.4 µs for each chunk and word: 10,000 take about
 * 4 ms. Frequent words are left out beyond it, which changes little: among 100,000 chunks they are in every tenth.
 */
export const MAX_RANKED = 10_000
/** Words that are in fewer chunks than this are also searched for by their beginning. */
const RARE = 50
/** A word's beginning: this part of it, and at least so many letters. Finds `Versicherung` for `Versicherungen`. */
const STEM_PART = 0.75
const MIN_STEM_LENGTH = 4

/** A query in the syntax of FTS5. */
interface ChosenTerms {
  /** Words and beginnings of words, each quoted, joined by OR. */
  readonly match: string
}

/**
 * Chooses the words of a query, rarest first, up to the number of chunks that may be ranked. The words have letters, digits
 * and underscores only, and are quoted, so that no query is read as syntax.
 *
 * @returns undefined when no chunk has any of the words
 */
export function chooseTerms(query: string, counts: ChunkCounts): ChosenTerms | undefined {
  const words = [...new Set(foldWords(query.slice(0, MAX_QUERY_LENGTH)))].slice(0, MAX_WORDS)
  const counted = words.map((word) => ({ word, chunks: counts.count(`"${word}"`) }))
  const terms: { readonly term: string; readonly chunks: number }[] = []
  for (const { word, chunks } of counted) {
    if (chunks > 0) terms.push({ term: `"${word}"`, chunks })
    const start = chunks < RARE ? beginningOf(word) : undefined
    if (start === undefined) continue
    const term = `"${start}" *`
    const found = counts.count(term)
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

/**
 * Creates the function that weighs the words of a chunk by the query, for the place that its hit shows: a term that fewer chunks have
 * weighs more.
 */
export function weighByQuery(query: string, counts: ChunkCounts): WeighWord {
  const terms = [...new Set(foldWords(query.slice(0, MAX_QUERY_LENGTH)))].slice(0, MAX_WORDS).map((word, number) => {
    const weight = 1 / Math.log2(2 + counts.count(`"${word}"`))
    return { word, start: beginningOf(word), entry: [number, weight] as const }
  })
  return (text) => {
    const words = foldWords(text)
    return terms
      .filter(({ word, start }) => words.some((one) => one === word || (start !== undefined && one.startsWith(start))))
      .map(({ entry }) => entry)
  }
}

function beginningOf(word: string): string | undefined {
  if (isPaired(word)) return word.length === 1 ? word : undefined
  const length = Math.max(MIN_STEM_LENGTH, Math.ceil(word.length * STEM_PART))
  return /\p{N}|_/u.test(word) || length >= word.length ? undefined : word.slice(0, length)
}

/** Counts that are kept. */
const MAX_COUNTS = 20_000
/** Writes after which the counts are taken again. */
const MAX_WRITES = 1000

/** Counts the chunks that have a word. Counts are kept for a while: they decide only which words are frequent. */
export class ChunkCounts {
  readonly #sql: StatementCache
  readonly #counts = new Map<string, number>()
  #writes = 0

  constructor(sql: StatementCache) {
    this.#sql = sql
  }

  /** Counts the chunks of a term, up to one more than may be ranked. */
  count(term: string): number {
    const known = this.#counts.get(term)
    // A word that no chunk had may be in one by now.
    if (known !== undefined && known > 0) return known
    const text = 'SELECT count(*) AS chunks FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)'
    const chunks = numberOf(this.#sql.get(text, term, MAX_RANKED + 1) ?? {}, 'chunks')
    if (this.#counts.size >= MAX_COUNTS) this.#counts.clear()
    this.#counts.set(term, chunks)
    return chunks
  }

  /** Records that a page was written. */
  noteWrite(): void {
    this.#writes += 1
    if (this.#writes % MAX_WRITES === 0) this.#counts.clear()
  }
}
