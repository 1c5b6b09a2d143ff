import type { ConvertedFields } from '../convert/convert.js'
import type { FileBlock, FilePage } from '../convert/write/write-parts.js'
import type * as convertFormats from '../convert/formats/index.js'
import type { AnswerOf } from '../enrich/json-schema/answer-schema.js'
import type { EnrichedFields } from '../enrich/enrich.js'
import type { Fidelity } from '../extract/fidelity/fidelity.js'
import type { DroppedBlock } from '../extract/fidelity/dropped-block.js'
import type { PageMetadata } from '../extract/page-metadata.js'
import type * as enrichFormats from '../enrich/formats/index.js'
import type { ActionResults } from '../fetch/action.js'

type ConvertRegistry = typeof convertFormats
type EnrichRegistry = typeof enrichFormats
type AnyFormat = ConvertRegistry[keyof ConvertRegistry] | EnrichRegistry[keyof EnrichRegistry]

/** The fields that a format fills. */
type FieldsOf<F> = F extends { readonly fills?: infer Fields } ? Fields : never

/**
 * What a page says about itself, and how it was come by.
 *
 * Every other meta tag of the page stands under its own name (`og:title`, `theme-color`, …), as a text, or as a list of texts where
 * the page has several: of type `unknown`, so that a misspelt name is no text for the compiler.
 * @see docs/compatibility.md#metadata
 */
export interface DocumentMetadata extends PageMetadata {
  /** The URL as the caller spelt it; for a page that a crawl found, as it was found. */
  sourceURL: string
  /** The URL that answered, after redirects. */
  url: string
  /** The HTTP status. A page with an error status is a document like any other. */
  statusCode: number
  /** The status in words, for one outside 200 to 299. */
  error?: string
  /** The `Content-Type` header. */
  contentType?: string
  /** Which kind of proxy brought the page. */
  proxyUsed: 'basic' | 'stealth'
  /** Whether the page came from the cache; absent when the cache was not asked. */
  cacheState?: 'hit' | 'miss'
  /** When a page from the cache was fetched, ISO 8601. */
  cachedAt?: string
  /**
   * The data of the page's own that its text was taken from, e.g. `__NEXT_DATA__`, as its scripts would have shown it;
   * absent where the text is in the HTML, or a browser brought it.
   */
  hydratedFrom?: string
  /** Of a PDF file: how many pages were read. */
  numPages?: number
  /** Of a PDF file: how many pages it has. */
  totalPages?: number
  /** Identifies this scrape of this page. */
  scrapeId: string
  /** Identifies the document within its job, for `job.acknowledge()`: 0 for the first one handed out, then 1, and so on. Only where the job was started with `acknowledge`. */
  deliveryId?: number
  /** What the page costs. @see docs/compatibility.md#credits */
  creditsUsed: number
  /** How often a language model was asked; absent when there was nothing to ask. 0 when all answers were known already. */
  modelRequests?: number
  /** Tokens of these requests, as the model counts them, or else about as many. */
  modelInputTokens?: number
  /** Tokens of its answers. */
  modelOutputTokens?: number
  /** What that cost, in the money of the engine's `modelOptions.price`; only with a price. */
  modelCost?: number
  /** The page asks not to be shown to others: `noindex` in its meta robots or its `X-Robots-Tag`. */
  noindex?: boolean
  /** The page asks that its links not be followed: `nofollow`, likewise. */
  nofollow?: boolean
  /** In a crawl: the URL of an earlier page with the same, or nearly the same, content. */
  duplicateOf?: string
  /** In a crawl: the URL of the page that this one was found on; absent for the start page. */
  discoveredFrom?: string
  /** In a crawl: how many links away from the start page, which has 0. */
  depth?: number
  /**
   * In a crawl or batch: what was dropped from the content because it repeats over pages, each block with its selector, its
   * size and the reason, at most 20; absent when nothing was. @see {@link CrawlRequest.learnBoilerplate}
   */
  learntBoilerplate?: string[]
  [name: string]: unknown
}

export type { ActionResults }

/** What a document carries whatever its formats. */
export interface DocumentFrame {
  /** Of a PDF file: each page by itself, with `parsers: [{ type: 'pdf', pages: true }]`. */
  pages?: FilePage[]
  /** Of a PDF file: each block of text with its place, in the order of reading, with `parsers: [{ type: 'pdf', blocks: true }]`. */
  blocks?: FileBlock[]
  /** What went less well than asked for; several warnings are joined with a space. */
  warning?: string
  /**
   * How much of what a reader sees on the page is in the content; absent for files but PDF files, whose heads, feet and page
   * numbers are counted as words that are not.
   */
  fidelity?: Fidelity
  /** What was left out of the content, with the reasons; only when `trace` was asked for. */
  trace?: DroppedBlock[]
  /** What the actions brought; absent when there were none, or when they brought nothing. */
  actions?: ActionResults
  metadata: DocumentMetadata
}

/** What format `extract` of version 1 fills: `json` under its old name. */
export interface ExtractFields {
  /** The data that a language model found on the page; absent, with a `warning`, when there are none that keep to the schema. */
  extract?: unknown
}

/**
 * A scraped page: the fields of the formats that were asked for, and its metadata.
 *
 * @see docs/compatibility.md#document
 */
export type Document = DocumentFrame & ConvertedFields & EnrichedFields & Partial<ExtractFields>

/** The fields that an item of `formats` fills; of one that may be this or that, the fields of this or of that. */
type FieldsOfItem<Item> = Item extends string
  ? FieldsOf<Extract<AnyFormat, { type: Item }>>
  : Item extends { readonly type: 'json' | 'deterministicJson'; readonly schema: infer Schema }
    ? { json?: AnswerOf<Schema>; partialJson?: unknown }
    : Item extends { readonly type: infer Type }
      ? FieldsOf<Extract<AnyFormat, { type: Type }>>
      : never

type FieldsOfItems<Items> = Items extends readonly [infer Item, ...infer Rest]
  ? FieldsOfItem<Item> & FieldsOfItems<Rest>
  : unknown

/**
 * The document that a request with these `formats` gives: the fields asked for are there, but for those that a model or the
 * page's own data may leave open, and `json` has the type of its schema. A list whose items the compiler does not know gives a plain {@link Document}.
 *
 * @example
 * DocumentOf<['markdown', 'links']> // Document & { markdown: string } & { links: string[] }
 */
export type DocumentOf<Formats extends readonly (string | { readonly type: string })[]> = Document &
  FieldsOfItems<Formats>
