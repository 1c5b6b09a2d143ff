import type { Document } from '../document.js'
import type { JobKind } from './job.js'
import { JobEmitter } from './job-emitter.js'
import type { JobOrigin } from './job-origin.js'
import type { JobScript } from './job-script.js'
import type { JobTools } from './job-tools.js'

/** What a handle says of its job that never changes. */
export class JobIdentity extends JobEmitter<Document> {
  readonly id: string
  readonly url: string
  readonly kind: JobKind
  readonly createdAt: string
  readonly request: object
  readonly #leavesRecord: boolean

  constructor(
    { kind, leavesRecord = false }: JobScript,
    { jobUrl }: JobTools,
    { id, createdAtMs, request }: JobOrigin,
  ) {
    super()
    this.id = id
    this.url = jobUrl(kind, id)
    this.kind = kind
    this.createdAt = new Date(createdAtMs).toISOString()
    this.request = request
    this.#leavesRecord = leavesRecord
  }

  /** Whether a later crawl can go by what this job leaves. */
  get leavesRecord(): boolean {
    return this.#leavesRecord
  }
}
