import type { PageModel } from '../enrich/format.js'
import { type Deadline, followSignals } from '../concurrency/deadline.js'
import type { PageRequest } from '../fetch/fetcher.js'
import { ModelError } from '../llm/llm.js'
import { emptyUsage, type ModelClient, type PageModelUsage } from '../llm/model-client.js'
import { Spending } from '../llm/spending.js'
import type { ScrapePlan } from '../plan/scrape-plan.js'

/** The language model for the length of a page. */
export interface PageModelLease extends Disposable {
  /** Undefined where there is none. */
  readonly model: PageModel | undefined
  /** What it was asked so far. */
  readonly usage: PageModelUsage
}

/** Of a page's time, what is kept for the rest of it when a model takes long: a tenth, and at most two seconds. */
const LAST_PART = 0.1
const MAX_LAST_MS = 2000

/**
 * Opens the model for a page. It has to answer a little before the page's time is up, so that a slow one costs the page its answer
 * and not everything else.
 */
export function openPageModel(
  { spending = new Spending() }: PageRequest,
  { fetch: { timeoutMs }, keepsNothing }: ScrapePlan,
  { model: client, partTokens }: { readonly model: ModelClient | undefined; readonly partTokens: number },
  deadline: Deadline,
): PageModelLease {
  const usage = emptyUsage()
  if (!client) return { model: undefined, usage, [Symbol.dispose]: () => undefined }
  const time = followSignals(deadline.signal)
  const lastMs = Math.min(timeoutMs * LAST_PART, MAX_LAST_MS)
  const stop = deadline.clock.after(timeoutMs - lastMs, () =>
    time.abort(new ModelError(`the model was not done when the page's \`timeout\` of ${timeoutMs} ms was nearly up`)),
  )
  const mayCache = keepsNothing !== true
  const caller = { signal: time.signal, spending, mayCache, usage }
  return {
    model: {
      partTokens,
      signal: time.signal,
      ask: (question) => client.ask(question, caller),
      recall: (name) => (mayCache ? client.recall(name) : undefined),
      remember: (name, text) => (mayCache ? client.remember(name, text) : undefined),
    },
    usage,
    [Symbol.dispose]: () => {
      stop()
      time[Symbol.dispose]()
    },
  }
}
