import type { SchemaBuilder } from '../convert/format.js'
import type { FormatItem } from './fields/formats.js'
import { jobDefinitions, type JobOptions } from './job-options.js'
import { createShape, type DefaultsOf, collectDefaults, type OptionDefinitions } from './option-definition.js'
import { refuseRetention } from './zero-retention.js'
import { areValid, scrapeDefinitions, type ScrapeOptions, scrapeRules } from './scrape-options.js'
import { parseUrlField } from './fields/url-field.js'
import type { UrlLike } from '../url.js'

/**
 * Scrapes the URLs of a list.
 *
 * @see docs/compatibility.md#batch-request
 * @example
 * engine.batchScrape({ urls: ['https://example.com/a', 'https://example.com/b'], formats: ['markdown', 'links'] })
 */
export interface BatchScrapeRequest<Formats extends readonly FormatItem[] = readonly FormatItem[]>
  extends ScrapeOptions<Formats>, JobOptions {
  /**
   * At least one: an array, a `Set`, or any other iterable of strings and `URL`s. A URL that occurs twice is fetched
   * once and gives two documents.
   */
  urls: Iterable<UrlLike>
  /** Leave invalid URLs out and name them in `invalidURLs`, instead of refusing the request. @default true */
  ignoreInvalidURLs?: boolean | undefined
  /**
   * Id of a batch that runs: the URLs join its list, under its options, and no job is started. See also `job.append()`.
   * Throws `JOB_NOT_FOUND` (404), or `JOB_FINISHED` (409) when the batch has ended.
   */
  appendToId?: string | undefined
}

/** Definitions of {@link BatchScrapeRequest}, without those of pages and of every job. @internal */
export const batchDefinitions = {
  urls: { schema: (z) => z.array(z.string()).min(1), help: false },
  ignoreInvalidURLs: {
    schema: (z) => z.boolean().optional(),
    default: true,
    help: 'Skip and report invalid URLs, instead of refusing all',
  },
  appendToId: {
    schema: (z) => z.uuid({ error: 'not the id of a job' }).optional(),
    help: 'Id of the batch to add the URLs to',
  },
} as const satisfies OptionDefinitions<Omit<BatchScrapeRequest, keyof ScrapeOptions | keyof JobOptions>>

/** Defaults of a batch, beside those of its pages. @internal */
export const batchDefaults: DefaultsOf<typeof batchDefinitions> = collectDefaults(batchDefinitions)

/** Creates the schema of a {@link BatchScrapeRequest}. @internal */
export function batchScrapeSchema(z: SchemaBuilder) {
  const shape = createShape({ ...scrapeDefinitions, ...jobDefinitions, ...batchDefinitions }, z)
  return z.strictObject(shape).check(
    ...scrapeRules(z),
    z.superRefine(refuseRetention(true), {
      when: areValid('zeroDataRetention', 'formats', 'storeInCache', 'profile', 'actions'),
    }),
    z.superRefine(
      ({ urls, ignoreInvalidURLs = batchDefaults.ignoreInvalidURLs }, context) => {
        const refuse = (path: (string | number)[], message: string) =>
          context.addIssue({ code: 'custom', path, message })
        if (!ignoreInvalidURLs) {
          for (const [index, url] of urls.entries()) {
            const read = parseUrlField(url)
            if ('problem' in read) refuse(['urls', index], read.problem)
          }
        } else if (urls.every((url) => 'problem' in parseUrlField(url))) {
          const [first = ''] = urls
          const read = parseUrlField(first)
          refuse(['urls'], `no valid URLs: ${'problem' in read ? read.problem : ''}`)
        }
      },
      { when: areValid('urls', 'ignoreInvalidURLs') },
    ),
  )
}
