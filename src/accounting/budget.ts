/**
 * The most that a job may take up. When one of these is used up, no further page is started, those under way come to their
 * end, and the job ends with the rest of its URLs queued: `job.resume({ budget })` goes on with a larger one.
 */
export interface JobBudget {
  /** Bytes of pages and sitemaps, as they come over the wire; in a browser of all that it loads for a page. From 1. @default no limit */
  readonly bytes?: number | undefined
  /** Requests sent for pages and sitemaps: redirects, retries and what a browser loads for a page count. From 1. @default no limit */
  readonly requests?: number | undefined
  /** Time that pages spend in the browser, together. Seconds, above 0. @default no limit */
  readonly browserSeconds?: number | undefined
  /**
   * Tokens of the engine's language model, of requests and answers together, from 1. A request is sent only when the most that it
   * can take (a token for each of its bytes, and `maxOutputTokens`, or 256 at its end) still fits, so that it is never exceeded.
   * @default no limit
   */
  readonly modelTokens?: number | undefined
  /** Money for the model, in that of the engine's `modelOptions.price`; above 0, and never exceeded. @default no limit */
  readonly modelCost?: number | undefined
  /** Time that the job runs, from its start, pauses included; not while it has stopped or is parked. Seconds, above 0. @default no limit */
  readonly seconds?: number | undefined
}

/** One of the limits of a {@link JobBudget}. */
export type BudgetLimit = keyof JobBudget

/** What a job has taken up so far, in all processes that were at it: what its {@link JobBudget} is held against. */
export type JobUse = { readonly [Limit in BudgetLimit]-?: number }

/** Nothing taken up yet. */
export const noUse: JobUse = { bytes: 0, requests: 0, browserSeconds: 0, modelTokens: 0, modelCost: 0, seconds: 0 }

/** The first limit that is used up; undefined when none is. */
export const findUsedUp = (budget: JobBudget, use: JobUse): BudgetLimit | undefined =>
  (Object.keys(noUse) as BudgetLimit[]).find((limit) => use[limit] >= (budget[limit] ?? Infinity))

/** A budget with some of its limits set anew; the others stay. */
export const changeBudget = (budget: JobBudget, change: JobBudget): JobBudget => ({
  ...budget,
  ...Object.fromEntries(Object.entries(change).filter(([, limit]) => limit !== undefined)),
})

/** The part of a budget that a single page has to keep to: the model's. */
export const modelBudgetOf = ({ modelTokens, modelCost }: JobBudget): { tokens?: number; cost?: number } => ({
  ...(modelTokens !== undefined && { tokens: modelTokens }),
  ...(modelCost !== undefined && { cost: modelCost }),
})
