import type { DocumentLimits } from '../html/document-limits.js'
import type { LinkResolver } from '../html/link-resolver.js'
import type { HtmlTree, ParsedPage } from '../parse/parser.js'
import type { Fidelity } from './fidelity/fidelity.js'
import type { DroppedBlock } from './fidelity/dropped-block.js'
import type { PartialList } from './fidelity/find-more-of-list.js'
import type { FewEntries, ListForm } from './list/few-entries.js'
import type { ListPlan, PageList } from './list/page-list.js'
import type { LinkWords, PageWords } from '../../features/relevance/goal-matcher.js'
import type { GoalTerms } from '../../features/relevance/goal-words.js'
import type { SearchPage } from '../../features/site-search/search-page.js'
import type { SiteIndexFiles } from '../../features/site-search/site-index.js'
import type { NextPage } from './pagination/find-next-page.js'
import type { PageMetadata } from './page-metadata.js'

/** Selection of the part of a page to extract. */
export interface ExtractPlan {
  readonly onlyMainContent: boolean
  /** CSS selectors. If there are any, only matching elements are kept, in document order. */
  readonly includeTags: readonly string[]
  /** CSS selectors of elements to drop. `*word*` drops elements whose tag name, class or id contains the word. */
  readonly excludeTags: readonly string[]
  /** Returns the list of dropped parts, with the reasons. @default false */
  readonly trace?: boolean
  /** Measures {@link ExtractedPage.fidelity}, and finds {@link ExtractedPage.partialList}. @default true */
  readonly fidelity?: boolean
  /** Reads {@link ExtractedPage.lists}. @default not read */
  readonly list?: ListPlan
  /** Leaves the whole page in {@link ExtractedPage.page}, at the cost of a copy. @default false */
  readonly keepsPage?: boolean
  /** Terms of the goal of a crawl, which are looked for on the page and at its links. @default none */
  readonly goal?: GoalTerms
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
  /** Terms of the goal at the link; only with {@link ExtractPlan.goal}. */
  readonly goal?: LinkWords
}

/**
 * Metadata of a page. Meta tags that have no field of their own are stored under their names.
 *
 * @see docs/compatibility.md#metadata
 */
export interface HtmlMetadata extends PageMetadata {
  [name: string]: string | string[] | undefined
}

/** Terms of the goal of a crawl on a page, and the site's own search. */
export interface GoalFindings extends PageWords {
  /** Only with {@link GoalTerms.findsIndex}, and where there is one. */
  readonly index?: SiteIndexFiles
  /** Search pages that the page declares, the first to be asked first; likewise, and only on a page that names no index. */
  readonly searchPages?: readonly SearchPage[]
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
  /** Terms of the goal on the page; only with {@link ExtractPlan.goal}. */
  readonly goal?: GoalFindings
  /** The dropped parts, if {@link ExtractPlan.trace} is set. */
  readonly trace?: readonly DroppedBlock[]
}
