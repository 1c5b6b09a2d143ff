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
  url?: string
  /** Language of the page, as it states it: `en` includes `en-US`. */
  language?: string
  /** ISO date: pages that state this date or a later one. */
  after?: string
  /** ISO date: pages that state an earlier date. */
  before?: string
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
  /** Vector of the query, of length 1; absent to search by words alone. */
  readonly vector?: { readonly space: number; readonly numbers: Float32Array }
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
  /** URL that shows the match in a browser, by a text fragment (`#:~:text=`): words of the query, or else the beginning of the chunk. */
  link: string
  /** Relevance, as a share of that of the best hit, which has 1. Comparable within one search only. */
  score: number
  /** Date that the page states, as the page writes it: of its last change, or of its publication. */
  date?: string
  /** Language that the page states. */
  language?: string
  /** Job that has scraped the page. */
  jobId: string
}

/** The vectors of one embedder in an index. Those of others cannot be compared with them. */
export interface VectorSpace {
  readonly number: number
  /** False when the vectors that the index has, or had, are those of another embedder. */
  readonly isSame: boolean
}

/** A chunk without a vector. */
export interface ChunkToEmbed {
  readonly chunk: number
  /** Title of the page, path of headings, and the chunk's Markdown. */
  readonly text: string
}

/** The vector of a chunk, of length 1. */
export interface ChunkVector {
  readonly chunk: number
  readonly vector: Float32Array
}

/** Some of the chunks of a job without a vector. */
export interface EmbeddingTurn {
  readonly chunks: readonly ChunkToEmbed[]
  /** Number of a chunk: the next turn begins after it. */
  readonly after: number
  /** True when there is no chunk after it. */
  readonly isLast: boolean
}

/** Vectors of the chunks of an index. They are deleted with their chunks. */
export interface ChunkVectors {
  /**
   * Finds the vectors of the index; undefined when it was never given any.
   *
   * @param sample vector of a text that is always the same: embedders are told apart by it
   */
  find(sample: Float32Array): Promise<VectorSpace | undefined>
  /** Prepares the index for the vectors of an embedder: those of another one are deleted. @param sample as of `find` */
  open(sample: Float32Array): Promise<VectorSpace>
  /** Lists chunks of a job that have no vector, from the one after a chunk number on. */
  listMissing(jobId: string, after: number): Promise<EmbeddingTurn>
  /** Stores vectors. @returns false when the index has the vectors of another embedder by now; then none is stored */
  put(space: number, vectors: readonly ChunkVector[]): Promise<boolean>
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
  /** Vectors of the chunks; absent in an index that is searched by words alone. */
  readonly vectors?: ChunkVectors
  /** Finds chunks, best first; undefined for a job that is not in the index. */
  search(query: IndexQuery): Promise<readonly SearchHit[] | undefined>
  /** True for an index that ends with its engine: nothing is in it before it is used. @default false */
  readonly isTemporary?: true
  /** True once the index was used: nothing is opened before. */
  readonly isOpen: boolean
  /** Removes the jobs that have expired. */
  forgetExpired(nowMs: number): Promise<void>
  /** Releases threads and files. Pages that were put are stored. */
  close(): Promise<void>
}
