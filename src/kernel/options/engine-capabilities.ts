import type { JobBudget } from '../../base/accounting/budget.js'
import { InvalidRequestError, type RequestIssue } from '../../base/errors.js'
import { type FeatureOptions, NO_FEATURE_OPTIONS } from './option-definition.js'
import { findStoredMedia, type StoringOptions } from './zero-retention.js'

/** Capabilities of an engine that requests are checked against. */
export interface EngineCapabilities extends StaticCapabilities {
  /** Finds what features refuse in a checked request, by what the engine knows of its jobs. @default nothing */
  findFaults?(request: object): readonly RequestIssue[]
}

/** Capabilities of an engine that do not depend on its jobs. */
export interface StaticCapabilities {
  /** Options that its features add to requests. @default none */
  readonly options?: FeatureOptions
  /** True where the engine has a `media` sink. */
  readonly hasMedia: boolean
  /** True where the engine has a language model. */
  readonly hasModel: boolean
  /** True where the price of the model's tokens is known. */
  readonly hasPrice: boolean
  /** Explains why nothing may be sent to a host, as far as that is known without DNS. */
  findHostFault(hostname: string): string | undefined
}

/** Page options of either version, as far as they need a capability. */
type PageOptions = StoringOptions & {
  readonly lockdown?: boolean
  readonly changeTrackingOptions?: { readonly modes?: readonly string[] }
}

/** Request of either version, as far as it needs a capability. */
type EngineRequest = PageOptions & {
  readonly zeroDataRetention?: boolean
  readonly budget?: JobBudget
  readonly scrapeOptions?: PageOptions
}

/** Advice in messages about a missing model. The command line replaces it by its flags. */
export const MODEL_ADVICE = 'make the engine with one, `createEngine({ model })`'

const LOCKDOWN = 'with `lockdown` nothing leaves the machine'

/**
 * Refuses valid requests that this engine cannot serve.
 *
 * @param isAnswered true when a model has been asked for its texts before. @default false
 * @throws InvalidRequestError with every problem found
 */
export function refuseForEngine(request: EngineRequest, engine: EngineCapabilities, isAnswered = false): void {
  const { scrapeOptions = {}, budget } = request
  const issues: RequestIssue[] = [
    ...(engine.findFaults?.(request) ?? []),
    ...findPrivateReceivers(request, engine),
    ...findRetainedMedia(request, engine),
    ...(isAnswered ? [] : findModelIssues(request, engine)),
    ...findFormatIssues(request, [], engine),
    ...findFormatIssues(scrapeOptions, ['scrapeOptions'], engine),
    ...findUnpricedBudget(budget, engine),
  ]
  if (issues.length > 0) throw new InvalidRequestError(issues)
}

/** Finds a limit of cost that cannot be enforced, because the price of tokens is not known. */
export const findUnpricedBudget = (budget: JobBudget | undefined, { hasPrice }: StaticCapabilities): RequestIssue[] =>
  budget?.modelCost === undefined || hasPrice ? [] : [createIssue(['budget', 'modelCost'], NO_PRICE)]

const NO_PRICE = 'the price of tokens is not known: give the engine `modelOptions.price`'

const createIssue = (path: readonly (string | number)[], message: string): RequestIssue => ({
  code: 'custom',
  path,
  message,
})

function findPrivateReceivers(request: object, engine: EngineCapabilities): RequestIssue[] {
  const { job } = engine.options ?? NO_FEATURE_OPTIONS
  return Object.entries(job).flatMap(([name, { isReceiver }]) => {
    const { [name]: receiver } = request as Readonly<Record<string, CheckedReceiver | undefined>>
    return isReceiver && receiver !== undefined ? findPrivateReceiver(receiver, [name], engine) : []
  })
}

type CheckedReceiver = string | { readonly url: string }

/**
 * Finds a receiver of reports that leads to a private address. The message does not show the URL, which may hold a secret.
 *
 * @param path of the receiver in the request
 */
export function findPrivateReceiver(
  receiver: CheckedReceiver,
  path: readonly string[],
  { findHostFault }: StaticCapabilities,
): RequestIssue[] {
  const [url, at] = typeof receiver === 'string' ? [receiver, path] : [receiver.url, [...path, 'url']]
  const fault = findHostFault(new URL(url).hostname)
  return fault === undefined ? [] : [createIssue(at, fault)]
}

/** Finds files that the engine would store in spite of `zeroDataRetention`. */
function findRetainedMedia(
  request: EngineRequest,
  { hasMedia, options = NO_FEATURE_OPTIONS }: EngineCapabilities,
): RequestIssue[] {
  if (request.zeroDataRetention !== true || !hasMedia) return []
  const { formats } = options
  return [
    ...findStoredMedia(request, [], formats),
    ...findStoredMedia(request.scrapeOptions ?? {}, ['scrapeOptions'], formats),
  ]
}

/** Finds texts that no model can be asked about. An empty one has no effect. */
function findModelIssues(request: EngineRequest, { hasModel, options = NO_FEATURE_OPTIONS }: EngineCapabilities) {
  return Object.entries(options.crawl).flatMap(([name, { asksModel }]) => {
    const { [name]: text } = request as Readonly<Record<string, unknown>>
    if (!asksModel || typeof text !== 'string' || text.trim() === '') return []
    if (!hasModel) return [createIssue([name], `\`${name}\` needs a language model: ${MODEL_ADVICE}`)]
    return request.scrapeOptions?.lockdown === true
      ? [createIssue([name], `\`${name}\` asks a language model, and ${LOCKDOWN}`)]
      : []
  })
}

/** Finds formats that need a model or a download, where there is no model or nothing may leave the machine. */
function findFormatIssues(
  { formats = [], lockdown, changeTrackingOptions }: PageOptions,
  within: readonly string[],
  { hasModel, options: { formats: known } = NO_FEATURE_OPTIONS }: EngineCapabilities,
): RequestIssue[] {
  return formats.flatMap((item, index) => {
    const { type, ...given } = typeof item === 'string' ? { type: item } : item
    // Version 1 has the options of the comparison, of which there is one, outside of the format.
    const options = known.comparesSnapshots(type) ? { ...changeTrackingOptions, ...given } : given
    const needs = known.findNeeds([{ type: known.typeNamed(type), ...options }])
    const refuse = (reason: string) => [createIssue([...within, 'formats', index], `\`${type}\` ${reason}`)]
    if (needs.media && lockdown === true) return refuse(`downloads what the page shows, and ${LOCKDOWN}`)
    if (!needs.model) return []
    if (!hasModel) return refuse(`needs a language model: ${MODEL_ADVICE}`)
    return lockdown === true ? refuse(`asks a language model, and ${LOCKDOWN}`) : []
  })
}
