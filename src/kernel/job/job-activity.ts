import type { PageStep } from '../fetch/fetcher.js'

/** A page that a job works on now. */
export interface PageActivity {
  readonly url: string
  /** Number of the attempt, from 1. */
  readonly attempt: number
  /**
   * Step of the page: `fetch` (robots.txt, the cache, the site), `digest` (parse, extract, convert), `enrich` (further pages of a
   * list, models, media), or `worker` for a page that another engine scrapes. Absent while another process runs the job.
   */
  readonly step?: PageStep | 'worker'
  /** Time since the attempt began. Milliseconds; absent while another process runs the job. */
  readonly elapsedMs?: number
  /** Set while the page only waits for its site, and has lent its place among `maxConcurrency` to another page. */
  readonly lent?: true
}

/** Reads what a job does now. */
export interface JobActivity {
  /**
   * Lists the pages that the job works on now, oldest first: one for each place that it takes of the engine's `maxConcurrency`, and
   * those that have lent theirs. Empty while it waits, for example for a site that is to be asked later, and when it has ended.
   *
   * It reads memory only, so that it can be called several times a second; of a job that another process runs, it reads
   * the database.
   *
   * @example
   * for (const { step, elapsedMs, url } of await job.activity()) console.log(step, elapsedMs, url)
   *
   * @throws TrawlError `LEDGER_ERROR`, of a job that another process runs
   */
  activity(): Promise<readonly PageActivity[]>
}
