import type { GoalCoverage } from 'trawl'
import { CrawlGoal } from '../../src/features/goal/crawl-goal.js'
import type { GoalPlan } from '../../src/features/goal/goal-options.js'
import { CrawlSearch } from '../../src/features/goal/crawl-search.js'
import type { JobContext } from '../../src/kernel/job/job-context.js'
import { LinkJudge } from '../../src/kernel/job/discovery/judge-links.js'
import { RowIndex } from '../../src/kernel/ledger/rows/row-index.js'
import type { LedgerRow, UrlCandidate } from '../../src/kernel/ledger/ledger.js'
import type { ScrapedPage } from '../../src/kernel/page/pipeline.js'
import type { CrawlPlan } from '../../src/kernel/plan/crawl-plan.js'
import type { Embedder } from '../../src/base/llm/embedder.js'
import { pageKey } from '../../src/kernel/frontier/duplicates/same-page.js'
import type { FoundLink } from '../../src/content/extract/extracted-page.js'
import type { GoalFindings } from '../../src/features/goal/goal-reader.js'
import { readSiteIndex, type SiteIndexTask } from '../../src/features/goal/site-search/read-site-index.js'
import type { StoredPages } from './stored-pages.js'

/** A simulated crawl. */
export interface SimulatedCrawl {
  /** Paths of the pages in the order in which they were leased, below the folder of the site. */
  readonly paths: readonly string[]
  /** Number of pages leased when enough was known; undefined if it never was. */
  readonly knownAfter: number | undefined
  readonly coverage: GoalCoverage | undefined
  /** Number of requests for files of search indexes, which are no pages. */
  readonly indexRequests: number
}

/** A page that was read. */
interface ReadPage {
  readonly links: readonly FoundLink[]
  readonly page?: GoalFindings
}

/**
 * Crawls a site without HTTP, with the engine's own queue, judgement of links and goal, in the order of its page turns.
 *
 * @param isDone tells when to end, from the pages leased so far, and whether enough is known
 */
export async function simulateCrawl(
  pages: StoredPages,
  plan: CrawlPlan,
  isDone: (paths: readonly string[], isKnown: boolean) => boolean,
  embedder?: Embedder,
): Promise<SimulatedCrawl> {
  const asked = plan.features?.['goal'] as GoalPlan | undefined
  const goal = asked && new CrawlGoal(asked)
  if (embedder) goal?.useVectors({ embedder, signal: new AbortController().signal, warn: () => undefined })
  const reader = asked && pages.openGoal(asked.terms)
  const index = new RowIndex({ limit: Infinity, holdLevelMs: 0, order: goal ? 'place' : 'depth' })
  const judge = new LinkJudge()
  const key = pageKey(new URL(plan.start), plan.scope)
  index.admit([{ key, url: plan.start, via: 'seed', depth: 0, place: [-1, 0] }], 0)
  const paths: string[] = []
  const turns: LedgerRow[] = []
  const read = (url: string): ReadPage | undefined => {
    if (reader) return reader.find(url)
    const links = pages.linksOf(url)
    return links && { links }
  }
  const context = createContext(pages, index)
  const search =
    goal &&
    // A site in files has no robots.txt.
    new CrawlSearch(goal, { scope: plan.scope, plan: { ...plan, robots: { ...plan.robots, obey: false } } })
  let knownAfter: number | undefined
  let coverage: GoalCoverage | undefined
  // In order of depth, pages at once make no difference: a level begins when the one before has been read.
  const size = (): number => (goal ? Math.min(plan.throttle.maxConcurrency, goal.maxPagesAtOnce) : 1)
  while (!isDone(paths, knownAfter !== undefined)) {
    const leased = turns.length < size() ? index.lease({ nowMs: 0 }) : undefined
    if (leased) {
      paths.push(pages.pathOf(leased.url))
      turns.push(leased)
      continue
    }
    const row = turns.shift()
    if (!row) break
    const found = read(row.url)
    const note = found && (await goal?.addPage(row.url, { found: found.page, links: found.links }))
    const { links = [], page } = found ?? {}
    const scraped = { links, found: page, document: { metadata: { url: row.url } } } as unknown as ScrapedPage
    const admitFound = await search?.read(row, scraped, context)
    if (found) {
      const rate =
        goal &&
        ((link: FoundLink, at: { depth: number; index: number; key: string }) =>
          goal.rate(link, { ...at, relevance: note?.relevance ?? 0 }))
      for (const slice of judge.judge(row, scraped, { scope: plan.scope, obeyMeta: plan.robots.obeyMeta, rate })) {
        const added = index.admit(slice, 0)
        goal?.addLinks(added)
      }
    }
    await admitFound?.()
    if (note) goal?.endPage(row, note)
    index.end(row.key, { outcome: 'done', documents: [], bytes: 0 }, { nowMs: 0 })
    if (!goal?.isKnown || knownAfter !== undefined) continue
    knownAfter = paths.length
    coverage = goal.coverage
  }
  reader?.save()
  return { paths, knownAfter, coverage, indexRequests: context.requests.length }
}

/** Creates what the reader of search indexes uses of a job. */
function createContext(pages: StoredPages, index: RowIndex): JobContext & { readonly requests: string[] } {
  const requests: string[] = []
  const context = {
    requests,
    signal: new AbortController().signal,
    warn: (warning: string) => console.warn(warning),
    background: { run: (task: () => Promise<void>) => void task() },
    tools: { setTimer: () => () => undefined, task: async (_name: string, task: SiteIndexTask) => readSiteIndex(task) },
    admit: async (candidates: readonly UrlCandidate[]) => index.admit(candidates, 0),
    getFile: async (url: string) => {
      requests.push(url)
      const body = pages.fileOf(url)
      return { url, statusCode: body ? 200 : 404, body: body ?? new Uint8Array() }
    },
  }
  return context as unknown as JobContext & { readonly requests: string[] }
}
