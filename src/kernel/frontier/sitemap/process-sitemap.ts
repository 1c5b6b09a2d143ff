import { TrawlError } from '../../../base/errors.js'
import { transientStatuses } from '../../../base/http/statuses.js'
import { readSitemap, type SitemapFileLimits } from '../../../content/sitemap/read-sitemap.js'
import { describeStatus, isSuccess } from '../../../base/http/site-file.js'
import type { SitemapFinding, SitemapProblem } from '../../../content/sitemap/sitemap-finding.js'
import type { SitemapItem } from '../../../content/sitemap/sitemap-item.js'
import { type QueuedSitemap, type SitemapResponse, type SitemapQueue, withoutFragment } from './sitemap-queue.js'

/** State shared by the sitemaps of a search. */
interface SitemapContext {
  /** Receives the sitemaps that a file lists. */
  readonly queue: SitemapQueue
  /** URLs of the sitemaps read so far, after redirects. */
  readonly read: Set<string>
  /** URLs of the guesses that were no sitemaps. */
  readonly wrongGuesses: Set<string>
  readonly limits: SitemapFileLimits & { readonly files: number; readonly depth: number }
  /** Stops reading without an error. */
  readonly signal: AbortSignal
}

/**
 * Reads the response for a sitemap: yields its pages and problems, and queues the sitemaps that it lists.
 *
 * @returns true in `isSitemap` when the response is a sitemap, and the number of pages that it lists
 */
export async function* processSitemap(
  queued: QueuedSitemap,
  answer: SitemapResponse,
  context: SitemapContext,
): AsyncGenerator<SitemapFinding, { readonly isSitemap: boolean; readonly pages: number }, void> {
  const { queue, read, wrongGuesses, limits } = context
  const { url: from, isGuess, page } = queued
  const results = { added: 0, known: 0, loop: 0, deep: 0, full: 0 }
  const isKnown = isRead(answer, read)
  let isSitemap = false
  let pages = 0
  const toProblem = (problem: string): SitemapProblem => ({
    kind: 'problem',
    sitemap: from,
    problem,
    isGuess: isGuess && !isSitemap,
    isUnread: answer instanceof TrawlError || !isSuccess(answer),
    isFailure: answer instanceof TrawlError || transientStatuses.has(answer.statusCode),
  })
  for await (const item of readAnswer(queued, answer, context)) {
    if (item.kind === 'format') {
      isSitemap = true
      if (!(answer instanceof TrawlError)) read.add(answer.url)
    } else if (item.kind === 'problem') {
      // A listed URL that only looked like a sitemap is reported as a page, and crawled as one.
      const isPage = page !== undefined && !isSitemap
      const problem = toProblem(item.problem)
      if (isPage) {
        pages += 1
        yield page
      }
      // Without an answer it may be either.
      if (!isPage || problem.isFailure) yield problem
    } else if (item.kind === 'sitemap') {
      results[queue.add({ url: item.url, isGuess: false, parent: queued })]++
    } else {
      const entry = { ...item, from }
      const result =
        isNamedSitemap(item.url) && !wrongGuesses.has(withoutFragment(item.url))
          ? queue.add({ url: item.url, isGuess: false, parent: queued, page: entry })
          : undefined
      if (result !== undefined && result !== 'deep' && result !== 'full') continue
      pages += 1
      yield entry
    }
  }
  if (isGuess && !isSitemap && !isKnown) wrongGuesses.add(from)
  const { loop, deep, full } = results
  const problems = [
    loop > 0 && 'names itself, or an index that led to it',
    deep > 0 && `names ${deep} sitemaps more than ${limits.depth} indexes deep, which are not read`,
    full > 0 && `names ${full} sitemaps that are not read: no more than ${limits.files} are`,
  ]
  for (const problem of problems) if (problem) yield toProblem(problem)
  return { isSitemap, pages }
}

/**
 * Returns true if an entry of a sitemap looks like another sitemap. Sites without a sitemap index list them among their
 * pages.
 */
function isNamedSitemap(url: string): boolean {
  if (!/sitemap/i.test(url)) return false
  const name = new URL(url).pathname.split('/').at(-1) ?? ''
  return /sitemap/i.test(name) && /\.xml(?:\.gz)?$/i.test(name)
}

async function* readAnswer(
  { isGuess }: QueuedSitemap,
  answer: SitemapResponse,
  { read, limits, signal }: SitemapContext,
): AsyncGenerator<SitemapItem, void, void> {
  if (answer instanceof TrawlError) {
    // The time of a file is not the `timeout` of a page, which the message names.
    const cause = answer.code === 'SCRAPE_TIMEOUT' ? 'it took too long' : answer.message
    yield { kind: 'problem', problem: `could not be fetched: ${cause}` }
  } else if (!isSuccess(answer)) {
    const isMissing = answer.statusCode === 404 || answer.statusCode === 410
    if (!isGuess || !isMissing) yield { kind: 'problem', problem: describeStatus(answer) }
  } else if (!isRead(answer, read)) {
    yield* readSitemap(answer, limits, signal)
  }
}

/** Tests for a response that was read as a sitemap before, under this URL or one that redirects there. */
const isRead = (answer: SitemapResponse, read: ReadonlySet<string>): boolean =>
  !(answer instanceof TrawlError) && isSuccess(answer) && read.has(answer.url)
