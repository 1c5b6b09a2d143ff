import { z, type ZodType } from 'zod'
import type { JobBudget } from '../../base/accounting/budget.js'
import { isObject } from '../../base/collections/is-object.js'
import type { SchemaBuilder } from '../../content/convert/format.js'
import { InvalidRequestError, printSeen, type RequestIssue } from '../../base/errors.js'
import type { InterruptedJob } from '../ledger/job-store.js'
import { urlToString } from '../../base/url.js'
import { type BatchScrapeRequest, batchScrapeSchema } from './batch-options.js'
import type { Checked, CheckedBatch } from './fields/checked-request.js'
import { type CrawlRequest, crawlSchema } from './crawl-options.js'
import {
  type EngineCapabilities,
  findUnpricedBudget,
  refuseForEngine,
  type StaticCapabilities,
} from './engine-capabilities.js'
import { type EngineConfig, engineConfigSchema, engineDefinitions } from './engine-config.js'
import { budgetSchema } from './fields/budget.js'
import { normalizeRequest } from './fields/normalize-request.js'
import { urlSchema } from './fields/url-field.js'
import { mustBe } from '../../base/issues/describe-issue.js'
import { type FeatureOptions, NO_FEATURE_OPTIONS } from './option-definition.js'
import { onFirstUse, onFirstUseOf, parseChecked, tryParse } from './parse-checked.js'
import { normalizeParseInput, type ParseInput, parseInputSchema } from './parse-input.js'
import type { ScrapeCallOptions, ScrapeOptions } from './scrape-options.js'
import { scrapeCallSchema, scrapeSchema } from './scrape-schema.js'
import {
  type V1BatchScrapeRequest,
  v1BatchScrapeSchema,
  type V1CrawlRequest,
  v1CrawlSchema,
  type V1ScrapeCallOptions,
  v1ScrapeCallSchema,
} from './v1-options.js'

/*
 * Checks what callers pass, once: later code does not check it again. Each function returns a copy, so that the caller
 * cannot change a running job. With the capabilities of an engine, it also refuses what this engine cannot serve.
 * See docs/compatibility/requests.md#requests.
 */

/** Options of a call that scrapes, plans or maps. */
interface CallOptions {
  signal?: AbortSignal
}

/** Options of a call that starts a job. */
interface JobCallOptions extends CallOptions {
  acknowledge?: boolean
  idempotencyKey?: string
}

/** Options of resuming jobs. */
interface ResumeOptions {
  complete?: CompleteRequest
}

/** Options of resuming a job. Its budget is checked where it is changed. */
interface ResumeJobOptions {
  budget?: JobBudget
}

/** Options of closing an engine. */
interface CloseEngineOptions {
  drain?: boolean
}

/** Completes the request of a job that another process started: what could not be stored, such as secrets. */
type CompleteRequest = (job: InterruptedJob) => object | undefined

const signalSchema = () => z.instanceof(AbortSignal, mustBe('an AbortSignal')).optional()

/** Schemas, created on first use: importing trawl does not pay for them. */
const schemas = {
  url: onFirstUse(() => urlSchema(z)),
  scrape: onFirstUseOf((more) => scrapeSchema(z, more)),
  scrapeCall: onFirstUseOf((more) => scrapeCallSchema(z, more)),
  batchScrape: onFirstUseOf((more) => batchScrapeSchema(z, more)),
  crawl: onFirstUseOf((more) => crawlSchema(z, more)),
  v1Crawl: onFirstUseOf((more) => v1CrawlSchema(z, more)),
  v1BatchScrape: onFirstUseOf((more) => v1BatchScrapeSchema(z, more)),
  v1ScrapeCall: onFirstUseOf((more) => v1ScrapeCallSchema(z, more)),
  parseInput: onFirstUse(() => parseInputSchema(z)),
  budget: onFirstUse(() => budgetSchema(z)),
  call: onFirstUse(() => z.strictObject({ signal: signalSchema() })),
  jobCall: onFirstUse(() =>
    z.strictObject({
      signal: signalSchema(),
      acknowledge: z.boolean().optional(),
      idempotencyKey: z.string().min(1).max(255).optional(),
    }),
  ),
  jobId: onFirstUse(() => z.string(mustBe('the id of a job, such as `job.id`'))),
  resumeJob: onFirstUse(() => z.strictObject({ budget: z.custom<JobBudget>().optional() })),
  close: onFirstUse(() => z.strictObject({ drain: z.boolean().optional() })),
  resume: onFirstUse(() =>
    z.strictObject({
      complete: z.custom<CompleteRequest>((value) => typeof value === 'function', mustBe('a function')).optional(),
    }),
  ),
}

/** Describes an argument of the wrong kind, and what is expected. */
const describeArgument = (seen: unknown, expected: string, path: string[] = []): RequestIssue => ({
  code: 'invalid_type',
  path,
  message: `${printSeen(seen)} is not ${isObject(seen) ? 'a string' : 'an object'}: ${expected}`,
})

/**
 * Checks the options of a single page.
 *
 * @throws InvalidRequestError with every problem found
 */
export function checkScrapeOptions(options: unknown = {}, engine?: EngineCapabilities): ScrapeOptions {
  const checked = parseChecked<ScrapeOptions>(schemas.scrape(engine?.options), options, undefined, engine?.options)
  if (engine) refuseForEngine(checked, engine)
  return checked
}

/** Creates the check of the URL and the options of a single page, which reports on both. */
const createPageCheck =
  <Options extends object>(schema: (more?: FeatureOptions) => ZodType<Options>) =>
  (page: unknown, options: unknown = {}, engine?: EngineCapabilities): { url: string; options: Options } => {
    const given = urlToString(page)
    const url = isObject(given)
      ? { issues: [describeArgument(given, 'the URL stands alone, and its options after it', ['url'])] }
      : tryParse<string>(schemas.url(), given, ['url'])
    const checked = tryParse<Options>(schema(engine?.options), options, [], engine?.options)
    if (!('value' in url) || !('value' in checked)) throw new InvalidRequestError([...url.issues, ...checked.issues])
    if (engine) refuseForEngine(checked.value, engine)
    return { url: url.value, options: checked.value }
  }

/** Checks the URL and the options of a single page. @throws InvalidRequestError with every problem found */
export const checkScrape = createPageCheck<ScrapeCallOptions>(schemas.scrapeCall)

/** Checks the URL and the options of a single page in version 1. @throws InvalidRequestError with every problem found */
export const checkV1Scrape = createPageCheck<V1ScrapeCallOptions>(schemas.v1ScrapeCall)

/** Creates the check of the request of a job. */
const createRequestCheck =
  <Request extends object>(schema: (more?: FeatureOptions) => ZodType<Request>) =>
  (request: unknown, engine?: EngineCapabilities, more = engine?.options): Request => {
    const checked = parseChecked<Request>(schema(more), normalizeRequest(request, more), undefined, more)
    if (engine) refuseForEngine(checked, engine)
    return checked
  }

/** Checks the request of a batch. @throws InvalidRequestError with every problem found */
export const checkBatchScrape = createRequestCheck<CheckedBatch<BatchScrapeRequest>>(schemas.batchScrape)

/** Checks the request of a crawl. @throws InvalidRequestError with every problem found */
export const checkCrawl = createRequestCheck<Checked<CrawlRequest>>(schemas.crawl)

/** Checks the request of a batch of version 1. @throws InvalidRequestError with every problem found */
export const checkV1BatchScrape = createRequestCheck<CheckedBatch<V1BatchScrapeRequest>>(schemas.v1BatchScrape)

/** Checks the request of a crawl of version 1. @throws InvalidRequestError with every problem found */
export const checkV1Crawl = createRequestCheck<Checked<V1CrawlRequest>>(schemas.v1Crawl)

/** Checks bytes or HTML that the caller has. @throws InvalidRequestError with every problem found */
export const checkParseInput = (input: unknown): Checked<ParseInput> =>
  parseChecked<Checked<ParseInput>>(schemas.parseInput(), normalizeParseInput(input))

/** Checks the configuration of an engine. @throws InvalidRequestError with every problem found */
export function checkEngineConfig(config: unknown, more: FeatureOptions = NO_FEATURE_OPTIONS): EngineConfig {
  const given = isObject(config) ? config : {}
  // An error suggests names: the schema must know them all.
  const isKnown = Object.keys(given).every(
    (name) => Object.hasOwn(engineDefinitions, name) || Object.hasOwn(more.engine, name),
  )
  const schema = engineConfigSchema(z, more, isKnown ? (name) => name in given : undefined)
  return parseChecked<EngineConfig>(schema, config, undefined, more)
}

/** Checks the budget of a job that is resumed. @throws InvalidRequestError with every problem found */
export function checkBudget(budget: unknown, engine: StaticCapabilities): JobBudget {
  const checked = parseChecked<JobBudget>(schemas.budget(), budget, ['budget'])
  const issues = findUnpricedBudget(checked, engine)
  if (issues.length > 0) throw new InvalidRequestError(issues)
  return checked
}

/** Checks the options of a call that starts no job. @throws InvalidRequestError with every problem found */
export const checkCall = (options: unknown = {}): CallOptions => parseChecked<CallOptions>(schemas.call(), options)

/** Checks the options of a call that starts a job. @throws InvalidRequestError with every problem found */
export const checkJobCall = (options: unknown = {}): JobCallOptions =>
  parseChecked<JobCallOptions>(schemas.jobCall(), options)

/** Checks the options of resuming jobs. @throws InvalidRequestError with every problem found */
export function checkResume(options: unknown = {}): ResumeOptions {
  if (typeof options === 'string')
    throw new InvalidRequestError([describeArgument(options, 'it resumes all jobs, and `engine.job(id)` gets one')])
  return parseChecked<ResumeOptions>(schemas.resume(), options)
}

/** Checks the options of resuming a job. @throws InvalidRequestError with every problem found */
export const checkResumeJob = (options: unknown = {}): ResumeJobOptions =>
  parseChecked<ResumeJobOptions>(schemas.resumeJob(), options)

/**
 * Checks the options of closing an engine. Anything but an object counts as none: a listener of signals gets the name of the signal.
 *
 * @throws InvalidRequestError with every problem found
 */
export const checkClose = (options: unknown): CloseEngineOptions =>
  typeof options === 'object' && options !== null ? parseChecked<CloseEngineOptions>(schemas.close(), options) : {}

/** Checks the id of a job, for which a job may be given by mistake. @throws InvalidRequestError */
export const checkJobId = (id: unknown): string => parseChecked<string>(schemas.jobId(), id)

/**
 * Creates the check of what a call of a feature takes. It throws InvalidRequestError with every problem found.
 *
 * @param create creates its schema, at the first check. @param more of it: options that features add to the requests within it
 * @param path of the value in the call
 */
export function createCheck<T>(
  create: (z: SchemaBuilder, more: FeatureOptions) => ZodType<T>,
  path?: readonly string[],
) {
  const schema = onFirstUseOf((more) => create(z, more))
  return (value: unknown, more?: FeatureOptions): T => parseChecked(schema(more), value, path, more)
}

/** Schema of the input of a tool, for a model and for the check of what the model gives. */
interface InputSchema {
  readonly jsonSchema: Readonly<Record<string, unknown>>
  /** @throws InvalidRequestError with every problem found */
  check(input: unknown): unknown
}

/** Creates the schema of the input of a tool. */
export function createInputSchema(create: (z: SchemaBuilder) => ZodType): InputSchema {
  const schema = create(z)
  const { $schema: _, ...jsonSchema } = z.toJSONSchema(schema, { io: 'input' })
  return { jsonSchema, check: (input) => parseChecked(schema, input) }
}
