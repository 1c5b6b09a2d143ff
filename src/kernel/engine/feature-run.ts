import { nameUnfinished } from '../../base/concurrency/deadline.js'
import { untilAborted } from '../../base/concurrency/until-aborted.js'
import type { LinkedSheet } from '../../base/text/linked-sheet.js'
import type { Digest } from '../../content/digest/digest.js'
import { messageOf, TrawlError } from '../../base/errors.js'
import type { FeatureAnswer, FeatureFile, FeaturePage, FeatureRequest, StepResult } from '../page/feature-page.js'
import type { PageModel } from '../../base/llm/page-model.js'
import type { Refusal } from '../ledger/ledger.js'
import { failFeature } from '../fetch/feature-failure.js'
import { type PageInternals, type PageRefusal, RefusalError } from '../page/feature-steps.js'
import { obtainPart } from '../page/obtain-part.js'
import { PageRequests } from '../page/page-requests.js'
import { openPageTree } from '../page/page-tree.js'
import type { PlannedRequest } from '../page/plan-further.js'
import type { ObtainedPage } from '../page/obtain-page.js'
import type { FeaturesOfPage, AnsweredPage } from '../page/page-context.js'
import type { Feature, FeatureSteps } from './feature.js'

/** Opens the steps of features in an engine. */
interface StepOpener {
  openSteps(feature: Feature): FeatureSteps | Promise<FeatureSteps>
}

/** The features of one page at work. */
export class FeatureRun implements FeaturesOfPage {
  readonly results = new Map<string, unknown>()
  readonly warnings: string[] = []
  refused: PageRefusal | undefined
  refusedLinks: Map<string, Refusal> | undefined
  readonly #early = new Map<string, unknown>()
  readonly #suspicions = new Map<string, PageRefusal>()
  readonly #page: AnsweredPage
  readonly #features: readonly Feature[]
  readonly #opener: StepOpener
  #requests: PageRequests | undefined
  #digest: Digest | undefined
  #model: PageModel | undefined

  constructor(page: AnsweredPage, features: readonly Feature[], opener: StepOpener) {
    this.#page = page
    this.#features = features
    this.#opener = opener
  }

  get #internals(): PageInternals {
    const { context, obtained, signal } = this.#page
    const openRequests = (): PageRequests => this.#openRequests()
    const { visit = this, clock, isForLinks = false, permit } = context.request
    return {
      plan: context.plan,
      visit,
      deadline: context.deadline,
      isForLinks,
      fetched: obtained.page,
      digest: this.#digest,
      // Most features need no tree.
      get tree() {
        return openPageTree(context, obtained.page)
      },
      model: this.#model,
      // Nor do they send requests.
      get requests() {
        return openRequests()
      },
      get isCached() {
        return obtained.cached.page !== undefined
      },
      getPart: (url, options) => obtainPart(this.#page, url, options),
      lend: (work) => permit?.wait(work, { signal, clock }) ?? work,
    }
  }

  #openRequests(): PageRequests {
    return (this.#requests ??= new PageRequests(this.#page))
  }

  async beforeDigest(): Promise<void> {
    for (const feature of this.#features) {
      // What judges redirects judges the target here: a page that it has not judged is not handed out.
      const mayFail = feature.optional === true && !feature.judgesRedirects
      const result = await this.#call(
        feature,
        (steps) => steps.beforeDigest?.(this.#view(feature), this.#internals),
        mayFail,
      )
      if (result?.found !== undefined) this.#early.set(feature.name, result.found)
      if (result?.refused !== undefined) this.#suspicions.set(feature.name, toRefusal(feature, result.refused))
    }
  }

  async afterDigest(digest: Digest, model?: PageModel): Promise<void> {
    this.#digest = digest
    this.#model = this.#page.context.plan.cache.lockdown === true ? undefined : model
    for (const feature of this.#features) {
      const result = await this.#call(
        feature,
        (steps): Promise<StepResult<unknown> | undefined> =>
          steps.afterDigest?.(this.#view(feature), this.#internals) ??
          Promise.resolve({ refused: this.#suspicions.get(feature.name)?.refusal.message }),
      )
      if (result?.found !== undefined) this.results.set(feature.name, result.found)
      for (const [url, reason] of result?.refusedLinks ?? [])
        (this.refusedLinks ??= new Map()).set(url, toRefusal(feature, reason).refusal)
      if (result?.refused === undefined) continue
      this.refused = toRefusal(feature, result.refused)
      return
    }
  }

  async findSheets(): Promise<readonly LinkedSheet[] | undefined> {
    for (const feature of this.#features) {
      const found = await this.#call(feature, (steps) => steps.findSheets?.(this.#view(feature), this.#internals))
      if (found !== undefined) return found
    }
    return undefined
  }

  get suspicion(): PageRefusal | undefined {
    return this.#suspicions.values().next().value
  }

  async enrich(): Promise<void> {
    for (const feature of this.#features) {
      const result = await this.#call(feature, ({ enrich }) => enrich?.(this.#view(feature), this.#internals))
      if (result !== undefined) this.results.set(feature.name, result)
    }
  }

  async #call<Result>(
    feature: Feature,
    call: (steps: FeatureSteps) => Promise<Result | undefined> | undefined,
    mayFail = feature.optional === true,
  ): Promise<Result | undefined> {
    const { signal, context } = this.#page
    try {
      return await callFeature(feature, { url: context.request.url, signal }, async () =>
        call(await this.#opener.openSteps(feature)),
      )
    } catch (error) {
      if (!mayFail || signal.aborted || context.deadline.signal.aborted) throw error
      this.warnings.push(messageOf(error))
      return undefined
    }
  }

  #view({ name, needs = [], asksSite }: Feature): FeaturePage {
    const { context, obtained, signal } = this.#page
    const { page } = obtained
    const { plan, request } = context
    const digest = this.#digest
    return {
      slice: plan.features?.[name],
      early: this.#early.get(name),
      url: request.url,
      finalUrl: page.url,
      statusCode: page.statusCode,
      headers: page.headers,
      contentType: page.contentType,
      body: page.body,
      isGiven: this.#page.isGiven === true,
      markdown: digest?.fields.markdown,
      metadata: digest?.metadata ?? {},
      links: digest?.links ?? [],
      isForOneCaller: plan.zeroDataRetention === true || Object.keys(plan.fetch.headers ?? {}).length > 0,
      signal,
      resultOf: (feature) => {
        if (!needs.includes(feature)) throw new TypeError(`\`${feature}\` is not in the \`needs\` of \`${name}\``)
        return this.results.get(feature)
      },
      fetch: (url, options = {}) =>
        asksSite ? this.#fetch(url, options) : Promise.reject(new TypeError('`asksSite` is not set')),
      warn: (message) => void this.warnings.push(message),
    }
  }

  async #fetch(url: string, { signal = this.#page.signal, ...options }: FeatureRequest): Promise<FeatureAnswer> {
    const requests = this.#openRequests()
    const isWanted = (file: FeatureFile): boolean => options.isWanted?.(file) ?? true
    const further = { ...planFile(requests.plan(url), options), mayStore: isWanted }
    const read = async (got: ObtainedPage): Promise<FeatureAnswer> => {
      const file = toFile(got)
      if (!isWanted(file)) return { statusCode: file.statusCode }
      const refused = await requests.judge(got, signal)
      return refused === undefined ? { file } : { refused }
    }
    const answer = await requests.send(further, { attempt: 1, signal }, read).catch((error: unknown) => {
      // The target of a redirect was refused.
      if (error instanceof RefusalError) return error.refusal.message
      throw error
    })
    if (typeof answer === 'string') return { refused: answer }
    return 'result' in answer ? answer.result : { statusCode: answer.statusCode ?? 0 }
  }
}

const toFile = ({ page: { url, statusCode, headers, contentType, body } }: ObtainedPage): FeatureFile => ({
  url,
  statusCode,
  headers,
  contentType,
  body,
})

function planFile({ cache, fetch, ...further }: PlannedRequest, { headers = {}, maxBytes }: FeatureRequest) {
  const { prefersBrowser: _, ...fetchPlan } = fetch
  return {
    ...further,
    // The page itself may be in the cache under the same URL.
    cache: { ...cache, variant: [cache.variant, ...Object.values(headers)].join(' ') },
    fetch: {
      ...fetchPlan,
      fetcher: 'http' as const,
      headers: { ...fetch.headers, ...headers },
      maxBodyBytes: maxBytes,
    },
  }
}

/** Makes the refusal of a page from the reason that a feature gives. @throws TrawlError `FEATURE_FAILED` if it declares none */
export function toRefusal({ name, refusal }: Feature, message: string): PageRefusal {
  if (!refusal)
    throw new TrawlError('FEATURE_FAILED', `feature \`${name}\` refused a page, and declares no \`refusal\``)
  const { reason, code, error } = refusal
  return { refusal: { reason, message }, code, row: error }
}

/** The page that a feature works for. */
interface CalledFor {
  readonly url: string
  readonly signal: AbortSignal
}

/**
 * Calls a feature, no longer than the time of its page, whose error then names the feature.
 *
 * @throws TrawlError what a feature of trawl throws; `FEATURE_FAILED` for any other error; `SCRAPE_TIMEOUT`. The signal's reason
 */
export async function callFeature<Result>(
  { name, isOwn }: Feature,
  { url, signal }: CalledFor,
  call: () => Promise<Result>,
): Promise<Result> {
  try {
    return await untilAborted(call(), signal)
  } catch (error) {
    if (signal.aborted) throw nameUnfinished(signal.reason, `feature \`${name}\``)
    if (!isOwn && error instanceof TrawlError) throw error
    throw failFeature(name, messageOf(error), { url, cause: error })
  }
}
