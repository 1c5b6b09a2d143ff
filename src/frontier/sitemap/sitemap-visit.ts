import { TrawlError } from '../../errors.js'
import { readSitemap } from './read-sitemap.js'
import { describeStatus, isSuccess } from '../site-file.js'
import type { SitemapFinding, SitemapTrouble } from './sitemap-finding.js'
import type { SitemapItem } from './sitemap-item.js'
import type { PlannedSitemap, SitemapAnswer, SitemapQueue } from './sitemap-queue.js'

/** What visits have in common. */
export interface SitemapVisits {
  /** Takes the sitemaps that a file names. */
  readonly queue: SitemapQueue
  /** URLs of the files read so far, after redirects. */
  readonly read: Set<string>
  readonly limits: { readonly files: number; readonly fileBytes: number; readonly depth: number }
  /** Ends the visit without a word. */
  readonly signal: AbortSignal
}

/**
 * Reads what came for a sitemap: gives its pages and troubles, and puts the sitemaps that it names into the queue.
 *
 * @returns whether it is a sitemap, and how many pages it names
 */
export async function* visitSitemap(
  planned: PlannedSitemap,
  answer: SitemapAnswer,
  visits: SitemapVisits,
): AsyncGenerator<SitemapFinding, { readonly isSitemap: boolean; readonly pages: number }, void> {
  const { queue, limits } = visits
  const { url: from, isGuess, page } = planned
  const results = { added: 0, known: 0, loop: 0, deep: 0, full: 0 }
  let isSitemap = false
  let pages = 0
  const trouble = (problem: string): SitemapTrouble => ({
    kind: 'problem',
    sitemap: from,
    problem,
    isGuess: isGuess && !isSitemap,
  })
  for await (const item of readAnswer(planned, answer, visits)) {
    if (item.kind === 'format') {
      isSitemap = true
    } else if (item.kind === 'problem') {
      // A page after all has a place of its own in the crawl, where its trouble shows.
      yield page && !isSitemap ? page : trouble(item.problem)
    } else if (item.kind === 'sitemap') {
      results[queue.add({ url: item.url, isGuess: false, parent: planned })]++
    } else {
      const entry = { ...item, from }
      const result = isNamedSitemap(item.url)
        ? queue.add({ url: item.url, isGuess: false, parent: planned, page: entry })
        : undefined
      if (result !== undefined && result !== 'deep' && result !== 'full') continue
      pages += 1
      yield entry
    }
  }
  const { loop, deep, full } = results
  const problems = [
    loop > 0 && 'names itself, or an index that led to it',
    deep > 0 && `names ${deep} sitemaps more than ${limits.depth} indexes deep, which are not read`,
    full > 0 && `names ${full} sitemaps that are not read: no more than ${limits.files} are`,
  ]
  for (const problem of problems) if (problem) yield trouble(problem)
  return { isSitemap, pages }
}

/** A file in a list of pages that is a sitemap all the same: sites without an index name them there. */
function isNamedSitemap(url: string): boolean {
  if (!/sitemap/i.test(url)) return false
  const name = new URL(url).pathname.split('/').at(-1) ?? ''
  return /sitemap/i.test(name) && /\.xml(?:\.gz)?$/i.test(name)
}

async function* readAnswer(
  { isGuess }: PlannedSitemap,
  answer: SitemapAnswer,
  { read, limits, signal }: SitemapVisits,
): AsyncGenerator<SitemapItem, void, void> {
  if (answer instanceof TrawlError) {
    yield { kind: 'problem', problem: `cannot be had: ${answer.message}` }
  } else if (!isSuccess(answer)) {
    const isNowhere = answer.statusCode === 404 || answer.statusCode === 410
    if (!isGuess || !isNowhere) yield { kind: 'problem', problem: describeStatus(answer) }
  } else if (!read.has(answer.url)) {
    read.add(answer.url)
    yield* readSitemap(answer, limits.fileBytes, signal)
  }
}
