import { defineFeature } from '../../kernel/engine/feature.js'
import { mustBe } from '../../base/issues/describe-issue.js'
import type { OptionDefinitions } from '../../kernel/options/option-definition.js'
import type { RememberedCrawl } from '../../kernel/job/crawl/crawl-memory.js'
import { RecordMemory } from './record-memory.js'
import { type MemoryPlan, planMemory } from './plan-memory.js'
import type { JobHandle } from '../../kernel/job/handle/job-handle.js'

/** Options of crawls that know an earlier one. */
export interface SinceOptions {
  /**
   * Skip the work for pages that are unchanged since an earlier crawl: the id of its job, or `'last'` for the newest
   * crawl of this `url` (and `tag`, with `changeTracking`). A page that is unchanged by the date in its sitemap is not
   * fetched. A page is fetched and not parsed if its site answers 304 to `If-None-Match` or `If-Modified-Since`, or if
   * its bytes are the same. An unchanged page gives a document **without formats**: metadata, and `changeTracking` with
   * `changeStatus: 'same'`; it costs no credits. Its stored links are followed. All other pages are crawled as usual. The
   * cache is not read.
   *
   * A crawl is recorded for this if it has `since` or `changeTracking`, or if the engine has `snapshots`. The last ten
   * records of each `url` and `tag` are kept, in the store of `snapshots`. An id that is known to have no record is
   * refused at the call. If the store turns out not to have the record, the job fails, with `error` in its status. Not in
   * the interface.
   */
  since?: string
}

declare module '../../kernel/options/feature-options.js' {
  interface FeatureCrawlOptions extends SinceOptions {}
  interface SparseOptions extends SinceOptions {}
}

/** Format of the ids of jobs. */
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Crawls that know an earlier one: pages that are unchanged since, and pages that are gone. @internal */
export const since = defineFeature({
  name: 'since',
  options: {
    crawl: {
      since: {
        schema: (z) =>
          z
            .string()
            .refine((value) => value === 'last' || UUID.test(value), mustBe("'last' or the id of a job"))
            .optional(),
        help: 'Report only changes since an earlier crawl: its job id, or last; requires --snapshots. Default: every page is new',
        stores: 'compares with the record of an earlier crawl, and stores one itself',
        asksSite: true,
      },
    } satisfies OptionDefinitions<SinceOptions>,
  },
  planJob: planMemory,
  openMemory: (crawl) => new RecordMemory(crawl as RememberedCrawl<MemoryPlan>),
  extendEngine: ({ jobs, settings }) => ({
    findFaults(request) {
      const { since: jobId } = request as SinceOptions
      const fault =
        jobId === undefined || jobId === 'last'
          ? undefined
          : validateSince(jobId, jobs.findLoaded(jobId), settings.keepsSnapshots)
      return fault === undefined ? [] : [{ code: 'custom', path: ['since'], message: fault }]
    },
  }),
})

/**
 * Checks whether a crawl can compare with an earlier job (`since`), without reading the snapshot store.
 *
 * @param job undefined when the engine does not have it in memory
 * @param isStoreGiven true when records of other engines may exist
 * @returns the reason why it cannot; undefined when it can
 */
function validateSince(jobId: string, job: JobHandle | undefined, isStoreGiven: boolean): string | undefined {
  if (!job) {
    if (isStoreGiven) return undefined
    return `this engine knows no job ${jobId}; the records of other engines' crawls are found with \`snapshots\` alone`
  }
  if (job.kind !== 'crawl') return `job ${jobId} is a batch: only a crawl leaves a record`
  if (job.state === 'scraping') return `job ${jobId} still runs: its record is written at its end`
  if (job.leavesRecord) return undefined
  return (
    `job ${jobId} left no record: a crawl leaves one with \`since\` or \`changeTracking\`, ` +
    'and always when the engine has `snapshots`'
  )
}
