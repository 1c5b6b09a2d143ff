import { setTimeout as sleep } from 'node:timers/promises'
import { toTrawlError } from '../../base/errors.js'
import { isSuccessStatus } from '../../base/http/statuses.js'
import type { Digest, DigestPlan } from '../../content/digest/digest.js'
import { FETCHER_CHOICES } from '../fetch/fetcher.js'
import { withoutRefusedImages } from './digest-page.js'
import type { RequestsForPage } from './feature-steps.js'
import { type ObtainedPage, obtainPage } from './obtain-page.js'
import type { AnsweredPage } from './page-context.js'
import { type FurtherPlan, planFurther, type PlannedRequest } from './plan-further.js'
import { refuseFurther } from './refuse-further.js'

/** A response or an error that may be temporary, with the delay after which it is tried again. */
interface Failure {
  readonly why: string
  /** Status of the response; undefined for an error. */
  readonly statusCode?: number
  readonly retryDelayMs: number | undefined
}

/** Maximum `Retry-After` of a further request. Milliseconds. */
const MAX_WAIT_MS = 30_000

/** Further requests for a page, by the rules of its job and of all features. */
export class PageRequests implements RequestsForPage {
  readonly #page: AnsweredPage
  #hasBegun = false

  constructor(page: AnsweredPage) {
    this.#page = page
  }

  get mayUseBrowser(): boolean {
    const { plan, tools } = this.#page.context
    return tools.fetchers.renderer !== undefined && FETCHER_CHOICES[plan.fetch.fetcher ?? 'auto'].allowsBrowser
  }

  plan(url: string): PlannedRequest {
    const { plan, request } = this.#page.context
    return planFurther(plan, request.url, url)
  }

  refuse(url: string, signal: AbortSignal): Promise<string | undefined> {
    return refuseFurther(this.#page.context, url, signal)
  }

  async request<Result extends object>(
    plan: FurtherPlan,
    signal: AbortSignal,
    read: (obtained: ObtainedPage) => Promise<Result>,
  ): Promise<Result | string> {
    const { retryDelayMs: delayOf } = this.#page.context.tools
    for (let attempt = 1; ; attempt++) {
      const answer = await this.send(plan, { attempt, signal }, read).catch((error: unknown): Failure => {
        signal.throwIfAborted()
        const { code, message, retryAfterMs } = toTrawlError(error)
        const retryDelayMs = delayOf({ attempt, code, retryAfterMs, maxWaitMs: MAX_WAIT_MS })
        return { why: `${plan.url} could not be read: ${message}`, retryDelayMs }
      })
      if (typeof answer === 'string') return answer
      if ('result' in answer) return answer.result
      if (answer.retryDelayMs === undefined) return answer.why
      await sleep(answer.retryDelayMs, undefined, { signal }).catch(() => signal.throwIfAborted())
    }
  }

  /**
   * Sends a further request once.
   *
   * @returns the result, a failure, or the reason if it may not be sent
   * @throws TrawlError what `obtainPage` throws; the signal's reason
   */
  async send<Result>(
    { url, mayStore = () => true, ...plan }: FurtherPlan,
    { attempt, signal }: { attempt: number; signal: AbortSignal },
    read: (obtained: ObtainedPage) => Promise<Result>,
  ): Promise<{ result: Result } | Failure | string> {
    const { request, tools } = this.#page.context
    this.#endFirst()
    request.refuseSuspended?.()
    const denial = await this.refuse(url, signal)
    if (denial !== undefined) return `${url}: ${denial}`
    const refusal = await request.further?.begin(url, signal)
    if (refusal !== undefined) return refusal
    const { lastSeen: _, ...rest } = request
    using obtained = await obtainPage({ ...rest, url, sourceURL: url }, plan, tools, signal).catch((error: unknown) => {
      request.further?.end(url, undefined)
      throw error
    })
    request.further?.end(url, obtained.siteResponse)
    if (mayStore(obtained.page)) await obtained.remember?.()
    const { statusCode } = obtained.page
    if (isSuccessStatus(statusCode)) return { result: await read(obtained) }
    const retryAfterMs = obtained.siteResponse?.retryAfterMs
    const retryDelayMs = tools.retryDelayMs({ attempt, statusCode, retryAfterMs, maxWaitMs: MAX_WAIT_MS })
    return { why: `${url} answered ${statusCode}.`, statusCode, retryDelayMs }
  }

  /** Ends the request for the page itself, before the first further one: a site may allow only one at a time. */
  #endFirst(): void {
    if (this.#hasBegun) return
    this.#hasBegun = true
    const { context, obtained } = this.#page
    context.request.further?.end(context.request.url, obtained.siteResponse)
  }

  async judge(obtained: ObtainedPage, signal: AbortSignal): Promise<string | undefined> {
    const { context } = this.#page
    return (await context.tools.features.judgeAnswer({ context, obtained, signal }))?.refusal.message
  }

  async digest(
    obtained: ObtainedPage,
    plan: DigestPlan,
    signal: AbortSignal,
  ): Promise<{ readonly digest: Digest } | { readonly refused: string }> {
    const { context } = this.#page
    const { tools } = context
    const { zeroDataRetention, digest: own } = context.plan
    const make = obtained.mayBeKept && !zeroDataRetention && !own.rewrite ? tools.cachedDigest : tools.digest
    const run = tools.features.begin({ context, obtained, signal }, 'judges')
    await run?.beforeDigest()
    const sheets = await tools.features.begin({ context, obtained, signal })?.findSheets()
    const digest = await make(
      sheets ? { ...obtained.page, sheets } : obtained.page,
      withoutRefusedImages(plan, run?.suspicion),
      signal,
    )
    await run?.afterDigest(digest)
    return run?.refused ? { refused: run.refused.refusal.message } : { digest }
  }
}
