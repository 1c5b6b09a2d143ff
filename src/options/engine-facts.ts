import type { JobBudget } from '../accounting/budget.js'
import { findNeeds } from '../enrich/enrich.js'
import { InvalidRequestError, type RequestIssue } from '../errors.js'
import { findMedia } from './zero-retention.js'

/** Facts of an engine that requests are checked against. */
export interface EngineFacts extends StaticFacts {
  /** Explains why no crawl can compare with this job; undefined when one can, or when only the store of snapshots knows. */
  validateSince(jobId: string): string | undefined
}

/** Facts of an engine that do not depend on its jobs. */
export interface StaticFacts {
  /** True where the engine has a `media` sink. */
  readonly hasMedia: boolean
  /** True where the engine has a language model. */
  readonly hasModel: boolean
  /** True where the price of its tokens is known. */
  readonly hasPrice: boolean
  /** Explains why nothing may be sent to a host, as far as that is known without DNS. */
  findHostFault(hostname: string): string | undefined
}

type PageOptions = Parameters<typeof findMedia>[0] & {
  readonly lockdown?: boolean | undefined
  readonly changeTrackingOptions?: { readonly modes?: readonly string[] | undefined } | undefined
}

type Checked = PageOptions & {
  readonly prompt?: string | undefined
  readonly zeroDataRetention?: boolean | undefined
  readonly since?: string | undefined
  readonly budget?: JobBudget | undefined
  readonly webhook?: string | { readonly url: string } | undefined
  readonly scrapeOptions?: PageOptions | undefined
}

/**
 * Refuses valid requests that this engine cannot serve.
 *
 * @throws InvalidRequestError with every problem found
 */
export function refuseForEngine(request: Checked, engine: EngineFacts): void {
  const { since, scrapeOptions, zeroDataRetention, budget, webhook } = request
  const fault = since === undefined || since === 'last' ? undefined : engine.validateSince(since)
  const kept =
    zeroDataRetention === true && engine.hasMedia
      ? [...findMedia(request, []), ...findMedia(scrapeOptions ?? {}, ['scrapeOptions'])]
      : []
  const issues: RequestIssue[] = [
    ...(fault === undefined ? [] : [issueAt(['since'], fault)]),
    ...findClosedWebhook(webhook, engine),
    ...kept,
    ...findUnansweredPrompt(request, engine),
    ...findUnanswerable(request, [], engine),
    ...findUnanswerable(scrapeOptions ?? {}, ['scrapeOptions'], engine),
    ...findUnpriced(budget, engine),
  ]
  if (issues.length > 0) throw new InvalidRequestError(issues)
}

const issueAt = (path: readonly (string | number)[], message: string): RequestIssue => ({
  code: 'custom',
  path,
  message,
})

/** Finds a limit of cost that cannot be held without a price. */
export const findUnpriced = (budget: JobBudget | undefined, { hasPrice }: StaticFacts): RequestIssue[] =>
  budget?.modelCost === undefined || hasPrice ? [] : [issueAt(['budget', 'modelCost'], NO_PRICE)]

/** Finds a webhook that leads to a private address. The message does not show the URL, which may hold a secret. */
function findClosedWebhook(webhook: Checked['webhook'], engine: EngineFacts): RequestIssue[] {
  if (webhook === undefined) return []
  const [url, path] = typeof webhook === 'string' ? [webhook, ['webhook']] : [webhook.url, ['webhook', 'url']]
  const fault = engine.findHostFault(new URL(url).hostname)
  return fault === undefined ? [] : [issueAt(path, fault)]
}

const NO_PRICE = 'nothing is known of what tokens cost: give the engine `modelOptions.price`'

const describeDownload = (type: string): string =>
  `\`${type}\` downloads what the page shows, and with \`lockdown\` nothing leaves the machine`

/** Finds a prompt that no model can turn into options. An empty prompt asks for nothing. */
function findUnansweredPrompt({ prompt = '', scrapeOptions }: Checked, { hasModel }: EngineFacts): RequestIssue[] {
  if (prompt.trim() === '') return []
  if (!hasModel)
    return [issueAt(['prompt'], '`prompt` needs a language model: make the engine with one, `createEngine({ model })`')]
  if (scrapeOptions?.lockdown !== true) return []
  return [issueAt(['prompt'], '`prompt` asks a language model, and with `lockdown` nothing leaves the machine')]
}

/** Finds formats that need a model, where there is none or nothing may leave the machine. */
function findUnanswerable(options: PageOptions, within: readonly string[], { hasModel }: EngineFacts): RequestIssue[] {
  const { formats = [], lockdown, changeTrackingOptions } = options
  return formats.flatMap((item, index) => {
    const { type, ...given } = typeof item === 'string' ? { type: item } : item
    const asked = type === 'changeTracking' ? { ...changeTrackingOptions, ...given } : given
    const needs = findNeeds([{ type: type === 'extract' ? 'json' : type, ...asked }])
    const path = [...within, 'formats', index]
    if (needs.media && lockdown === true) return [issueAt(path, describeDownload(type))]
    if (!needs.model) return []
    if (!hasModel)
      return [
        issueAt(path, `\`${type}\` needs a language model: make the engine with one, \`createEngine({ model })\``),
      ]
    if (lockdown !== true) return []
    return [issueAt(path, `\`${type}\` asks a language model, and with \`lockdown\` nothing leaves the machine`)]
  })
}
