const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

/** Tolerance for wrong clocks, and for pages that are published some time after they were saved. */
const TOLERANCE_MS = HOUR_MS
/** Length of a calendar day over all time zones, from its beginning in UTC. */
const CALENDAR_DAY_MS = 36 * HOUR_MS
/** One of this many pages that are unchanged according to their dates is fetched nevertheless, to check the dates. */
const SAMPLE_INTERVAL = 200

/** Reliability of the `lastmod` dates in a site's sitemaps. */
export class SitemapDates {
  #first: string | undefined
  #isVaried = false
  #isFalse = false
  #checks = 0

  /** Adds the date of a page. */
  add(lastmod: string, nowMs: number): void {
    this.#first ??= lastmod
    // One date for all pages is the date when the sitemap was generated.
    if (lastmod !== this.#first) this.#isVaried = true
    // A date in the future is wrong, so that none of the dates can be trusted.
    if (Date.parse(lastmod) > nowMs + DAY_MS) this.#isFalse = true
  }

  /** Records that a page had changed and its date had not. @returns false when the dates were distrusted before */
  distrust(): boolean {
    if (this.#isFalse) return false
    this.#isFalse = true
    return true
  }

  /** Returns true if a page is unchanged since it was scraped, according to its date. */
  isUnchanged(lastmod: string, scrapedAtMs: number): boolean {
    if (!this.#isVaried || this.#isFalse) return false
    return findLatestMs(lastmod) < scrapedAtMs
  }

  /** Returns true if a page is to be fetched although it is unchanged according to its date. */
  shouldSample(): boolean {
    return this.#checks++ % SAMPLE_INTERVAL === 0
  }
}

/** The latest time that a date may mean: omitted parts were parsed as the first of the year, of the month, of the day. */
function findLatestMs(lastmod: string): number {
  const time = Date.parse(lastmod)
  if (!lastmod.endsWith('T00:00:00.000Z')) return time + TOLERANCE_MS
  if (lastmod.slice(4).startsWith('-01-01T')) return time + 365 * DAY_MS + CALENDAR_DAY_MS
  return time + (lastmod.slice(7).startsWith('-01T') ? 30 * DAY_MS : 0) + CALENDAR_DAY_MS
}
