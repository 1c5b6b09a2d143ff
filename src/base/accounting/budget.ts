/**
 * Limits of a job. When one of them is reached, no further page is started, pages under way are finished, and the job ends with the
 * rest of its URLs queued: `job.resume({ budget })` continues with a larger budget.
 */
export interface JobBudget {
  /** Bytes of pages and sitemaps on the wire; in a browser, of everything that a page loads. From 1. @default no limit */
  readonly bytes?: number
  /** Requests for pages and sitemaps, with redirects, retries and everything that a browser loads for a page. From 1. @default no limit */
  readonly requests?: number
  /** Total time of pages in the browser. Seconds, above 0. @default no limit */
  readonly browserSeconds?: number
  /**
   * Tokens of the engine's language model, of requests and answers together, from 1. Never exceeded: a request is sent only when its
   * maximum (a token for each of its bytes, and `maxOutputTokens`, or 256 near the limit) still fits.
   * @default no limit
   */
  readonly modelTokens?: number
  /** Cost of the model, in the currency of the engine's `modelOptions.price`; above 0, never exceeded. @default no limit */
  readonly modelCost?: number
  /**
   * Run time of the job. Pauses count; the time after a stop, or between two processes that run the job, does not.
   * Seconds, above 0. @default no limit
   */
  readonly seconds?: number
}

/** Name of a limit of a {@link JobBudget}. */
export type BudgetLimit = keyof JobBudget

/** Use of each limit of a {@link JobBudget} so far, by all processes that have run the job. */
export type JobUse = { readonly [Limit in BudgetLimit]-?: number }

/** Use of a job that has not started. */
export const noUse: JobUse = { bytes: 0, requests: 0, browserSeconds: 0, modelTokens: 0, modelCost: 0, seconds: 0 }

/** Finds the first limit that is reached; undefined when none is. */
export const findUsedUp = (budget: JobBudget, use: JobUse): BudgetLimit | undefined =>
  (Object.keys(noUse) as BudgetLimit[]).find((limit) => use[limit] >= (budget[limit] ?? Infinity))

/** Replaces some limits of a budget; the others stay. */
export const changeBudget = (budget: JobBudget, change: JobBudget): JobBudget => ({
  ...budget,
  ...Object.fromEntries(Object.entries(change).filter(([, limit]) => limit !== undefined)),
})

/** Picks the limits that hold for a single page as well: those of the model. */
export const modelBudgetOf = ({ modelTokens, modelCost }: JobBudget): { tokens?: number; cost?: number } => ({
  tokens: modelTokens,
  cost: modelCost,
})
