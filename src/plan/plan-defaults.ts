import type { JobBudget } from '../accounting/budget.js'
import type { FetcherChoice } from '../fetch/fetcher.js'
import type { ImageParser } from '../parse/image-parser.js'
import type { ParsePlan } from '../parse/parser.js'

/** What the engine sets for every job: it holds where a request says nothing. */
export interface PlanDefaults {
  /** Pages at once, in the whole engine: no job has more. */
  readonly maxConcurrency: number
  /** Pages that may wait for their sites beside those. @default 0 */
  readonly maxLent?: number
  /** For a whole page, when the request gives no `timeout`. Milliseconds. */
  readonly timeoutMs: number
  /** Which fetchers may be used. */
  readonly fetcher: FetcherChoice
  /** How much older than asked a stored page may be where its site fails. Milliseconds; 0 for not at all. */
  readonly staleIfErrorMs: number
  /** Whether every page whose Markdown was made is kept to be compared with later. */
  readonly keepsSnapshots: boolean
  /** Parser of images, if any. */
  readonly imageParser?: ImageParser | undefined
  /** The most tokens of a page in one request to a model. */
  readonly partTokens: number
  /** What a job may take up that names no budget of its own. */
  readonly budget: JobBudget
  /** Bounds on what a parser may build. */
  readonly parse: ParsePlan
}
