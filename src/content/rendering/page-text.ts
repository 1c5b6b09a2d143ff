/**
 * The amount of text of a page, and its elements that scripts may fill. Counted in the HTML source, without parsing a
 * tree. Of a page with enough text, only the amounts of text count: the lists and texts are empty then.
 */
export interface PageText {
  /** Characters of visible text outside of {@link boilerplateLength}. */
  readonly ownLength: number
  /** Characters of visible text in `nav`, `header`, `footer`, `aside` and cookie banners. */
  readonly boilerplateLength: number
  /** Number of images, videos, form fields and similar elements. */
  readonly media: number
  /** Number of scripts that a browser would run. */
  readonly scripts: number
  /** Characters of inline scripts, including data for scripts. */
  readonly scriptBytes: number
  /** Names of elements without text or media that scripts could fill: `#id`, a tag or `main`. At most 20. */
  readonly emptyElements: readonly string[]
  /** The same elements, with the offsets of their content in the decoded page. */
  readonly emptyRanges: readonly EmptyRange[]
  /** The start of each `noscript`, up to 20,000 characters in all. */
  readonly noscript: string
  /** Characters of text in `noscript`, without tags. */
  readonly noscriptLength: number
  /** The first 400 characters of the page's own text. */
  readonly ownStart: string
  /** Number of elements that state that their content is still loading: `aria-busy`, skeletons. */
  readonly loadingElements: number
}

/** An element without text or media, with the offsets of its content. */
export interface EmptyRange {
  readonly name: string
  readonly from: number
  readonly to: number
}
