const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

/** Tolerance for wrong clocks, and for pages that are published some time after they were saved. */
const TOLERANCE_MS = HOUR_MS
/** Length of a calendar day over all time zones, from its beginning in UTC. */
const CALENDAR_DAY_MS = 36 * HOUR_MS
/** One of this many pages that are unchanged according to their dates is fetched nevertheless, to check the dates. */
const SAMPLE_INTERVAL = 200
/** Pages that were fetched last time, and are taken as unchanged before the first one is fetched. */
const MAX_BEFORE_SAMPLE = 20
/** Share of pages that may have changed without a new date where every page was compared: front pages often do. */
const TOLERATED_SHARE = 0.01

/** Reliability of the `lastmod` dates in a site's sitemaps. */
export class SitemapDates {
  readonly #sampleAt = Math.floor(Math.random() * SAMPLE_INTERVAL)
  #hasSample = false
  #first: string | undefined
  #isVaried = false
  #isFalse = false
  #compared = 0
  #disproved = 0
  #checks = 0
  #unchecked = 0

  /** Adds the date of a page. */
  add(lastmod: string, nowMs: number): void {
    this.#first ??= lastmod
    // One date for all pages is the date when the sitemap was generated.
    if (lastmod !== this.#first) this.#isVaried = true
    // A date in the future is wrong, so that none of the dates can be trusted.
    if (Date.parse(lastmod) > nowMs + DAY_MS) this.#isFalse = true
  }

  /** True when too many pages of this crawl had changed whose dates had not, so that the next crawl does not trust the dates. */
  get areProvedFalse(): boolean {
    return this.#disproved > this.#compared * TOLERATED_SHARE
  }

  /** Number of pages that were taken as unchanged because of their dates. */
  get unchecked(): number {
    return this.#unchecked
  }

  /** Distrusts the dates because they were wrong in an earlier crawl. */
  distrust(): void {
    this.#isFalse = true
  }

  /**
   * Compares the date of a page with its content.
   *
   * @param scrapedAtMs time at which the page was scraped before
   * @param hasChanged true when its content differs from what it was then
   * @returns true for the first date that is proved wrong, unless the dates were distrusted before
   */
  compare(lastmod: string, scrapedAtMs: number, hasChanged: boolean): boolean {
    if (!this.#isVaried || findLatestMs(lastmod) >= scrapedAtMs) return false
    this.#compared += 1
    if (!hasChanged) return false
    this.#disproved += 1
    const isNew = !this.#isFalse
    this.#isFalse = true
    return isNew
  }

  /** Returns true if a page is unchanged since it was scraped, according to its date. */
  isUnchanged(lastmod: string, scrapedAtMs: number): boolean {
    if (!this.#isVaried || this.#isFalse) return false
    return findLatestMs(lastmod) < scrapedAtMs
  }

  /**
   * Decides whether a page is to be fetched although it is unchanged according to its date: one at the beginning, and others that differ
   * from crawl to crawl.
   *
   * @param isDue false for a page that was fetched last time, where others were not
   */
  takeSample(isDue: boolean): 'first' | 'further' | undefined {
    const check = this.#checks++
    if (!this.#hasSample && (isDue || check >= MAX_BEFORE_SAMPLE)) {
      this.#hasSample = true
      return 'first'
    }
    if (check >= SAMPLE_INTERVAL && check % SAMPLE_INTERVAL === this.#sampleAt) return 'further'
    this.#unchecked += 1
    return undefined
  }
}

/** The latest time that a date may mean: omitted parts were parsed as the first of the year, of the month, of the day. */
function findLatestMs(lastmod: string): number {
  const time = Date.parse(lastmod)
  if (!lastmod.endsWith('T00:00:00.000Z')) return time + TOLERANCE_MS
  if (lastmod.slice(4).startsWith('-01-01T')) return time + 365 * DAY_MS + CALENDAR_DAY_MS
  return time + (lastmod.slice(7).startsWith('-01T') ? 30 * DAY_MS : 0) + CALENDAR_DAY_MS
}
