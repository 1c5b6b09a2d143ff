import type { JobPlan } from './job-plan.js'

/** Plan of a batch. */
export interface BatchPlan extends JobPlan {
  /** Valid URLs in input order, in the caller's spelling; duplicates kept. */
  readonly urls: readonly string[]
  /** Invalid URLs that are left out, verbatim, in input order; absent when `ignoreInvalidURLs` is false. */
  readonly invalidURLs?: readonly string[]
}
