/** A page that a job has scraped, as it is indexed. */
export interface PageToIndex {
  /** Key of the page's row in the ledger: a page of a job with the same key is replaced. */
  readonly key: string
  /** URL of the page, after redirects. */
  readonly url: string
  /**
   * `read`: the page was read, and `markdown` is its content. `same`: it has not changed since an earlier job indexed a page
   * with this key. `gone`: its site says that it no longer exists.
   */
  readonly state: 'read' | 'same' | 'gone'
  readonly markdown?: string
  readonly title?: string
  /** Date that the page states: of its last change, or of its publication. */
  readonly date?: string
  /** Language that the page states, such as `en-US`. */
  readonly language?: string
}

/** Restricts a search to some pages. */
export interface SearchFilter {
  /** Beginning of the page's URL: `https://example.com/docs/`. */
  url?: string | undefined
  /** Language of the page, as it states it: `en` includes `en-US`. */
  language?: string | undefined
  /** ISO date: pages that state this date or a later one. */
  after?: string | undefined
  /** ISO date: pages that state an earlier date. */
  before?: string | undefined
}

/** A search as an index answers it. */
export interface IndexQuery {
  /** Anything that a person may write. It has no syntax. */
  readonly query: string
  /** Maximum number of hits. */
  readonly limit: number
  readonly filter: SearchFilter
  /** The job to search; absent to search the newest version of each page of all jobs. */
  readonly jobId?: string
  /** Time of the search, for jobs that expire. Milliseconds since the epoch. */
  readonly nowMs: number
}

/** A chunk of a page that was found. */
export interface SearchHit {
  /** URL of the page, after redirects. */
  url: string
  title?: string
  /** Headings above the chunk, outermost first. */
  path: string[]
  /** The chunk, as Markdown. */
  text: string
  /** URL that shows the chunk in a browser, by a text fragment (`#:~:text=`). */
  link: string
  /** Relevance: higher is better. Comparable within one search only. */
  score: number
  /** Date that the page states, as the page writes it: of its last change, or of its publication. */
  date?: string
  /** Language that the page states. */
  language?: string
  /** Job that has scraped the page. */
  jobId: string
}

/**
 * An index of the chunks of pages, for full-text search. Everything runs outside the host's thread. It is written before the
 * ledger, so that after a crash it has at least the pages that the ledger has; {@link SearchIndex.keepOnly} removes the rest.
 */
export interface SearchIndex {
  /** Adds a job, or keeps one that has ended and continues from expiring. */
  begin(jobId: string): Promise<void>
  /** Adds or replaces a page of a job. Resolves when it is stored. */
  put(jobId: string, page: PageToIndex): Promise<void>
  /** Tests whether an unexpired job has indexed the content of a page with this key, so that `same` can refer to it. */
  has(key: string, nowMs: number): Promise<boolean>
  /** Lists the keys of a job's pages; undefined for a job that is not in the index. */
  keys(jobId: string): Promise<readonly string[] | undefined>
  /** Removes the pages of a job with other keys: its ledger does not have them. */
  keepOnly(jobId: string, keys: readonly string[]): Promise<void>
  /**
   * Records the end of a job.
   *
   * @param expiresAtMs time at which the job is forgotten. Milliseconds since the epoch
   * @param replacedJobId an earlier job that this one has updated: it is no longer found by searches of all jobs
   */
  end(jobId: string, expiresAtMs: number, replacedJobId?: string): Promise<void>
  /** Finds chunks, best first; undefined for a job that is not in the index. */
  search(query: IndexQuery): Promise<readonly SearchHit[] | undefined>
  /** True once the index was used: nothing is opened before. */
  readonly isOpen: boolean
  /** Removes the jobs that have expired. */
  forgetExpired(nowMs: number): Promise<void>
  /** Releases threads and files. Pages that were put are stored. */
  close(): Promise<void>
}
