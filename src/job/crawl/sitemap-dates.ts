const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

/** A clock that goes wrong, and a page that comes out a while after it was saved. Milliseconds. */
const SLACK_MS = HOUR_MS
/** A day lasts so long over all time zones, counted from its beginning in UTC. Milliseconds. */
const LONG_DAY_MS = 36 * HOUR_MS
/** Of the pages that their dates call unchanged, one of so many is looked at all the same. */
const SAMPLE = 200

/** Whether the dates of a site's sitemaps tell which pages have changed. */
export class SitemapDates {
  #first: string | undefined
  #isVaried = false
  #isFalse = false
  #told = 0

  /** Notes what a sitemap says of one of its pages. */
  see(lastmod: string, nowMs: number): void {
    this.#first ??= lastmod
    // Pages that all have one date have that of the sitemap's own making.
    if (lastmod !== this.#first) this.#isVaried = true
    // Nothing was changed in days to come: who says so says it of everything.
    if (Date.parse(lastmod) > nowMs + DAY_MS) this.#isFalse = true
  }

  /** A page had changed, and its date had not. Gives back whether that is news. */
  doubt(): boolean {
    if (this.#isFalse) return false
    this.#isFalse = true
    return true
  }

  /** Whether a page is still what it was when it was scraped, as far as its date goes. */
  tellUnchanged(lastmod: string, scrapedAtMs: number): boolean {
    if (!this.#isVaried || this.#isFalse) return false
    return latest(lastmod) < scrapedAtMs
  }

  /** Whether this one of the pages that are unchanged by their dates is looked at all the same. */
  takeSample(): boolean {
    return this.#told++ % SAMPLE === 0
  }
}

/** The latest time that a date may mean: what was left out of it reads as the first of the year, of the month, of the day. */
function latest(lastmod: string): number {
  const time = Date.parse(lastmod)
  if (!lastmod.endsWith('T00:00:00.000Z')) return time + SLACK_MS
  if (lastmod.slice(4).startsWith('-01-01T')) return time + 365 * DAY_MS + LONG_DAY_MS
  return time + (lastmod.slice(7).startsWith('-01T') ? 30 * DAY_MS : 0) + LONG_DAY_MS
}
