import type { JobUse } from '../accounting/budget.js'

/** Fields of every message of the tracing channels. One object stands for one span, from its start to its end. */
interface AnySpan {
  /**
   * Set at the end of work that failed: a code of the table of errors, or the name of another error. Messages of errors are
   * left out, because they may quote a page.
   */
  code?: string
}

/** Message of `trawl:job`: a job, from its start to its end in this process. A job that is resumed has a further span. */
export interface JobSpan extends AnySpan {
  readonly jobId: string
  readonly kind: 'crawl' | 'batch-scrape'
  /** True for a job that was begun by an earlier process, or that had stopped. */
  readonly isResumed: boolean
  /** `parked` when the engine was closed, so that another process may continue the job. Set at the end. */
  state?: 'completed' | 'cancelled' | 'failed' | 'parked'
  /** The resource that ran out, as in the status of the job. */
  stoppedBy?: string
  /** The counters of the job, from its ledger; absent when that could not be read. Set at the end. */
  counts?: { readonly completed: number; readonly failed: number; readonly skipped: number; readonly credits: number }
  /** Resources that the job has used, in all processes. Set at the end. */
  used?: JobUse
}

/** Message of `trawl:page`: a page from its first lease to its outcome, or a call of `engine.scrape()`, with all attempts. */
export interface PageSpan extends AnySpan {
  /** Absent for a page outside of a job. */
  readonly parent?: JobSpan
  /** Without user name and password, as in all messages. */
  readonly url: string
  /** Links away from a seed; absent for a page outside of a job. */
  readonly depth?: number
  /** Number of positions of the page in the list of a batch: its outcome counts so many times. */
  readonly positions: number
  /** Absent when the process stopped working at the page before. Set at the end. */
  outcome?: 'done' | 'failed' | 'skipped'
  /** Reason of the outcome `skipped`. */
  reason?: string
  /** Number of documents that the page gave. */
  documents?: number
  credits?: number
}

/** Message of `trawl:attempt`: one attempt at a page. */
export interface AttemptSpan extends AnySpan {
  readonly parent?: PageSpan | JobSpan
  readonly url: string
  /** From 1. */
  readonly number: number
  /** `refused` when a rule such as robots.txt refused the page before a request; `retry` when another attempt follows. */
  outcome?: 'done' | 'failed' | 'skipped' | 'retry' | 'refused'
  /** The fetcher used, `cache`, or `record`. */
  fetcher?: string
  /** Reason why a plainer fetcher was not used. */
  fetcherReason?: string
  statusCode?: number
  /** Delay until the next attempt. Milliseconds. */
  retryDelayMs?: number
}

/** Span that a fetch, a digest or a call of the model may belong to. */
export type ParentSpan = AttemptSpan | PageSpan | JobSpan

/** Message of `trawl:fetch`: one URL obtained by one fetcher, with its redirects, and all that a browser loads for it. */
export interface FetchSpan extends AnySpan {
  /** Absent for files that several jobs share, such as robots.txt. */
  readonly parent?: ParentSpan
  readonly url: string
  readonly fetcher: string
  /** Requests sent so far. */
  requests: number
  /** Bytes received on the wire so far. */
  bytes: number
  /** Time in the browser. Milliseconds. */
  browserMs: number
  statusCode?: number
  /** The URL that answered, when it differs. */
  finalUrl?: string
}

/** Message of `trawl:digest`: bytes of a page parsed, extracted and converted. */
export interface DigestSpan extends AnySpan {
  readonly parent?: ParentSpan
  readonly url: string
  /** Size of the page. Bytes. */
  readonly bytes: number
  /** Media type that the site stated, without parameters; at most 255 characters. */
  readonly contentType?: string
}

/** Message of `trawl:model`: one request to the language model (`chat`), or one call of `embed` (`embeddings`). */
export interface ModelSpan extends AnySpan {
  /** Absent for embeddings, because a call may have texts of several pages. */
  readonly parent?: ParentSpan
  readonly operation: 'chat' | 'embeddings'
  /** Name of the model, if known. */
  readonly model?: string
  /** Name of its provider, if known. */
  readonly provider?: string
  /** Number of texts of a call of `embed`. */
  readonly texts?: number
  readonly temperature?: number
  readonly maxOutputTokens?: number
  /** Tokens that count against the budgets; also for a request that was given up. */
  inputTokens?: number
  outputTokens?: number
  /** In the currency of `modelOptions.price`; 0 without a price. */
  cost?: number
  finish?: 'stop' | 'length' | 'refusal'
  /** HTTP status of an error of the model. */
  statusCode?: number
}

/** Message of `trawl:ledger`: one write to the ledger of a job. */
export interface LedgerSpan extends AnySpan {
  readonly parent?: JobSpan
  /**
   * `admit`: URLs that were found; `claim`: the target of a redirect; `retry`: a page that is tried again; `end`: the outcome of
   * a page, with its documents; `skip`: all that was queued when the job ended.
   */
  readonly operation: 'admit' | 'claim' | 'retry' | 'end' | 'skip'
  /** Rows written. */
  rows: number
  /** Those of them that were refused without having been a page of the job. One that is found again may be scraped later. */
  refused: number
}

/** The message of each tracing channel, by the part of its name after `trawl:`. */
export interface TraceSpans {
  job: JobSpan
  page: PageSpan
  attempt: AttemptSpan
  fetch: FetchSpan
  digest: DigestSpan
  model: ModelSpan
  ledger: LedgerSpan
}
