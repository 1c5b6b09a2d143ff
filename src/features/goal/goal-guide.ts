import { compact } from '../../base/collections/compact.js'
import type { CrawlGuide, GuidedCrawl, LinkPlace, LinkRating, NotedRow } from '../../kernel/job/crawl/crawl-guide.js'
import type { JobContext } from '../../kernel/job/job-context.js'
import type { FeatureJobStatus } from '../../kernel/job/job.js'
import type { LedgerRow, Refusal } from '../../kernel/ledger/ledger.js'
import type { ScrapedPage } from '../../kernel/page/scraped-page.js'
import { CrawlGoal, GOAL_START } from './crawl-goal.js'
import { CrawlSearch } from './crawl-search.js'
import type { GoalNote, GoalNotes } from './goal-note.js'
import type { GoalPlan } from './goal-options.js'

const ENOUGH: Refusal = { reason: 'KNOWN', message: 'enough was known for the `goal`: see `until`' }

/** Guides a crawl to the pages that promise most for its goal. */
export class GoalGuide implements CrawlGuide {
  readonly start = GOAL_START
  readonly #goal: CrawlGoal
  readonly #search: CrawlSearch

  constructor(plan: GoalPlan, crawl: GuidedCrawl) {
    this.#goal = new CrawlGoal(plan)
    this.#search = new CrawlSearch(this.#goal, crawl)
  }

  get enough(): Refusal | undefined {
    return this.#goal.isKnown ? ENOUGH : undefined
  }

  get maxPagesAtOnce(): number {
    return this.#goal.maxPagesAtOnce
  }

  get hasRead(): boolean {
    return this.#goal.hasRead
  }

  get status(): FeatureJobStatus {
    return { coverage: this.#goal.coverage }
  }

  async statusOf(notes: AsyncIterable<NotedRow>): Promise<FeatureJobStatus> {
    return { coverage: await this.#goal.coverageOf(notes) }
  }

  begin(context: JobContext): void {
    const { tools, signal } = context
    const warn = (message: string): void => context.warn(message)
    if (tools.embedder) this.#goal.useVectors({ embedder: tools.embedder, signal, warn })
  }

  restore(note: GoalNotes, row: LedgerRow, context: JobContext): void {
    this.#search.restore(note, row, context)
    if (note.goal) this.#goal.restore(row, note.goal)
  }

  addPage(page: ScrapedPage): Promise<GoalNote | undefined> {
    return this.#goal.addPage(page.document.metadata.url, page)
  }

  rate(link: Parameters<CrawlGuide['rate']>[0], at: LinkPlace, page?: GoalNote): LinkRating {
    return this.#goal.rate(link, { ...at, relevance: page?.relevance ?? 0 })
  }

  findPages(row: LedgerRow, page: ScrapedPage, context: JobContext): Promise<(() => Promise<void>) | undefined> {
    return this.#search.read(row, page, context)
  }

  addLinks(rows: readonly LedgerRow[]): void {
    this.#goal.addLinks(rows)
  }

  endPage(row: LedgerRow, page: GoalNote | undefined): GoalNotes {
    return compact({ goal: page && this.#goal.endPage(row, page), ...this.#search.notedFor(row.url) })
  }
}
