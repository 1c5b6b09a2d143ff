import type { PageModel } from '../enrich/format.js'
import { followSignals } from '../concurrency/deadline.js'
import { ModelError } from '../llm/llm.js'
import { emptyUsage, type PageModelUsage } from '../llm/model-client.js'
import { Spending } from '../llm/spending.js'
import type { PageContext } from './page-context.js'

/** The language model, as long as a page is worked on. */
export interface PageModelLease extends Disposable {
  /** Undefined where there is none. */
  readonly model: PageModel | undefined
  /** Requests so far, and their tokens. */
  readonly usage: PageModelUsage
}

/** Share of a page's time that is left for the rest of it when a model takes long; {@link MAX_LAST_MS} at most. */
const LAST_SHARE = 0.1
const MAX_LAST_MS = 2000

/**
 * Opens the language model for a page. It has to answer a little before the page's time is up, so that a slow model costs the page
 * its answer and not everything else.
 */
export function openPageModel({ request, plan, tools, deadline }: PageContext): PageModelLease {
  const { spending = new Spending() } = request
  const { timeoutMs } = plan.fetch
  const { model: client, partTokens } = tools
  const usage = emptyUsage()
  if (!client) return { model: undefined, usage, [Symbol.dispose]: () => undefined }
  const time = followSignals(deadline.signal)
  const lastMs = Math.min(timeoutMs * LAST_SHARE, MAX_LAST_MS)
  const stop = deadline.clock.after(timeoutMs - lastMs, () =>
    time.abort(new ModelError(`the model was not done when the page's \`timeout\` of ${timeoutMs} ms was nearly up`)),
  )
  const mayCache = plan.keepsNothing !== true
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
