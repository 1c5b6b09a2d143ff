/** A link of a recorded page. */
export interface RecordedLink {
  readonly url: string
  /** Set when the page marks the link as `nofollow`. */
  readonly nofollow?: true
}

/** A page of a crawl, without its links. */
export interface RecordedPage {
  /** The requested URL. */
  readonly url: string
  /** The URL after redirects, when it differs. */
  readonly finalUrl?: string
  readonly statusCode: number
  readonly depth: number
  /** True when the page gave a document; false when it was fetched for its links only, or refused. */
  readonly gaveDocument: boolean
  /** The time at which the page was last fetched or revalidated. Milliseconds since the epoch. */
  readonly scrapedAtMs: number
  /** The time at which a crawl last reached it. Milliseconds since the epoch. */
  readonly seenAtMs: number
  /** SHA-256 of the raw body in hexadecimal digits. */
  readonly bodyHash: string
  /** Fingerprints of its text: see `Fingerprint.exact` and `similarity`; absent when the page was not parsed. */
  readonly exact?: string
  readonly similarity?: string
  readonly etag?: string
  readonly lastModified?: string
  /** The sitemap's `lastmod`: an ISO date. */
  readonly lastmod?: string
  /** Set when the page was not asked for, because of this date. */
  readonly byDate?: true
  /** A selection of the document's metadata. */
  readonly metadata: Readonly<Record<string, string | boolean>>
}

/** A page as a crawl recorded it: the data that detects a change, and the data to reuse without one. */
export interface PageRecord extends RecordedPage {
  /** Absent when there were too many to record: the next crawl then always fetches the page. */
  readonly links?: readonly RecordedLink[]
}

/** The head of a crawl's record. */
export interface RecordHead {
  readonly start: string
  readonly tag: string | null
  /** Hash of the options with which its pages were scraped. */
  readonly askedAs: string
  readonly endedAtMs: number
  /** Number of the parts that hold its pages. */
  readonly parts: number
  readonly pages: number
  /** Set when pages had changed whose dates in the sitemap had not. */
  readonly hasFalseDates?: true
  /** Set when pages were not asked for, because of these dates. */
  readonly hasByDate?: true
}

/** Identifies a record: its start URL and tag, and the job that wrote it. */
export interface RecordId {
  readonly start: string
  readonly tag: string | null
  readonly askedAs: string
  readonly jobId: string
  readonly hasFalseDates?: true
  readonly hasByDate?: true
}

/** Maximum number of recorded links of a page. */
const MAX_LINKS = 20_000
const MAX_LINK_CHARACTERS = 1024 * 1024

/** Tests whether the links of a page are few and short enough to be recorded. */
export function canRecordLinks(links: readonly RecordedLink[]): boolean {
  if (links.length > MAX_LINKS) return false
  let characters = 0
  for (const { url } of links) characters += url.length
  return characters <= MAX_LINK_CHARACTERS
}

/** The store key of a record's head. */
export const headKey = (jobId: string): string => `crawl ${jobId}`

/** The store key of a record's part. */
export const partKey = (jobId: string, part: number): string => `crawl ${jobId} ${part}`

/** The store key of the list of jobs that recorded crawls of a start URL, newest first. */
export const seriesKey = (start: string, tag: string | null): string => `crawls ${JSON.stringify([tag, start])}`
