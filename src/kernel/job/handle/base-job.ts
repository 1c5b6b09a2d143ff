import { inspect, type InspectOptions } from 'node:util'
import { TrawlError } from '../../../base/errors.js'
import type { ListRow } from '../../../content/extract/list/page-list.js'
import type { LedgerRow } from '../../ledger/ledger.js'
import type { Spending } from '../../../base/llm/spending.js'
import type { Document } from '../../page/document.js'
import type { RowQuery } from '../../plan/row-query.js'
import type { Answer } from '../../../features/search/answer.js'
import type { SearchHit } from '../../../features/search/search-index.js'
import type { AskOptions, SearchOptions } from '../../../features/search/search-options.js'
import { readItems } from '../delivery/read-items.js'
import type { PageActivity } from '../job-activity.js'
import type { StartResponse } from '../job.js'
import type { JobStrategy } from '../job-strategy.js'
import type { JobTools } from '../job-tools.js'
import { JobEmitter } from '../lifecycle/job-emitter.js'

/** The budget of a job for its language model. */
export interface AskBudget {
  readonly spending: Spending
  /** Records what was used. */
  record(): Promise<void>
}

/** A job whose pages are searched in the index of this engine, and whose lists are read as rows. */
export abstract class BaseJob extends JobEmitter<Document> implements AsyncIterable<Document> {
  readonly id: string
  readonly #hasRows: boolean
  readonly #tools: Pick<JobTools, 'search' | 'ask'>

  constructor(id: string, { page }: Pick<JobStrategy, 'page'>, tools: Pick<JobTools, 'search' | 'ask'>) {
    super()
    this.id = id
    this.#hasRows = page.digest.extract.list !== undefined
    this.#tools = tools
  }

  abstract [Symbol.asyncIterator](): AsyncIterableIterator<Document>

  abstract readonly request: object

  abstract urls(query?: RowQuery): AsyncIterableIterator<LedgerRow>

  abstract toJSON(): StartResponse

  /** URL of the request of a crawl; undefined for a batch. */
  get startUrl(): string | undefined {
    const { url } = this.request as { readonly url?: string }
    return url
  }

  rows(query?: RowQuery): AsyncIterableIterator<LedgerRow> {
    return this.urls(query)
  }

  /** Prints what JSON has of the job: `request` has headers and a webhook, and `console.log(job)` must not write them to a log. */
  [inspect.custom](_depth: number, options: InspectOptions): string {
    return `Job ${inspect(this.toJSON(), options)}`
  }

  /** Lists the pages under way as the ledger has them, for a job that another process runs. */
  async activity(): Promise<readonly PageActivity[]> {
    const pages: PageActivity[] = []
    for await (const { url, attempts } of this.urls({ outcome: 'active' }))
      pages.push({ url, attempt: attempts.length + 1 })
    return pages
  }

  items(): AsyncIterableIterator<ListRow> {
    if (!this.#hasRows) {
      const message = `job ${this.id} has no rows: \`items()\` needs \`list\` among the \`formats\` of its pages`
      throw new TrawlError('BAD_REQUEST', message)
    }
    return readItems(this[Symbol.asyncIterator]())
  }

  async search(query: string, options?: SearchOptions): Promise<readonly SearchHit[]> {
    return this.#tools.search(query, options, this.id)
  }

  async ask(question: string, options: AskOptions = {}): Promise<Answer> {
    const budget = this.openBudget()
    if (!budget) {
      const message = `job ${this.id} is run by another engine, which has its \`budget\`: call \`ask\` there`
      throw new TrawlError('BAD_REQUEST', message)
    }
    try {
      return await this.#tools.ask(question, options, { jobId: this.id, spending: budget.spending })
    } finally {
      await budget.record()
    }
  }

  /** The budget of the job; undefined where another engine has it. */
  protected openBudget(): AskBudget | undefined {
    return undefined
  }
}
