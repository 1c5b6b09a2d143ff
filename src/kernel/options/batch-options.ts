import type { z } from 'zod'
import type { SchemaBuilder } from '../../content/convert/format.js'
import type { UrlLike } from '../../base/url.js'
import {
  collectDefaults,
  createShape,
  type DefaultsOf,
  type FeatureOptions,
  NO_FEATURE_OPTIONS,
  type OptionDefinitions,
} from './option-definition.js'
import { optionalBoolean } from './fields/basic-schemas.js'
import type { FormatItem } from './fields/formats.js'
import { isValidUrlField, parseUrlField } from './fields/url-field.js'
import { areValid } from '../../base/issues/are-valid.js'
import { mustBe } from '../../base/issues/describe-issue.js'
import { type JobOptions, jobShape } from './job-options.js'
import type { ScrapeOptions } from './scrape-options.js'
import { scrapeRules, scrapeShape, topLevelRules } from './scrape-schema.js'

/**
 * Scrapes the URLs of a list.
 *
 * @see docs/compatibility/jobs.md#batch-request
 * @example
 * engine.batchScrape({ urls: ['https://example.com/a', 'https://example.com/b'], formats: ['markdown', 'links'] })
 */
export interface BatchScrapeRequest<Formats extends readonly FormatItem[] = readonly FormatItem[]>
  extends ScrapeOptions<Formats>, JobOptions {
  /**
   * URLs of the pages, at least one: an array, a `Set`, or any other iterable of strings and `URL`s. A URL that occurs
   * twice is fetched once and gives two documents.
   */
  urls: Iterable<UrlLike>
  /** Leave invalid URLs out and list them in `invalidURLs`, instead of refusing the request. @default true */
  ignoreInvalidURLs?: boolean
  /**
   * Id of a running batch. The URLs are added to it, under its options, and no job is started. See also `job.append()`.
   * The call throws `JOB_NOT_FOUND` (404) for an unknown batch, and `JOB_FINISHED` (409) for one that has ended.
   */
  appendToId?: string
}

/** Definitions of {@link BatchScrapeRequest}, without those of pages and of every job. @internal */
export const batchDefinitions = {
  urls: { schema: (z) => z.array(z.string()).min(1), help: false },
  ignoreInvalidURLs: {
    schema: optionalBoolean,
    default: true,
    help: 'Skip and report invalid URLs, instead of refusing all',
  },
  appendToId: {
    schema: (z) => z.uuid(mustBe('the id of a job')).optional(),
    help: 'Id of the batch to add the URLs to',
  },
} as const satisfies OptionDefinitions<Omit<BatchScrapeRequest, keyof ScrapeOptions | keyof JobOptions>>

/** Defaults of a batch, without those of its pages and of every job. @internal */
export const batchDefaults: DefaultsOf<typeof batchDefinitions> = collectDefaults(batchDefinitions)

/** Creates the schema of a {@link BatchScrapeRequest}. @internal */
export function batchScrapeSchema(z: SchemaBuilder, more: FeatureOptions = NO_FEATURE_OPTIONS) {
  return z
    .strictObject({ ...scrapeShape(z, more), ...batchShape(z, more) })
    .check(...scrapeRules(z, more), ...batchRules(z, more))
}

/** Creates the schema of each field of a batch that is not of its pages. @internal */
export const batchShape = (z: SchemaBuilder, more: FeatureOptions) => ({
  ...jobShape(z, more),
  ...createShape(batchDefinitions, z),
})

/** Creates the rules of batches of either version, beside those of their pages. @internal */
export const batchRules = (z: SchemaBuilder, more: FeatureOptions) => [
  ...topLevelRules(z, more),
  z.superRefine(refuseInvalidUrls, { when: areValid('urls', 'ignoreInvalidURLs') }),
]

/** Refuses invalid URLs: any of them, or a list of nothing else if they are ignored. */
function refuseInvalidUrls(
  {
    urls,
    ignoreInvalidURLs = batchDefaults.ignoreInvalidURLs,
  }: { urls: readonly string[]; ignoreInvalidURLs?: boolean },
  context: z.core.$RefinementCtx,
): void {
  const findProblem = (url: string): string | undefined => {
    const parsed = parseUrlField(url)
    return 'problem' in parsed ? parsed.problem : undefined
  }
  if (ignoreInvalidURLs) {
    if (urls.some(isValidUrlField)) return
    const message = `no valid URLs: ${findProblem(urls[0] ?? '') ?? ''}`
    context.addIssue({ code: 'custom', path: ['urls'], message })
    return
  }
  for (const [index, url] of urls.entries()) {
    const message = isValidUrlField(url) ? undefined : findProblem(url)
    if (message !== undefined) context.addIssue({ code: 'custom', path: ['urls', index], message })
  }
}
