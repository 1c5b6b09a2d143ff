import type { ModelAnswer } from './llm.js'
import type { ModelQuestion } from './model-client.js'

/** The language model as one page may use it: within the page's time and the job's budget. */
export interface PageModel {
  /** Maximum tokens of page text in one request. */
  readonly partTokens: number
  /** Aborted when the model's part of the page's time is up. */
  readonly signal: AbortSignal
  /** @throws ModelError when the model gives no answer; the abort reason of the page */
  ask(question: ModelQuestion): Promise<ModelAnswer>
  /** Returns a text stored with `remember`, if caching is allowed. */
  recall(name: string): string | undefined
  /** Stores a text under a name, for other jobs as well, if caching is allowed. */
  remember(name: string, text: string): void
}
