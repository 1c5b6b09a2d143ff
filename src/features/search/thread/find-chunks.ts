import { compact } from '../../../base/collections/compact.js'
import { numberIn, numberOf, type SqlRow, type SqlValue, textIn, textOf } from '../../../base/sqlite/driver.js'
import { parseJson } from '../../../base/text/parse-json.js'
import { linkToPassage, type WeighWord } from '../../../content/convert/passage/passage-link.js'
import type { IndexQuery, SearchHit } from '../search-index.js'
import { chooseTerms, MAX_RANKED, weighByQuery } from './choose-terms.js'
import type { IndexDatabase } from './index-database.js'
import type { RankedChunk } from './vector-search.js'

/** Candidates read for each hit, before those of other jobs and further chunks of a page are left out. */
const CANDIDATES_PER_HIT = 12
/** Times as many candidates that are read when the first ones are chunks of a few pages. */
const DEEPER = 10
/** Maximum hits of one page, so that a long page does not fill the list. */
const MAX_PER_PAGE = 2
/**
 * Weights of a word in the title with the end of the URL, in the path of headings, and in the text. Tuned on the questions
 * of `benchmarks/search`.
 */
const WEIGHTS = '3, 2, 1'
/**
 * The constant of reciprocal rank fusion. With the usual 60, which is for rankings of a thousand, a chunk that is in the middle of
 * both rankings comes before the best one of a single ranking, and a higher limit, which makes the rankings longer, changes
 * the first hits.
 */
const RANK_CONSTANT = 10

/** Finds the chunks for a query; undefined for a job that is not in the index. */
export function findChunks(database: IndexDatabase, query: IndexQuery): readonly SearchHit[] | undefined {
  const job = query.jobId === undefined ? undefined : database.findJob(query.jobId)
  if (query.jobId !== undefined && job === undefined) return undefined
  if (query.limit === 0) return []
  const terms = chooseTerms(query.query, database.counts)
  const scope = scopeOf(query, job)
  const most = query.limit * CANDIDATES_PER_HIT
  const wanted = { limit: query.limit, scope, weigh: weighByQuery(query.query, database.counts) }
  const find = (within?: Scope): (readonly RankedChunk[])[] => [
    ...(terms ? [rank(database, { match: terms.match, most: within ? MAX_RANKED : most, scope: within })] : []),
    ...(query.vector ? [findNear(database, query.vector, most, within)] : []),
  ]
  const first = find()
  const { hits, outside } = pickHits(database, fuse(first), wanted)
  if (hits.length === query.limit || first.every((candidates) => candidates.length < most)) return hits
  if (terms && !query.vector && outside === 0) {
    // All candidates were of a few pages. To read more of them costs less than to rank those of the scope alone.
    const more = rank(database, { match: terms.match, most: DEEPER * most })
    const deeper = pickHits(database, more, wanted)
    if (deeper.hits.length === query.limit || more.length < DEEPER * most) return deeper.hits
  }
  // Most candidates were of other jobs, or of other pages than the filter's.
  return pickHits(database, fuse(find(scope)), wanted).hits
}

function findNear(
  { vectors }: IndexDatabase,
  vector: NonNullable<IndexQuery['vector']>,
  most: number,
  scope?: Scope,
): readonly RankedChunk[] {
  const within = scope && { sql: chunksIn(scope), values: scope.values }
  return vectors.findNearest({ space: vector.space, query: vector.numbers, most, within })
}

/**
 * Fuses rankings by reciprocal rank: a chunk that two rankings have comes before one that is as good in a single ranking. The scores
 * of words and of vectors cannot be compared themselves.
 *
 * @see https://dl.acm.org/doi/10.1145/1571941.1572114 for the constant
 */
function fuse(rankings: readonly (readonly RankedChunk[])[]): readonly RankedChunk[] {
  const [first, second] = rankings
  if (!first || !second) return first ?? []
  const scores = new Map<number, number>()
  for (const ranking of rankings)
    for (const [at, { chunk }] of ranking.entries())
      scores.set(chunk, (scores.get(chunk) ?? 0) + 1 / (RANK_CONSTANT + at + 1))
  return Array.from(scores, ([chunk, score]) => ({ chunk, score })).sort(
    (a, b) => b.score - a.score || a.chunk - b.chunk,
  )
}

interface Ranking {
  readonly match: string
  /** Maximum candidates. */
  readonly most: number
  /** Limits the candidates to the chunks of some pages. @default all */
  readonly scope?: Scope
}

function rank({ sql }: IndexDatabase, { match, most, scope }: Ranking): RankedChunk[] {
  // The plus keeps SQLite from asking for each chunk of the scope whether it has the words: 12 s instead of 70 ms.
  const within = scope ? `AND +rowid IN (${chunksIn(scope)})` : ''
  // The inner limit bounds the time for words that most chunks have.
  const rows = sql.all(
    `SELECT rowid AS chunk, score FROM (
       SELECT rowid, bm25(words, ${WEIGHTS}) AS score FROM words WHERE words MATCH ? ${within} LIMIT ?
     ) ORDER BY score, chunk LIMIT ?`,
    match,
    ...(scope?.values ?? []),
    2 * MAX_RANKED,
    most,
  )
  return rows.map((row) => ({ chunk: numberOf(row, 'chunk'), score: -numberOf(row, 'score') }))
}

/** Pages with their jobs and contents. */
const VISIBLE = `pages JOIN jobs ON jobs.number = pages.job JOIN contents ON contents.number = pages.content`

interface Scope {
  readonly where: string
  readonly values: readonly SqlValue[]
}

/** The query of SQL for the chunks of some pages. */
const chunksIn = ({ where }: Scope): string =>
  `SELECT chunks.number FROM ${VISIBLE} JOIN chunks ON chunks.content = contents.number WHERE ${where}`

/** Conditions of the pages that a search may find. */
function scopeOf({ filter, nowMs }: IndexQuery, job: number | undefined): Scope {
  const values: SqlValue[] = []
  const use = (condition: string, ...given: SqlValue[]): string => {
    values.push(...given)
    return condition
  }
  const { url, language, after, before } = filter
  const now = Math.round(nowMs)
  const conditions = [
    use('(expires_at IS NULL OR expires_at > ?)', now),
    job === undefined ? use(`is_replaced = 0 AND ${IS_NEWEST}`, now) : use('pages.job = ?', job),
    ...(url === undefined ? [] : [use('substr(pages.url, 1, length(?)) = ?', url, url)]),
    ...(language === undefined
      ? []
      : [
          use(
            `(lower(language) = ? OR lower(substr(language, 1, length(?) + 1)) = ? || '-')`,
            ...threeTimes(language.toLowerCase()),
          ),
        ]),
    ...(after === undefined ? [] : [use('day >= ?', new Date(after).toISOString())]),
    ...(before === undefined ? [] : [use('day < ?', new Date(before).toISOString())]),
  ]
  return { where: conditions.join(' AND '), values }
}

const threeTimes = (text: string): [string, string, string] => [text, text, text]

/** The newest version of a page over all jobs. A page that is gone has a version without content. */
const IS_NEWEST = `NOT EXISTS (SELECT 1 FROM pages AS later JOIN jobs AS other ON other.number = later.job
  WHERE later.url = pages.url AND later.number > pages.number AND (other.expires_at IS NULL OR other.expires_at > ?))`

/** Reads the candidates that may be found, up to the limit. `outside` is the number of those that are not in the scope. */
function pickHits(
  { sql }: IndexDatabase,
  candidates: readonly RankedChunk[],
  { limit, scope, weigh }: { readonly limit: number; readonly scope: Scope; readonly weigh: WeighWord },
): { readonly hits: readonly SearchHit[]; readonly outside: number } {
  const hits: SearchHit[] = []
  let outside = 0
  const perPage = new Map<number, number>()
  for (const { chunk, score } of candidates) {
    if (hits.length === limit) break
    const row = sql.get(
      `SELECT pages.number AS page, pages.url AS url, jobs.id AS job, title, date, language, path, markdown
         FROM ${VISIBLE} JOIN chunks ON chunks.content = contents.number
         WHERE chunks.number = ? AND ${scope.where} ORDER BY pages.number DESC LIMIT 1`,
      chunk,
      ...scope.values,
    )
    const page = row && numberIn(row, 'page')
    if (!row || page === undefined) {
      outside += 1
      continue
    }
    const known = perPage.get(page) ?? 0
    perPage.set(page, known + 1)
    if (known < MAX_PER_PAGE) hits.push(toHit(row, score, weigh))
  }
  // SQLite's scores are below 0.00001 in a small index, and ranks give other numbers: relative to the best one, both mean the same.
  const best = hits[0]?.score ?? 1
  for (const hit of hits) hit.score = best > 0 ? hit.score / best : 1
  return { hits, outside }
}

function toHit(row: SqlRow, score: number, weigh: WeighWord): SearchHit {
  const [title, date, language] = [textIn(row, 'title'), textIn(row, 'date'), textIn(row, 'language')]
  const [url, text] = [textOf(row, 'url'), textOf(row, 'markdown')]
  return compact({
    url,
    title,
    path: parseJson(textOf(row, 'path')) as string[],
    text,
    link: linkToPassage(url, text, weigh),
    score,
    date,
    language,
    jobId: textOf(row, 'job'),
  })
}
