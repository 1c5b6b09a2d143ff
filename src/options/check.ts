import { z, type ZodType } from 'zod'
import type { JobBudget } from '../accounting/budget.js'
import { InvalidRequestError, type RequestIssue } from '../errors.js'
import type { InterruptedJob } from '../ledger/job-store.js'
import { type BatchScrapeRequest, batchScrapeSchema } from './batch-options.js'
import { type CrawlRequest, crawlSchema } from './crawl-options.js'
import { describeIssue } from './issues/describe-issue.js'
import { type EngineConfig, engineConfigSchema } from './engine-config.js'
import {
  type EngineCapabilities,
  findUnpricedBudget,
  refuseForEngine,
  type StaticCapabilities,
} from './engine-capabilities.js'
import { createMisplacedExplainer } from './misplaced-option.js'
import { budgetSchema } from './fields/budget.js'
import { refuseUnavailableBatch, refuseUnavailableCrawl, refuseUnavailableScrape } from './not-available.js'
import { type ParseInput, parseInputSchema, normalizeParseInput } from './parse-input.js'
import { toRequestIssues } from './issues/to-request-issues.js'
import { type ScrapeOptions, scrapeSchema } from './scrape-options.js'
import { urlSchema } from './fields/url-field.js'
import { type MapRequest, mapSchema } from './map-options.js'
import { type V1CrawlRequest, v1CrawlSchema } from './v1-options.js'
import { type Checked, type CheckedBatch, normalizeRequest } from './normalize-request.js'
import { urlToString } from '../url.js'

/*
 * Checks what callers pass, once: later code does not check it again. Each function returns a copy, so that the caller
 * cannot change a running job.
 * See docs/compatibility.md#requests.
 */

const url = once(() => urlSchema(z))
const scrape = once(() => scrapeSchema(z))
const batchScrape = once(() => batchScrapeSchema(z))
const crawl = once(() => crawlSchema(z))
const map = once(() => mapSchema(z))
const signal = () => z.instanceof(AbortSignal, { error: 'not an AbortSignal' }).optional()
const callOptions = once(() => z.strictObject({ signal: signal() }))
const jobCallOptions = once(() =>
  z.strictObject({
    signal: signal(),
    acknowledge: z.boolean().optional(),
    idempotencyKey: z.string().min(1).max(255).optional(),
  }),
)
const resumeOptions = once(() =>
  z.strictObject({ complete: z.custom<Complete>((value) => typeof value === 'function', 'not a function').optional() }),
)
const jobBudget = once(() => budgetSchema(z))
const v1Crawl = once(() => v1CrawlSchema(z))
const parseInput = once(() => parseInputSchema(z))
const findPlace = once(createMisplacedExplainer)
const engineConfig = once(() => engineConfigSchema(z))

/**
 * Checks the options of a single page.
 *
 * @throws InvalidRequestError with every problem found
 * @throws TrawlError `NOT_AVAILABLE`
 */
export function checkScrapeOptions(options: unknown = {}, engine?: EngineCapabilities): ScrapeOptions {
  const checked = valueOf(read<ScrapeOptions>(scrape(), options))
  if (engine) refuseForEngine(checked, engine)
  refuseUnavailableScrape(checked)
  return checked
}

/**
 * Checks the URL and the options of a single page, and reports on both.
 *
 * @throws InvalidRequestError with every problem found
 * @throws TrawlError `NOT_AVAILABLE`
 */
export function checkScrape(
  page: unknown,
  options: unknown = {},
  engine?: EngineCapabilities,
): { url: string; options: ScrapeOptions } {
  const reads = [read<string>(url(), urlToString(page), ['url']), read<ScrapeOptions>(scrape(), options)] as const
  const issues = reads.flatMap((result) => result.issues)
  if (issues.length > 0) throw new InvalidRequestError(issues)
  const checked = { url: valueOf(reads[0]), options: valueOf(reads[1]) }
  if (engine) refuseForEngine(checked.options, engine)
  refuseUnavailableScrape(checked.options)
  return checked
}

/**
 * @throws InvalidRequestError with every problem found
 * @throws TrawlError `NOT_AVAILABLE`
 */
export function checkBatchScrape(request: unknown, engine?: EngineCapabilities): CheckedBatch<BatchScrapeRequest> {
  const checked = valueOf(read<CheckedBatch<BatchScrapeRequest>>(batchScrape(), normalizeRequest(request)))
  if (engine) refuseForEngine(checked, engine)
  refuseUnavailableBatch(checked)
  return checked
}

/**
 * @throws InvalidRequestError with every problem found
 * @throws TrawlError `NOT_AVAILABLE`
 */
export function checkCrawl(request: unknown, engine?: EngineCapabilities): Checked<CrawlRequest> {
  const checked = valueOf(read<Checked<CrawlRequest>>(crawl(), normalizeRequest(request)))
  if (engine) refuseForEngine(checked, engine)
  refuseUnavailableCrawl(checked)
  return checked
}

/** @throws InvalidRequestError with every problem found */
export const checkMap = (request: unknown): Checked<MapRequest> =>
  valueOf(read<Checked<MapRequest>>(map(), normalizeRequest(request)))

/** @throws InvalidRequestError with every problem found */
export function checkV1Crawl(request: unknown, engine?: EngineCapabilities): Checked<V1CrawlRequest> {
  const checked = valueOf(read<Checked<V1CrawlRequest>>(v1Crawl(), normalizeRequest(request)))
  if (engine) refuseForEngine(checked, engine)
  return checked
}

/** @throws InvalidRequestError with every problem found */
export const checkParseInput = (input: unknown): Checked<ParseInput> =>
  valueOf(read<Checked<ParseInput>>(parseInput(), normalizeParseInput(input)))

/** @throws InvalidRequestError with every problem found */
export const checkEngineConfig = (config: unknown): EngineConfig => valueOf(read<EngineConfig>(engineConfig(), config))

/** @throws InvalidRequestError */
export function checkBudget(budget: unknown, engine: StaticCapabilities): JobBudget {
  const checked = valueOf(read<JobBudget>(jobBudget(), budget, ['budget']))
  const issues = findUnpricedBudget(checked, engine)
  if (issues.length > 0) throw new InvalidRequestError(issues)
  return checked
}

/** @throws InvalidRequestError */
export function checkCall(call: unknown = {}): { signal?: AbortSignal | undefined } {
  return valueOf(read<{ signal?: AbortSignal | undefined }>(callOptions(), call))
}

/** @throws InvalidRequestError */
export function checkJobCall(call: unknown = {}): JobCall {
  return valueOf(read<JobCall>(jobCallOptions(), call))
}

/** @throws InvalidRequestError */
export function checkResume(options: unknown = {}): { complete?: Complete | undefined } {
  return valueOf(read<{ complete?: Complete | undefined }>(resumeOptions(), options))
}

type Complete = (job: InterruptedJob) => object | undefined

interface JobCall {
  signal?: AbortSignal | undefined
  acknowledge?: boolean | undefined
  idempotencyKey?: string | undefined
}

type Read<T> = { readonly value: T; readonly issues: readonly [] } | { readonly issues: readonly RequestIssue[] }

function read<T>(schema: ZodType<T>, value: unknown, within: readonly string[] = []): Read<T> {
  const result = schema.safeParse(value, {
    error: (issue) => describeIssue(issue, undefined, findPlace()),
    reportInput: true,
  })
  if (result.success) return { value: result.data, issues: [] }
  return { issues: result.error.issues.flatMap((issue) => toRequestIssues(issue, within)) }
}

function valueOf<T>(result: Read<T>): T {
  if ('value' in result) return result.value
  throw new InvalidRequestError(result.issues)
}

/** Creates schemas on first use, so that importing trawl does not pay for them. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => (made ??= { value: make() }).value
}
