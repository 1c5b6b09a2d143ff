import type { JobUse } from '../../base/accounting/budget.js'
import type { DroppedBlock } from '../../content/extract/fidelity/dropped-block.js'
import type { Fidelity } from '../../content/extract/fidelity/fidelity.js'
import type { LedgerRow, Outcome, SkipReason, Via } from '../../kernel/ledger/ledger.js'

/** Data of a report, as its file has them. The script of the file (`src/features/report-view/`) reads them. */

/** Outcomes by number. */
export const outcomes = ['done', 'failed', 'skipped', 'queued', 'active'] as const satisfies readonly Outcome[]

/** Ways of discovery by number. */
export const vias = ['seed', 'link', 'redirect', 'sitemap', 'previous', 'search'] as const satisfies readonly Via[]

/** Rows in one block of stories. */
export const ROWS_PER_BLOCK = 256

/** Facts about the job as a whole. */
export interface ReportFacts {
  /** `pages` for a folder of documents, `page` for a single one. */
  readonly kind: 'crawl' | 'batch-scrape' | 'pages' | 'page'
  /** Start URL, or the name of what was read. */
  readonly subject: string
  readonly id?: string
  readonly state: string
  readonly stoppedBy?: string
  /** ISO dates. */
  readonly createdAt?: string
  readonly completedAt?: string
  readonly writtenAt: string
  /** Seconds. */
  readonly duration?: number
  readonly warning?: string
  readonly error?: string
  readonly completed: number
  readonly failed: number
  readonly skipped: number
  /** Pages under way or queued. */
  readonly open: number
  readonly skippedByReason: Partial<Record<SkipReason, number>>
  readonly creditsUsed: number
  readonly used?: JobUse
  /** Options of the request that say what was asked for, each with its value as text. */
  readonly settings: readonly (readonly [name: string, value: string])[]
  /** Time from which all times of pages count. Milliseconds since the epoch. */
  readonly startedAtMs: number
  /** Rows that the report does not list, because there are too many. */
  readonly unlisted: number
  /** Source of the links between pages: format `links`, the Markdown of the content, or nowhere. */
  readonly linksFrom: 'links' | 'markdown' | 'nothing'
  /** Name of the folder beside the report that has files with the contents of further pages. */
  readonly partsFolder: string
  /** Id of the report in the names of these files: `1-ID.html`. */
  readonly partsId: string
  /** Set in such a file: its number from 1, and the name of the report. */
  readonly part?: { readonly number: number; readonly report: string }
}

/**
 * A row of the ledger. A number that is -1 is absent. A page is named by its number in {@link ReportIndex.pages}, or by its
 * URL if it is not listed. A text is named by its number in {@link ReportIndex.texts}.
 */
export type PackedPage = readonly [
  url: string,
  /** Number in {@link outcomes}. */
  outcome: number,
  /** Skip reason, or error code: a text. */
  reason: number,
  /** Message of the refusal or failure: a text. */
  message: number,
  /** Number in {@link vias}. */
  via: number,
  depth: number,
  foundOn: number | string,
  /** Milliseconds after `startedAtMs`. */
  endedMs: number,
  /** Duration of the last attempt. Milliseconds. */
  attemptMs: number,
  /** A text. */
  fetcher: number,
  statusCode: number,
  attempts: number,
  credits: number,
  /** Empty when it is the URL of the page. */
  finalUrl: string,
  duplicateOf: number | string,
  /** Template of the URL: a text. */
  template: number,
  /** Kinds of the warnings of its document: texts. */
  warnings: readonly number[],
]

/** Place of a document in the file. */
export type PackedDocument = readonly [
  page: number,
  title: string,
  /** Words of its Markdown. */
  words: number,
  /** File with its content: 0 for the report itself. */
  part: number,
  /** Number of the block in that file. */
  block: number,
  /** Place in the block. */
  place: number,
]

/** Pages that link to a page: their number, and some of them. */
export type PackedReferrers = readonly [page: number, count: number, from: readonly number[]]

/** Repeated text that was left out of pages: its description, the number of pages, and some of them. */
export type PackedBoilerplate = readonly [text: string, count: number, pages: readonly number[]]

/** All pages of a report, without what is shown of a single one. */
export interface ReportIndex {
  readonly texts: readonly string[]
  readonly pages: readonly PackedPage[]
  readonly documents: readonly PackedDocument[]
  /** Pages that are linked to: redirects and broken links. */
  readonly referrers: readonly PackedReferrers[]
  /** Pages of a sitemap that no page links to. */
  readonly orphans: readonly number[]
  readonly boilerplate: readonly PackedBoilerplate[]
}

/** Row of the ledger, as a block of stories has it. */
export type RowStory = Omit<LedgerRow, 'sources' | 'place'>

/** Content of a page, as a block has it. */
export interface PageStory {
  readonly markdown?: string
  /** HTML of the page or of its content. It is hostile: the script of the report copies what is harmless in it. */
  readonly html?: string
  /** True if `html` is the whole page. */
  readonly isWhole?: boolean
  /** Data URL of a picture. */
  readonly picture?: string
  readonly trace?: readonly DroppedBlock[]
  readonly boilerplate?: readonly string[]
  readonly fidelity?: Fidelity
  readonly warning?: string
  /** Metadata, and fields of further formats, each with its value as text. */
  readonly fields: readonly (readonly [name: string, value: string])[]
  /** Names of what was cut because it is too long. */
  readonly cut: readonly string[]
}
