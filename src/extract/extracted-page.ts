import type { CheerioAPI } from 'cheerio'
import type { ParsedPage } from '../parse/parser.js'
import type { Fidelity } from './fidelity/fidelity.js'
import type { DroppedBlock } from './fidelity/dropped-block.js'
import type { HeldBack } from './fidelity/find-more-of-list.js'
import type { PageMetadata } from './page-metadata.js'

/** Which part of a page is wanted. */
export interface ExtractPlan {
  readonly onlyMainContent: boolean
  /** CSS selectors; when there are any, only what they match is kept, in document order. */
  readonly includeTags: readonly string[]
  /** CSS selectors of what is dropped; `*word*` drops elements whose tag, class or id contains the word. */
  readonly excludeTags: readonly string[]
  /** Whether what is left out is listed, with the reasons. @default false */
  readonly trace?: boolean
}

/** A link on a page, as the crawler needs it: from the raw page, absolute. */
export interface FoundLink {
  readonly url: string
  /** The anchor's text, white space collapsed, at most 200 characters; for a link without one, what kind of link it is. */
  readonly text: string
  /** Whether the page asks that the link not be followed: `rel="nofollow"`. */
  readonly nofollow?: true
}

/** What a page says about itself. Every other meta tag stands under its own name. @see docs/compatibility.md#metadata */
export interface HtmlMetadata extends PageMetadata {
  [name: string]: string | string[] | undefined
}

/** A page's content, cleaned, beside what the whole page says. */
export interface ExtractedPage {
  readonly page: ParsedPage
  /** The kept content only: absolute `href` and `src`, no scripts, styles or head. */
  readonly $: CheerioAPI
  readonly metadata: HtmlMetadata
  /** Every link of the raw page, in document order, each page once. */
  readonly links: readonly FoundLink[]
  readonly warnings: readonly string[]
  /** How much of the page is in the content; absent for what has no body. */
  readonly fidelity?: Fidelity
  /** A list in the content of which the page holds back a part. */
  readonly heldBack?: HeldBack
  /** What was left out, when that was asked for. */
  readonly trace?: readonly DroppedBlock[]
}
