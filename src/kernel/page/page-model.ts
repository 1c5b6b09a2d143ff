import type { PageModel } from '../../base/llm/page-model.js'
import { followSignals } from '../../base/concurrency/deadline.js'
import { type ModelAnswer, ModelError } from '../../base/llm/llm.js'
import {
  emptyUsage,
  type ModelCaller,
  type ModelClient,
  type ModelQuestion,
  type PageModelUsage,
} from '../../base/llm/model-client.js'
import { Spending } from '../../base/llm/spending.js'
import type { PageContext } from './page-context.js'
import type { PageRewriter } from './page-rewriter.js'

/** The language model for the formats of one page. Disposed of when the page is done. */
export interface PageModelLease extends Disposable {
  /** Undefined if none is configured. */
  readonly model: PageModel | undefined
  /** Requests so far, and their tokens. */
  readonly usage: PageModelUsage
}

/**
 * Share of a page's timeout that the model may not use, at most {@link MAX_RESERVED_MS}. It is left for the other
 * formats.
 */
const RESERVED_SHARE = 0.1
const MAX_RESERVED_MS = 2000

/** Asks a model without what is rewritten. */
async function askRewritten(
  client: ModelClient,
  question: ModelQuestion,
  { caller, rewriter }: { readonly caller: ModelCaller; readonly rewriter: PageRewriter },
): Promise<ModelAnswer> {
  await rewriter.read(question.prompt, caller.signal)
  return await client.ask({ ...question, prompt: rewriter.rewrite(question.prompt) }, caller)
}

const NO_MODEL: PageModelLease = {
  model: undefined,
  usage: Object.freeze(emptyUsage()),
  [Symbol.dispose]: () => undefined,
}

/**
 * Opens the language model for a page. Its requests are aborted shortly before the page's timeout, so that a slow model
 * costs the page its answer only, and not the other formats.
 */
export function openPageModel({ request, plan, tools, deadline }: PageContext): PageModelLease {
  const { model: client, partTokens } = tools
  if (!client) return NO_MODEL
  const { spending = new Spending() } = request
  const { timeoutMs } = plan.fetch
  const usage = emptyUsage()
  const time = followSignals(deadline.signal)
  const reservedMs = Math.min(timeoutMs * RESERVED_SHARE, MAX_RESERVED_MS)
  const stop = deadline.clock.after(timeoutMs - reservedMs, () =>
    time.abort(new ModelError(`the model was not done when the page's \`timeout\` of ${timeoutMs} ms was nearly up`)),
  )
  const mayCache = plan.zeroDataRetention !== true
  const caller = { signal: time.signal, spending, mayCache, usage, span: request.span }
  return {
    model: {
      partTokens,
      signal: time.signal,
      ask: (question) =>
        request.rewriter
          ? askRewritten(client, question, { caller, rewriter: request.rewriter })
          : client.ask(question, caller),
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
