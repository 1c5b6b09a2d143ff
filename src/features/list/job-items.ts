import type { ListRow } from '../../content/extract/list/page-list.js'

/** Reads the rows of the lists on a job's pages. */
export interface JobItems {
  /**
   * Iterates over the rows of the main lists of all pages, with format `list`: pages in the order in which they finish, rows in
   * that of their list. It reads the documents as a loop over the job does: a slow reader slows the job down, the loop throws when
   * the job failed, and the job continues when the loop is left.
   *
   * Each row comes once. A row is known by its URL and title, where most rows of its page have a URL of their own (field
   * `url`, or else the first field of type `url` with "url" in its name), and by all of its values otherwise. If one page has
   * several rows with the same URL and title, such as the variants of a product, these are known by their texts and numbers. Each
   * loop remembers the last 1,000,000 different rows at least, in 96 MiB of memory at most.
   *
   * With `acknowledge`, a page is acknowledged when the loop asks for the row after its last one.
   *
   * @example
   * const job = engine.crawl({ url: 'https://example.com/shop', scrapeOptions: { formats: ['list'] } })
   * for await (const { title, price } of job.items()) console.log(title, price)
   *
   * @throws TrawlError `BAD_REQUEST` when the `formats` of the job have no `list`
   * @see docs/guides/lists.md
   */
  items(): AsyncIterableIterator<ListRow>
}
