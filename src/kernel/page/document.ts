import type { ConvertedFields } from '../../content/convert/convert.js'
import type { FilePage, FilePageBlocks } from '../../content/convert/write/write-parts.js'
import type * as convertFormats from '../../content/convert/formats/index.js'
import type { FeatureFormats } from '../enrich/format.js'
import type { ChangeTrackingFields } from '../snapshot/change-tracking.js'
import type { EnrichedFields } from '../enrich/enrich.js'
import type { Fidelity } from '../../content/extract/fidelity/fidelity.js'
import type { DroppedBlock } from '../../content/extract/fidelity/dropped-block.js'
import type { HiddenText } from '../../content/extract/fidelity/fidelity.js'
import type { PageMetadata } from '../../content/extract/page-metadata.js'
import type { ActionResults } from '../fetch/action.js'

type ConvertRegistry = typeof convertFormats
type AnyFormat = ConvertRegistry[keyof ConvertRegistry] | FeatureFormats[keyof FeatureFormats]

/** Fields that a format fills. */
type FieldsOf<F> = F extends { readonly fills?: infer Fields } ? Fields : never

/**
 * Metadata of a page: what it states about itself, and how it was fetched.
 *
 * Every other meta tag of the page has its own name (`og:title`, `theme-color`, …), with a string, or an array of
 * strings where the page has several. Their type is `unknown`, so that the compiler catches misspelt names.
 * @see docs/compatibility/documents.md#metadata
 */
export interface DocumentMetadata extends PageMetadata {
  /** The URL as the caller spelt it, or as the crawl found it. */
  sourceURL: string
  /** The URL after redirects. */
  url: string
  /** The HTTP status. An error page is a document like any other. */
  statusCode: number
  /** Text of a status outside 200 to 299. */
  error?: string
  /** The `Content-Type` header. */
  contentType?: string
  /** Kind of proxy through which the page was fetched. */
  proxyUsed: 'basic' | 'stealth'
  /** Result of the cache lookup; absent if the cache was not used. */
  cacheState?: 'hit' | 'miss'
  /** Fetch time of a page from the cache, ISO 8601. */
  cachedAt?: string
  /**
   * Embedded data that the page's text was taken from, e.g. `__NEXT_DATA__`, as its scripts would have shown it; absent
   * where the text is in the HTML, or a browser rendered it.
   */
  hydratedFrom?: string
  /** Price that a page with status 402 asks of crawlers, as its header `crawler-price` writes it: `USD 0.01`. Never paid. */
  crawlerPrice?: string
  /** Number of pages read of a PDF file. */
  numPages?: number
  /** Number of pages of a PDF file. */
  totalPages?: number
  /** Identifies this scrape of this page. */
  scrapeId: string
  /**
   * Number of the document in its job, for `job.acknowledge()`: 0 for the first one delivered. Only in jobs with
   * `acknowledge`.
   */
  deliveryId?: number
  /** Price of the page, in credits. @see docs/compatibility/fetching.md#credits */
  creditsUsed: number
  /** Number of requests to the language model; absent if it was not needed, 0 if all answers were cached. */
  modelRequests?: number
  /** Tokens of these requests, as the model counts them, or estimated. */
  modelInputTokens?: number
  /** Tokens of the model's answers. */
  modelOutputTokens?: number
  /** Cost of the model, in the currency of the engine's `modelOptions.price`; only with a price. */
  modelCost?: number
  /** True for a page with `noindex` in its meta robots or its `X-Robots-Tag`. */
  noindex?: boolean
  /** True for a page with `nofollow`, likewise. */
  nofollow?: boolean
  /** In a crawl, the URL of an earlier page with the same or nearly the same content. */
  duplicateOf?: string
  /** In a crawl, the URL of the page that links to this one; absent for the start page. */
  discoveredFrom?: string
  /** In a crawl, the number of links from the start page, which has 0. */
  depth?: number
  [name: string]: unknown
}

export type { ActionResults }

/** Fields of a document with any formats. */
export interface DocumentFrame {
  /** Pages of a PDF file, with `parsers: [{ type: 'pdf', pages: true }]`. */
  pages?: FilePage[]
  /**
   * Blocks of text of a PDF file with their positions, by page and in reading order, with
   * `parsers: [{ type: 'pdf', blocks: true }]`.
   */
  blocks?: FilePageBlocks[]
  /** Warnings about the document, joined with a space. */
  warning?: string
  /**
   * Shares of the page's words, links, table cells and code lines that are in the content. In a file, what its parser
   * leaves out counts as missing: headers, footers and page numbers of PDF files, hidden slides and sheets. Absent where
   * a part of a file could not be read, and where no format shows the content, as with `links` or `rawHtml` alone.
   */
  fidelity?: Fidelity
  /** Blocks left out of the content, with the reasons; only with `trace`. */
  trace?: DroppedBlock[]
  /** Text that no reader sees, left out of the content: the first 50; absent if there is none, and with `visibleOnly: false`. */
  hidden?: HiddenText[]
  /** Results of the actions; absent when there are none. */
  actions?: ActionResults
  metadata: DocumentMetadata
}

/**
 * Fields of the formats whose `schema` decides their types, by the type of the format. Features add them by declaration merging.
 *
 * @typeParam Schema the `schema` of the item of `formats`
 */
export interface SchemaFields<Schema> extends Record<never, Schema> {}

/**
 * A scraped page: its metadata, and the fields of the requested formats.
 *
 * @see docs/compatibility/documents.md#document
 */
export type Document = DocumentFrame & ConvertedFields & EnrichedFields & ChangeTrackingFields

/** Fields that an item of `formats` fills; a union type gives the union of their fields. */
type FieldsOfItem<Item> = Item extends string
  ? FieldsOf<Extract<AnyFormat, { type: Item }>>
  : Item extends { readonly type: infer Type extends keyof SchemaFields<unknown>; readonly schema: infer Schema }
    ? SchemaFields<Schema>[Type]
    : Item extends { readonly type: infer Type }
      ? FieldsOf<Extract<AnyFormat, { type: Type }>>
      : never

type FieldsOfItems<Items> = Items extends readonly [infer Item, ...infer Rest]
  ? FieldsOfItem<Item> & FieldsOfItems<Rest>
  : unknown

/**
 * Type of the document of a request with these `formats`. Requested fields are present, but for those that a model or
 * the page's data may leave absent, and `json` has the type of its schema. An array of unknown items gives a plain
 * {@link Document}.
 *
 * @example
 * DocumentOf<['markdown', 'links']> // Document & { markdown: string } & { links: string[] }
 */
export type DocumentOf<Formats extends readonly (string | { readonly type: string })[]> = DocumentBefore<
  Formats[number]
> &
  FieldsOfItems<Formats>

/**
 * Type of the document of a crawl with `since` and these `formats`. Each format may be absent: an unchanged page gives a
 * document without formats.
 *
 * @example
 * DocumentSince<['markdown']> // Document & { markdown?: string }
 */
export type DocumentSince<Formats extends readonly (string | { readonly type: string })[]> = DocumentBefore<
  Formats[number]
> &
  PartialFields<FieldsOfItems<Formats>>

/** Fields that may be absent. Those of an array of unknown items are unknown. */
type PartialFields<Fields> = unknown extends Fields ? unknown : Partial<Fields>

/** The document without the fields that a schema gives another type. */
type DocumentBefore<Item> = [FieldsOfSchemas<Item>] extends [never] ? Document : Omit<Document, FieldsOfSchemas<Item>>

/** Names of the fields of the formats whose `schema` decides their types. */
type FieldsOfSchemas<Item> = Item extends {
  readonly type: infer Type extends keyof SchemaFields<unknown>
  readonly schema: object
}
  ? keyof SchemaFields<unknown>[Type]
  : never
