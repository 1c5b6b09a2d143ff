import type { Job } from '../../kernel/job/job.js'
import type { Document } from '../../kernel/page/document.js'

/** Part of a job that a report reads. */
export interface ReportedJob extends Pick<Job<Document>, 'status' | 'urls' | 'request'> {
  /** `pages` for documents whose job is not known. */
  readonly kind: Job<Document>['kind'] | 'pages'
  /** Absent for documents whose job is not known. */
  readonly id?: string
  /** As that of a job; of a job that is read without an engine, without a decision for URLs that it never saw. */
  readonly explain?: Job<Document>['explain']
}
