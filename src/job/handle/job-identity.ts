import type { Document } from '../../page/document.js'
import type { CrawlerOptions, PromptedOptions } from '../../plan/crawl/crawl-prompt.js'
import type { JobKind, StartResponse } from '../job.js'
import { JobEmitter } from '../lifecycle/job-emitter.js'
import type { JobOrigin } from '../lifecycle/job-origin.js'
import type { JobStrategy } from '../job-strategy.js'
import type { JobTools } from '../job-tools.js'

/** What a handle says of its job that never changes once it is known. */
export abstract class JobIdentity extends JobEmitter<Document> {
  readonly id: string
  readonly url: string
  readonly kind: JobKind
  readonly createdAt: string
  readonly request: object
  readonly #leavesRecord: boolean
  readonly #course: JobStrategy['promptResolution']

  constructor(
    { kind, version, leavesRecord = false, promptResolution: course }: JobStrategy,
    { jobUrl }: JobTools,
    { id, createdAtMs, request }: JobOrigin,
  ) {
    super()
    this.id = id
    this.url = jobUrl(kind, id, version)
    this.kind = kind
    this.createdAt = new Date(createdAtMs).toISOString()
    this.request = request
    this.#leavesRecord = leavesRecord
    this.#course = course
  }

  /** Whether a later crawl can go by what this job leaves. */
  get leavesRecord(): boolean {
    return this.#leavesRecord
  }

  get promptGeneratedOptions(): PromptedOptions | undefined {
    return this.#course?.generated
  }

  get finalCrawlerOptions(): CrawlerOptions | undefined {
    return this.#course?.final
  }

  abstract get invalidURLs(): readonly string[] | undefined

  /** The start response; what is made of a description stands there as soon as it is known. */
  toJSON(): StartResponse {
    const { id, url, invalidURLs, promptGeneratedOptions, finalCrawlerOptions } = this
    return {
      success: true,
      id,
      url,
      ...(invalidURLs && { invalidURLs: [...invalidURLs] }),
      ...(promptGeneratedOptions && finalCrawlerOptions && { promptGeneratedOptions, finalCrawlerOptions }),
    }
  }
}
