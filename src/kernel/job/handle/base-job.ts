import { inspect, type InspectOptions } from 'node:util'
import { compact } from '../../../base/collections/compact.js'
import type { LedgerRow } from '../../ledger/ledger.js'
import type { Document } from '../../page/document.js'
import type { CrawlerOptions, PromptedOptions } from '../../plan/crawl/prompted-options.js'
import type { RowQuery } from '../../plan/row-query.js'
import type { PageActivity, JobKind, StartResponse } from '../job.js'
import type { CalledJob, CalledLedger, FeatureJobCalls, JobOutcome, OpenBudget } from '../job-hooks.js'
import type { JobStrategy } from '../job-strategy.js'
import type { JobTools } from '../job-tools.js'
import { JobEmitter } from '../lifecycle/job-emitter.js'

/** An emitter with the calls of features, which the constructor of a job adds. */
const FeaturedEmitter = JobEmitter as unknown as new () => JobEmitter<Document> & FeatureJobCalls

/** A job that features can be called on. */
export abstract class BaseJob extends FeaturedEmitter implements AsyncIterable<Document>, CalledJob {
  readonly id: string
  readonly #features: JobStrategy['plan']['features']

  constructor(id: string, { plan }: JobStrategy, { extensions }: JobTools) {
    super()
    this.id = id
    this.#features = plan.features
    for (const { jobCalls } of extensions) if (jobCalls) Object.assign(this, jobCalls)
  }

  abstract [Symbol.asyncIterator](): AsyncIterableIterator<Document>

  abstract readonly kind: JobKind

  abstract readonly request: object

  abstract finished(): Promise<JobOutcome>

  abstract urls(query?: RowQuery): AsyncIterableIterator<LedgerRow>

  abstract readonly url: string

  protected abstract readonly strategy: JobStrategy

  get invalidURLs(): readonly string[] | undefined {
    return this.strategy.list?.invalidURLs
  }

  get promptGeneratedOptions(): PromptedOptions | undefined {
    return this.strategy.crawl?.prompt?.generated
  }

  get finalCrawlerOptions(): CrawlerOptions | undefined {
    return this.strategy.crawl?.prompt?.final
  }

  /** Creates the start response. Options generated from a `prompt` are included once they are known. */
  toJSON(): StartResponse {
    const { id, url, invalidURLs, promptGeneratedOptions, finalCrawlerOptions } = this
    return compact({
      success: true as const,
      id,
      url,
      invalidURLs: invalidURLs && [...invalidURLs],
      promptGeneratedOptions: finalCrawlerOptions && promptGeneratedOptions,
      finalCrawlerOptions: promptGeneratedOptions && finalCrawlerOptions,
    })
  }

  /** URL of the request of a crawl; undefined for a batch. */
  get startUrl(): string | undefined {
    const { url } = this.request as { readonly url?: string }
    return url
  }

  rows(query?: RowQuery): AsyncIterableIterator<LedgerRow> {
    return this.urls(query)
  }

  /** Prints what JSON has of the job: `request` has headers and addresses of receivers, and `console.log(job)` must not write them to a log. */
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

  sliceOf(feature: string): unknown {
    return this.#features?.[feature]
  }

  abstract openLedger(): Promise<CalledLedger>

  /** Opens the budget of the job for its language model; undefined where another engine has it. */
  openBudget(): OpenBudget | undefined {
    return undefined
  }
}
