import type { JobBudget } from '../accounting/budget.js'
import { findNeeds } from '../enrich/enrich.js'
import { InvalidRequestError, type RequestIssue } from '../errors.js'
import { findStoredMedia } from './zero-retention.js'

/** Facts of an engine that requests are checked against. */
export interface EngineCapabilities extends StaticCapabilities {
  /** Explains why no crawl can compare with this job; undefined when one can, or when only the store of snapshots knows. */
  validateSince(jobId: string): string | undefined
}

/** Facts of an engine that do not depend on its jobs. */
export interface StaticCapabilities {
  /** True where the engine has a `media` sink. */
  readonly hasMedia: boolean
  /** True where the engine has a language model. */
  readonly hasModel: boolean
  /** True where the price of its tokens is known. */
  readonly hasPrice: boolean
  /** Explains why nothing may be sent to a host, as far as that is known without DNS. */
  findHostFault(hostname: string): string | undefined
}

type PageOptions = Parameters<typeof findStoredMedia>[0] & {
  readonly lockdown?: boolean | undefined
  readonly changeTrackingOptions?: { readonly modes?: readonly string[] | undefined } | undefined
}

type RequestParts = PageOptions & {
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
export function refuseForEngine(request: RequestParts, engine: EngineCapabilities): void {
  const { since, scrapeOptions, zeroDataRetention, budget, webhook } = request
  const fault = since === undefined || since === 'last' ? undefined : engine.validateSince(since)
  const kept =
    zeroDataRetention === true && engine.hasMedia
      ? [...findStoredMedia(request, []), ...findStoredMedia(scrapeOptions ?? {}, ['scrapeOptions'])]
      : []
  const issues: RequestIssue[] = [
    ...(fault === undefined ? [] : [createIssue(['since'], fault)]),
    ...findPrivateWebhook(webhook, engine),
    ...kept,
    ...findPromptIssues(request, engine),
    ...findFormatIssues(request, [], engine),
    ...findFormatIssues(scrapeOptions ?? {}, ['scrapeOptions'], engine),
    ...findUnpricedBudget(budget, engine),
  ]
  if (issues.length > 0) throw new InvalidRequestError(issues)
}

const createIssue = (path: readonly (string | number)[], message: string): RequestIssue => ({
  code: 'custom',
  path,
  message,
})

/** Finds a limit of cost that cannot be held without a price. */
export const findUnpricedBudget = (budget: JobBudget | undefined, { hasPrice }: StaticCapabilities): RequestIssue[] =>
  budget?.modelCost === undefined || hasPrice ? [] : [createIssue(['budget', 'modelCost'], NO_PRICE)]

/** Finds a webhook that leads to a private address. The message does not show the URL, which may hold a secret. */
function findPrivateWebhook(webhook: RequestParts['webhook'], engine: EngineCapabilities): RequestIssue[] {
  if (webhook === undefined) return []
  const [url, path] = typeof webhook === 'string' ? [webhook, ['webhook']] : [webhook.url, ['webhook', 'url']]
  const fault = engine.findHostFault(new URL(url).hostname)
  return fault === undefined ? [] : [createIssue(path, fault)]
}

const NO_PRICE = 'nothing is known of what tokens cost: give the engine `modelOptions.price`'

const describeDownload = (type: string): string =>
  `\`${type}\` downloads what the page shows, and with \`lockdown\` nothing leaves the machine`

/** Finds a prompt that no model can turn into options. An empty prompt asks for nothing. */
function findPromptIssues(
  { prompt = '', scrapeOptions }: RequestParts,
  { hasModel }: EngineCapabilities,
): RequestIssue[] {
  if (prompt.trim() === '') return []
  if (!hasModel)
    return [
      createIssue(['prompt'], '`prompt` needs a language model: make the engine with one, `createEngine({ model })`'),
    ]
  if (scrapeOptions?.lockdown !== true) return []
  return [createIssue(['prompt'], '`prompt` asks a language model, and with `lockdown` nothing leaves the machine')]
}

/** Finds formats that need a model, where there is none or nothing may leave the machine. */
function findFormatIssues(
  options: PageOptions,
  within: readonly string[],
  { hasModel }: EngineCapabilities,
): RequestIssue[] {
  const { formats = [], lockdown, changeTrackingOptions } = options
  return formats.flatMap((item, index) => {
    const { type, ...given } = typeof item === 'string' ? { type: item } : item
    const asked = type === 'changeTracking' ? { ...changeTrackingOptions, ...given } : given
    const needs = findNeeds([{ type: type === 'extract' ? 'json' : type, ...asked }])
    const path = [...within, 'formats', index]
    if (needs.media && lockdown === true) return [createIssue(path, describeDownload(type))]
    if (!needs.model) return []
    if (!hasModel)
      return [
        createIssue(path, `\`${type}\` needs a language model: make the engine with one, \`createEngine({ model })\``),
      ]
    if (lockdown !== true) return []
    return [createIssue(path, `\`${type}\` asks a language model, and with \`lockdown\` nothing leaves the machine`)]
  })
}
