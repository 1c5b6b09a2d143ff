import type { DocumentLimits } from '../html/document-limits.js'
import type { Element } from '../html/tree.js'
import type { LinkResolver } from '../html/link-resolver.js'
import type { HtmlTree, ParsedPage } from '../parse/parser.js'
import type { HiddenText } from './fidelity/fidelity.js'
import type { Fidelity } from './fidelity/fidelity.js'
import type { DroppedBlock } from './fidelity/dropped-block.js'
import type { PartialList } from './fidelity/find-more-of-list.js'
import type { FewEntries, ListForm } from './list/few-entries.js'
import type { ListPlan, PageList } from './list/page-list.js'
import type { NextPage } from './pagination/find-next-page.js'
import type { PageMetadata } from './page-metadata.js'
import type { TreeQuery } from './tree-task.js'

/** Selection of the part of a page to extract. */
export interface ExtractPlan {
  readonly onlyMainContent: boolean
  /** CSS selectors. If there are any, only matching elements are kept, in document order. */
  readonly includeTags: readonly string[]
  /** CSS selectors of elements to drop. `*word*` drops elements whose tag name, class or id contains the word. */
  readonly excludeTags: readonly string[]
  /** Returns the list of dropped parts, with the reasons. @default false */
  readonly trace?: boolean
  /** Leaves out text that no reader sees. @default true */
  readonly visibleOnly?: boolean
  /** Set for a page of which the thread remembers nothing, such as its style sheets. @default false */
  readonly keepsNothing?: boolean
  /** Measures {@link ExtractedPage.fidelity}, and finds {@link ExtractedPage.partialList}. @default true */
  readonly fidelity?: boolean
  /** Reads {@link ExtractedPage.lists}. @default not read */
  readonly list?: ListPlan
  /** Leaves the whole page in {@link ExtractedPage.page}, at the cost of a copy. @default false */
  readonly keepsPage?: boolean
  /** Task that reads the page and its links beside the content: it gets a {@link TreeReading}. @default none */
  readonly reading?: TreeQuery
  /** Maximum lengths of the parts of the document. @default none */
  readonly limits?: DocumentLimits
}

/** A link on the raw page, absolute, for the crawler. */
export interface FoundLink {
  readonly url: string
  /**
   * The anchor's text, white space collapsed, at most 200 characters. A link without text has its kind, such as
   * `rel=next`.
   */
  readonly text: string
  /** Set when the page asks crawlers not to follow the link: `rel="nofollow"`. */
  readonly nofollow?: true
  /** Findings of {@link ExtractPlan.reading} at the link. */
  readonly found?: unknown
}

/** Argument of a task that reads a page beside its content. */
export interface TreeReading {
  /** {@link TreeQuery.argument} */
  readonly argument: unknown
  /** Every link of the page, as of {@link ExtractedPage}. */
  readonly links: readonly FoundLink[]
  readonly resolver: LinkResolver
}

/** Findings of a task that reads a page beside its content. Plain data. */
export interface TreeFindings {
  readonly page: unknown
  /** Findings at each link, in their order. */
  readonly links: readonly unknown[]
}

/**
 * Metadata of a page. Meta tags that have no field of their own are stored under their names.
 *
 * @see docs/compatibility/documents.md#metadata
 */
export interface HtmlMetadata extends PageMetadata {
  [name: string]: string | string[] | undefined
}

/** Licences that a page names or contains. */
export interface PageLicenses {
  /** Links with `rel="license"`, absolute, with the media type that they name. */
  readonly links: readonly { readonly url: string; readonly type: string }[]
  /** Texts of scripts of type `application/rsl+xml`. */
  readonly rsl: readonly string[]
}

/** Statements of a whole page. */
export interface PageStatements {
  readonly metadata: HtmlMetadata
  /** Every link of the raw page, in document order, each URL once. */
  readonly links: readonly FoundLink[]
  /** Licences of the page; absent if it names none. */
  readonly licenses?: PageLicenses
}

/** The content of a page beside what the page shows. */
export interface ComparedContent {
  /** Share of the page that is in the content; absent for a page without a body, and if it is not measured. */
  readonly fidelity?: Fidelity
  /** A list in the content that the page shows only in part; absent if none is found, and if fidelity is not measured. */
  readonly partialList?: PartialList
}

/** Lists of a page. */
export interface PageLists {
  /** The main one first; empty if there is none, absent if they were not requested. */
  readonly lists?: readonly PageList[]
  /** Structure of the main list, for the comparison with other pages of a job. */
  readonly listForm?: ListForm
  /** Entries of a page without a list, which are one if other pages have lists of their structure. */
  readonly fewEntries?: readonly FewEntries[]
  /** The page that continues the list; absent if there is none, and if no list was requested. */
  readonly nextPage?: NextPage
}

/** A page's content, cleaned, with the metadata and links of the whole page. */
export interface ExtractedPage extends PageStatements, ComparedContent, PageLists {
  /** The page. Its tree has what is left of it without the content, or all of it with {@link ExtractPlan.keepsPage}. */
  readonly page: ParsedPage
  /** The kept content only, with absolute `href` and `src`, and without scripts, styles or head. */
  readonly tree: HtmlTree
  /** Resolves the links of the page. It knows those that extraction resolved. */
  readonly resolver: LinkResolver
  /** See {@link ExtractPlan.limits}. */
  readonly limits: DocumentLimits
  readonly warnings: readonly string[]
  /** Findings of {@link ExtractPlan.reading} on the page. */
  readonly found?: unknown
  /** Links in text that style sheets hide, within the content. @default none */
  readonly hiddenLinks?: readonly Element[]
  /** Text that no reader sees; absent if there is none, and if it is kept. */
  readonly hidden?: readonly HiddenText[]
  /** The dropped parts, if {@link ExtractPlan.trace} is set. */
  readonly trace?: readonly DroppedBlock[]
}
