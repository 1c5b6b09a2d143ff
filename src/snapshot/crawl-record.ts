/** A link of a page, as much as a later crawl needs of it. */
export interface RecordedLink {
  readonly url: string
  /** Whether the page asked that it not be followed. */
  readonly nofollow?: true
}

/** A page as a crawl left it: by what it is told whether it has changed, and what is known of it when it has not. */
export interface PageRecord {
  /** As it was asked for. */
  readonly url: string
  /** The URL that answered, when it is another. */
  readonly finalUrl?: string
  readonly statusCode: number
  readonly depth: number
  /** Whether it gave a document; one that was fetched for its links, or refused after all, gave none. */
  readonly gaveDocument: boolean
  /** When it was last known to be as it is here: fetched, or asked about. Milliseconds since the epoch. */
  readonly scrapedAtMs: number
  /** When a crawl last came to it. Milliseconds since the epoch. */
  readonly seenAtMs: number
  /** SHA-256 of the raw body, in hexadecimal digits. */
  readonly bodyHash: string
  /** What its text is compared by: see `Fingerprint.exact` and `similarity`; absent where no text was read. */
  readonly exact?: string
  readonly similarity?: string
  readonly etag?: string
  readonly lastModified?: string
  /** When the sitemap said that it was last changed: an ISO date. */
  readonly lastmod?: string
  /** A few of the document's metadata. */
  readonly metadata: Readonly<Record<string, string | boolean>>
  /** Absent when there were too many to remember: the page is fetched then, whatever is known of it. */
  readonly links?: readonly RecordedLink[]
}

/** What stands at the head of a crawl's record. */
export interface RecordHead {
  readonly start: string
  readonly tag: string | null
  /** How its pages were asked for, as a hash. */
  readonly askedAs: string
  readonly endedAtMs: number
  /** Under how many keys its pages lie. */
  readonly parts: number
  readonly pages: number
}

/** Which record is which: its start URL and tag, and the job that left it. */
export interface RecordName {
  readonly start: string
  readonly tag: string | null
  readonly askedAs: string
  readonly jobId: string
}

/** Most links that are remembered of a page, and how long they may be together, in characters. */
export const MAX_LINKS = 20_000
const MAX_LINK_CHARACTERS = 1024 * 1024

/** Whether a page's links can be remembered: a site may have any number of them, of any length. */
export function areFewLinks(links: readonly RecordedLink[]): boolean {
  if (links.length > MAX_LINKS) return false
  let characters = 0
  for (const { url } of links) characters += url.length
  return characters <= MAX_LINK_CHARACTERS
}

/** What the head of a record is kept under. */
export const headKey = (jobId: string): string => `crawl ${jobId}`

/** What a part of a record is kept under. */
export const partKey = (jobId: string, part: number): string => `crawl ${jobId} ${part}`

/** What the list of the jobs is kept under that left records of crawls of a start URL, newest first. */
export const seriesKey = (start: string, tag: string | null): string => `crawls ${JSON.stringify([tag, start])}`
